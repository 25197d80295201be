import { z } from 'zod'
import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../src/api/endpoint.ts'
import { ENDPOINTS } from '../src/api/endpoints.ts'
import { pageParameters, readParameters } from '../src/api/parameters.ts'
import { createDatabase } from './support/database.ts'
import { TEST_ENDPOINTS, testEndpoint } from './support/endpoints.ts'
import {
  BODY_TOO_LARGE,
  DENIED,
  UNKNOWN_ID,
  UNKNOWN_PATH,
  WRONG_METHOD,
  errorOf,
  invalidParameter,
} from './support/errors.ts'
import { rawRequest } from './support/raw.ts'
import type { Answer } from './support/raw.ts'
import { insertCompany, insertResource, insertStaff } from './support/records.ts'
import { startServer } from './support/server.ts'

const KEY = 'key-of-the-first-company'

const FilterQuery = z.object({
  ...pageParameters('item_9'),
  lead_id: z.string().optional(),
  'created_at[gt]': z.string().optional(),
  'created_at[gte]': z.string().optional(),
})

/** A list with the filters that quotes will have; it answers what it has read. */
const filtered: Endpoint = testEndpoint('structured', {
  path: '/api/test-filters',
  query: FilterQuery,
  answer: async ({ query }) => {
    const paths: string[] = []
    const values = readParameters(FilterQuery, query, (path) => paths.push(path))
    return { body: { id: JSON.stringify({ ...values, paths }) } }
  },
})

const { pool, connection } = await createDatabase()
const server = await startServer(connection, { endpoints: [...ENDPOINTS, ...TEST_ENDPOINTS, filtered] })

/** The same without the endpoints of this test, which no documentation knows. */
const documented = await startServer(connection)

await insertCompany(pool, 'co_1', { key: KEY })
await insertResource(pool, 'co_1', 'res_1')
await insertStaff(pool, 'co_1', 'staff_1')

const get = (path: string) => server.get(path, KEY)
const EMPTY = { object: 'list', url: '/api/resources', hasMore: false, data: [] }
const json = { 'content-type': 'application/json' }

async function filtersOf(query: string): Promise<Record<string, unknown>> {
  const answer = await get(`/api/test-filters?${query}`)
  expect(answer.status).toBe(200)
  return JSON.parse((answer.body as { id: string }).id) as Record<string, unknown>
}

const sendLine = (line: string) => server.raw(rawRequest(line, [`x-api-key: ${KEY}`]))

const KIB = 1024
const jsonOf = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`
const urlOf = (bytes: number) => `/api/resources?x=${'a'.repeat(bytes - '/api/resources?x='.length)}`
const headersOf = (bytes: number) => ({ 'x-api-key': KEY, 'x-filler': 'a'.repeat(bytes - 120) })

const post = (shape: string, body: string, headers: Record<string, string> = {}) =>
  server.call(`/api/test-${shape}-post`, {
    method: 'POST',
    headers: { ...json, 'x-api-key': KEY, ...headers },
    body,
  })

function sendSmallHeaders(count: number): Promise<Answer> {
  const small = Array.from({ length: count }, () => 'a:b')
  return server.raw(rawRequest('GET /api/resources HTTP/1.1', [...small, `x-api-key: ${KEY}`]))
}

describe('R1: the order of checks', () => {
  const big = { headers: json, body: `"${'x'.repeat(300_000)}"` }
  const postPath = '/api/test-structured-post'

  it.each([
    ['an unknown path without a key is 404', '/api/unknown', {}, UNKNOWN_PATH],
    ['a trailing slash without a key is 404', '/api/resources/', {}, UNKNOWN_PATH],
    [
      'an unknown path with a body that is too large is 404',
      '/api/unknown',
      { method: 'POST', ...big },
      UNKNOWN_PATH,
    ],
    ['a wrong method without a key is 405', '/api/resources', { method: 'DELETE' }, WRONG_METHOD],
    [
      'a wrong method with a body that is too large is 405',
      '/api/resources',
      { method: 'POST', ...big },
      WRONG_METHOD,
    ],
    [
      'a wrong method with a broken body is 405',
      '/api/resources',
      { method: 'POST', headers: json, body: '{' },
      WRONG_METHOD,
    ],
    [
      'a wrong method with another content type is 405',
      '/api/staff/x',
      { method: 'PUT', headers: { 'content-type': 'text/xml' }, body: '<a/>' },
      WRONG_METHOD,
    ],
    [
      'a wrong method with wrong parameters is 405',
      '/api/resources?limit=0',
      { method: 'PATCH' },
      WRONG_METHOD,
    ],
    ['wrong parameters without a key are 401', '/api/resources?limit=abc', {}, DENIED],
    ['expand without a key is 401', '/api/staff/unknown?expand[]=x', {}, DENIED],
    ['an unknown id without a key is 401', '/api/staff/unknown', {}, DENIED],
    ['an undecodable id without a key is 401', '/api/staff/%zz', {}, DENIED],
    ['a known id without a key is 401', '/api/staff/staff_1', {}, DENIED],
    ['a body that is too large without a key is 401', postPath, { method: 'POST', ...big }, DENIED],
  ])('%s', async (_, path, options, expected) => {
    expect(errorOf(await server.call(path, options))).toEqual(expected)
  })

  it('a body that is too large comes before wrong parameters', async () => {
    const headers = { ...json, 'x-api-key': KEY }
    const answer = await server.call(`${postPath}?size=abc`, { method: 'POST', ...big, headers })
    expect(errorOf(answer)).toEqual(BODY_TOO_LARGE)
  })

  it('wrong parameters come before an unknown id', async () => {
    expect(errorOf(await get('/api/staff/unknown?expand[]=x'))).toEqual(invalidParameter('expand'))
    expect(errorOf(await get('/api/resources/unknown?expand[]=x'))).toEqual(invalidParameter('x'))
    expect(errorOf(await get('/api/resources/%zz?expand[]=x'))).toEqual(invalidParameter('x'))
    expect(errorOf(await get('/api/staff/unknown'))).toEqual(UNKNOWN_ID)
  })

  it('without a valid key every request to an endpoint has one and the same answer', async () => {
    const paths = [
      '/api/resources?limit=abc',
      '/api/resources/res_1',
      '/api/staff/staff_1',
      '/api/staff/x?expand[]=y',
    ]
    const answers = await Promise.all(paths.map((path) => server.get(path, 'key-that-nobody-has')))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  })
})

describe('R2: unknown query parameters', () => {
  it.each([
    'foo=1',
    'foo=1&foo=2',
    'foo[]=1',
    'Limit=abc',
    'limits=abc',
    'LIMIT[]=1',
    'limit%20=abc',
    '%20limit=abc',
    'created_at[gt]=abc',
    'expandx=1',
    'Expand[]=x',
    'page=2&sort=name&q=',
    '__proto__=1&constructor=2&toString=3&hasOwnProperty[]=4',
    '[]=1&[limit]=2&]=3',
    '&&&=&=1&%zz=1',
  ])('are ignored: %s', async (query) => {
    const answer = await get(`/api/resources?${query}`)
    expect(answer.status).toBe(200)
    expect(answer.text).toBe((await get('/api/resources')).text)
  })
})

describe('R3: wrong use of a known parameter is 400 and names it as it was sent', () => {
  it.each([
    ['created_at=2026-01-01T00:00Z', 'created_at'],
    ['created_at', 'created_at'],
    ['created_at[eq]=2026-01-01T00:00Z', 'created_at[eq]'],
    ['created_at[GT]=2026-01-01T00:00Z', 'created_at[GT]'],
    ['created_at[]=2026-01-01T00:00Z', 'created_at[]'],
    ['created_at[gt', 'created_at[gt'],
    ['created_at[gt][]=x', 'created_at[gt][]'],
    ['created_at%5Beq%5D=x', 'created_at[eq]'],
    ['created_at[gt]=a&created_at[gt]=b', 'created_at[gt]'],
    ['created_at%5Bgt%5D=a&created_at[gt]=a', 'created_at[gt]'],
    ['limit=1&limit=2', 'limit'],
    ['limit=1&limit=1', 'limit'],
    ['limit=1&l%69mit=2', 'limit'],
    ['lead_id=a&lead_id=b', 'lead_id'],
    ['lead_id=&lead_id=', 'lead_id'],
    ['starting_after=a&x=1&starting_after=b', 'starting_after'],
    ['lead_id[]=a', 'lead_id[]'],
    ['lead_id[0]=a', 'lead_id[0]'],
    ['lead_id[gt]=a', 'lead_id[gt]'],
    ['limit[]=1', 'limit[]'],
    ['limit%5B%5D=1', 'limit[]'],
    ['limit[', 'limit['],
    ['limit[%zz]=1', 'limit[%zz]'],
    ['limit%5B%FF%5D=1', 'limit[%FF]'],
    ['starting_after[]=x', 'starting_after[]'],
    ['expand[x]=a', 'expand[x]'],
    ['expand[][]=a', 'expand[][]'],
    ['expand[-1]=a', 'expand[-1]'],
    ['expand[0][0]=a', 'expand[0][0]'],
    ['expand[%200]=a', 'expand[ 0]'],
  ])('%s', async (query, param) => {
    expect(errorOf(await get(`/api/test-filters?${query}`))).toEqual(invalidParameter(param))
  })

  it.each([
    ['limit=0&expand[x]=1', 'limit'],
    ['expand[x]=1&limit=0', 'expand[x]'],
    ['lead_id=a&limit=abc&lead_id=b', 'limit'],
    ['lead_id=a&lead_id=b&limit=abc', 'lead_id'],
    ['foo=1&created_at=x&created_at[eq]=y', 'created_at'],
    ['created_at[eq]=y&created_at=x', 'created_at[eq]'],
  ])('of several wrong ones the first is reported: %s', async (query, param) => {
    expect(errorOf(await get(`/api/test-filters?${query}`))).toEqual(invalidParameter(param))
  })

  it('also among paths and parameters of resources', async () => {
    expect(errorOf(await get('/api/resources?expand[]=b,a&limit=0'))).toEqual(invalidParameter('b'))
    expect(errorOf(await get('/api/resources?limit=0&expand[]=b'))).toEqual(invalidParameter('limit'))
    expect(errorOf(await get('/api/resources?location_id[]=x'))).toEqual(invalidParameter('location_id[]'))
    expect(errorOf(await get('/api/resources?location_id=a&location_id=a'))).toEqual(
      invalidParameter('location_id'),
    )
  })

  it('every message names the parameter', async () => {
    const answer = await get('/api/test-filters?created_at[eq]=x')
    expect(answer.text).toContain('created_at[eq] is not supported; use created_at[gt], created_at[gte]')
    expect((await get('/api/test-filters?limit=1&limit=2')).text).toContain('limit must be given only once')
  })
})

describe('R4: limit', () => {
  it.each(['1', '9', '10', '99', '100', '01', '007', '000100', '%31', '0'.repeat(500) + '5'])(
    '%s is taken',
    async (limit) => {
      expect(await filtersOf(`limit=${limit}`)).toMatchObject({ limit: Number(decodeURIComponent(limit)) })
    },
  )

  it('is 10 when it is not given', async () => {
    expect(await filtersOf('')).toMatchObject({ limit: 10 })
  })

  it.each([
    ['nothing', ''],
    ['zero', '0'],
    ['zeros', '000'],
    ['101', '101'],
    ['a sign', '-1'],
    ['a plus sign', '%2B1'],
    ['a plus sign that means a blank', '+1'],
    ['a fraction', '1.5'],
    ['a fraction of zero', '1.0'],
    ['an exponent', '1e1'],
    ['hexadecimal', '0x10'],
    ['a blank before', '%201'],
    ['a blank after', '1%20'],
    ['a line end after', '1%0A'],
    ['a NUL', '1%00'],
    ['a word', 'abc'],
    ['an infinity', 'Infinity'],
    ['NaN', 'NaN'],
    ['a separator', '1_0'],
    ['a comma', '1,2'],
    ['a big number', '18446744073709551617'],
    ['a very big number', '9'.repeat(400)],
    ['other digits', encodeURIComponent('٣')],
    ['full-width digits', encodeURIComponent('５')],
    ['an invalid percent-encoding', '%zz'],
    ['true', 'true'],
  ])('%s is 400', async (_, limit) => {
    const answer = await get(`/api/resources?limit=${limit}`)
    expect(errorOf(answer)).toEqual(invalidParameter('limit'))
    expect(answer.text).toContain('"message":"limit must be an integer between 1 and 100"')
  })
})

describe('R7: the spellings of the expansion parameter', () => {
  it.each([
    ['expand[]=a', ['a']],
    ['expand=a', ['a']],
    ['expand[0]=a&expand[1]=b', ['a', 'b']],
    ['expand[7]=a&expand[7]=b', ['a', 'b']],
    ['expand%5B%5D=a&expand%5b%5d=b', ['a', 'b']],
    ['expand[]=a,b&expand=c&expand[0]=d', ['a', 'b', 'c', 'd']],
    ['expand=a%2Cb', ['a', 'b']],
    ['expand=a,a', ['a', 'a']],
    ['expand=a,%20b', ['a', ' b']],
    ['expand=a+', ['a ']],
    ['expand[]=', ['']],
    ['expand', ['']],
    ['expand=a,,b', ['a', '', 'b']],
    ['expand=,', ['', '']],
  ])('%s', async (query, paths) => {
    expect((await filtersOf(query))['paths']).toEqual(paths)
  })
})

describe('R9: param of a bad expansion', () => {
  it.each([
    ['expand[]=location', 'location'],
    ['expand[]=data.location', 'data.location'],
    ['expand=b,a', 'b'],
    ['expand=%20a', ' a'],
    ['expand[]=a%22b', 'a"b'],
    ['expand[]=%C3%A4', 'ä'],
    ['expand[]=%zz', '%zz'],
    ['expand[]=%FF,a', '%FF'],
    ['expand[]=', 'expand'],
    ['expand[]=,a', 'expand'],
    ['expand=a,', 'a'],
  ])('resources, %s: the first path as it was sent', async (query, param) => {
    for (const path of ['/api/resources', '/api/resources/res_1', '/api/resources/unknown']) {
      const answer = await get(`${path}?${query}`)
      expect(errorOf(answer)).toEqual(invalidParameter(param))
      expect((answer.body as { error: { message: string } }).error.message).toContain(param)
    }
  })
})

describe('R10, R11: ids as filter and cursor', () => {
  it.each([
    ['nothing', ''],
    ['no equals sign', undefined],
    ['an unknown id', 'unknown'],
    ['another case', 'RES_1'],
    ['256 characters', 'a'.repeat(256)],
    ['10,000 characters', 'a'.repeat(10_000)],
    ['a NUL', 'res_1%00'],
    ['half a surrogate pair', '%ED%A0%80'],
    ['an invalid percent-encoding', 'res_1%'],
    ['invalid UTF-8', '%FF'],
  ])('%s gives an empty page', async (_, id) => {
    for (const name of ['starting_after', 'location_id']) {
      const answer = await get(`/api/resources?${name}${id === undefined ? '' : `=${id}`}`)
      expect([answer.status, answer.body]).toEqual([200, EMPTY])
    }
  })

  it('an encoded id is the same id', async () => {
    await insertResource(pool, 'co_1', 'res/ä 1', { created_at: '2001-01-01T00:00Z', location_id: 'loc/ä+1' })
    const found = await get('/api/resources?location_id=loc%2F%C3%A4%2B1')
    expect(found.body).toMatchObject({ data: [{ id: 'res/ä 1' }] })
    expect((await get('/api/resources?location_id=loc/%C3%A4+1')).body).toEqual(EMPTY)
    expect((await get('/api/resources?starting_after=res/%C3%A4+1')).body).toEqual(EMPTY)
    expect((await get('/api/resources?starting_after=res_1')).body).toMatchObject({
      data: [{ id: 'res/ä 1' }],
    })
  })
})

describe('R12: unknown paths and wrong methods', () => {
  it.each([
    '/api',
    '/api/',
    '/api/unknown',
    '/api/resources/',
    '/api/resources/res_1/',
    '/api/resources//',
    '/api/resources/res_1/x',
    '/api/resources/?limit=1',
    '/api//resources',
    '//api/resources',
    '/API/resources',
    '/api/Resources',
    '/api/resources.json',
    '/api/resources%2Fres_1',
    '/api%2Fresources',
    '/api/resources%20',
    '/api/resources%00',
    '/api/staff',
    '/api/staff/',
    '/api/staff/%2F/x',
    '/api/../api/resources',
    '/resources',
    '/unknown',
    '/docs/unknown',
    '/%zz',
  ])('%s is 404 without param, with and without a key, for every method', async (path) => {
    for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
      expect(errorOf(await server.call(path, { method }))).toEqual(UNKNOWN_PATH)
    }
    expect(errorOf(await get(path))).toEqual(UNKNOWN_PATH)
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'M-SEARCH'])(
    '%s on a known path is 405 with Allow',
    async (method) => {
      for (const path of [
        '/api/resources',
        '/api/resources/x?limit=1',
        '/api/staff/%zz',
        '/api/re%73ources',
        '/healthz',
      ]) {
        const answer = await server.call(path, { method })
        expect(errorOf(answer)).toEqual(WRONG_METHOD)
        expect(answer.headers['allow']).toBe('GET, HEAD')
      }
    },
  )

  it.each(['error', 'message'] as const)('405 has the shape {%s} of its endpoint', async (shape) => {
    const reading = await server.call(`/api/test-${shape}/1`, { method: 'POST' })
    expect(errorOf(reading)).toEqual({ status: 405, shape: shape })
    expect(reading.headers['allow']).toBe('GET, HEAD')
    const writing = await server.call(`/api/test-${shape}-post`)
    expect(errorOf(writing)).toEqual({ status: 405, shape: shape })
    expect(writing.headers['allow']).toBe('POST')
  })

  it.each([
    ['/api/resources', KEY],
    ['/api/resources/res_1', KEY],
    ['/api/staff/staff_1', KEY],
    ['/api/staff/unknown', KEY],
    ['/api/resources?limit=0', KEY],
    ['/api/resources', 'key-that-nobody-has'],
    ['/api/unknown', KEY],
    ['/api/resources/', KEY],
    ['/healthz', KEY],
  ])('HEAD %s answers as GET, without the body', async (path, key) => {
    const headers = { 'x-api-key': key, 'x-request-id': 'same' }
    const [head, whole] = [
      await server.call(path, { method: 'HEAD', headers }),
      await server.get(path, key, headers),
    ]
    expect(head.text).toBe('')
    expect(head.status).toBe(whole.status)
    expect({ ...head.headers, date: '' }).toEqual({ ...whole.headers, date: '' })
    expect(Number(head.headers['content-length'])).toBe(Buffer.byteLength(whole.text))
  })

  it('a target with scheme and host is the same path', async () => {
    const answer = await sendLine('GET http://elsewhere/api/resources/res_1 HTTP/1.1')
    expect(answer.text).toBe((await get('/api/resources/res_1')).text)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(errorOf(await sendLine('POST http://elsewhere/api/resources HTTP/1.1'))).toEqual(WRONG_METHOD)
    expect((await sendLine('GET http://elsewhere HTTP/1.1')).text).toContain('<!doctype html>')
  })

  it.each([
    ['another host', 'GET /api/resources HTTP/1.1', 'host: other'],
    ['the same host', 'GET /api/resources HTTP/1.1', 'HOST: test'],
    ['an empty host', 'GET /api/resources HTTP/1.1', 'host:'],
    ['HTTP/1.0', 'GET /api/resources HTTP/1.0', 'host: other'],
    ['an unknown path', 'GET /nowhere HTTP/1.1', 'host: other'],
  ])('two host headers are a 400 with a request id: %s', async (_, line, second) => {
    const headers = [`x-api-key: ${KEY}`, 'x-request-id: two-hosts', second]
    const answer = await server.raw(rawRequest(line, headers))
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({
      error: {
        type: 'invalid_request_error',
        code: 'invalid_parameter',
        message: 'There is more than one host header. Send one.',
      },
    })
    expect(answer.headers['x-request-id']).toBe('two-hosts')
  })

  it('two host headers are a 400 in the shape of the endpoint', async () => {
    for (const shape of ['message', 'error'] as const) {
      const request = rawRequest(`GET /api/test-${shape}/1 HTTP/1.1`, [`x-api-key: ${KEY}`, 'host: other'])
      expect(errorOf(await server.raw(request))).toEqual({ status: 400, shape })
    }
  })
})

describe('R13: sizes', () => {
  it('a body of 256 KiB is taken', async () => {
    expect((await post('structured', jsonOf(256 * KIB))).status).toBe(200)
  })

  it('a byte more is 413 in the shape of the endpoint', async () => {
    expect(errorOf(await post('structured', jsonOf(256 * KIB + 1)))).toEqual(BODY_TOO_LARGE)
    expect(errorOf(await post('error', jsonOf(256 * KIB + 1)))).toEqual({ status: 413, shape: 'error' })
    expect(errorOf(await post('message', jsonOf(256 * KIB + 1)))).toEqual({ status: 413, shape: 'message' })
  })

  it('also when its length is not announced, and when only the announcement is too large', async () => {
    const chunked = await post('structured', jsonOf(300 * KIB), { 'transfer-encoding': 'chunked' })
    expect(errorOf(chunked)).toEqual(BODY_TOO_LARGE)
    const headers = [`x-api-key: ${KEY}`, 'content-type: application/json', 'content-length: 999999999']
    expect(errorOf(await server.raw(rawRequest('POST /api/test-structured-post HTTP/1.1', headers)))).toEqual(
      BODY_TOO_LARGE,
    )
  })

  it('a URL of 16 KiB is taken, a byte more is 414', async () => {
    expect((await get(urlOf(16 * KIB))).status).toBe(200)
    const answer = await get(urlOf(16 * KIB + 1))
    expect(errorOf(answer)).toEqual({ status: 414, type: 'invalid_request_error', code: 'url_too_long' })
  })

  it.each([17_000, 60_000, 66_000, 100_000, 200_000])('a URL of %i bytes is 414', async (bytes) => {
    const request = rawRequest(`GET ${urlOf(bytes)} HTTP/1.1`, [`x-api-key: ${KEY}`])
    expect((await server.raw(request)).status).toBe(414)
    // As it comes over a network, in small packets.
    expect((await server.raw(request, { pieceBytes: 16_000 })).status).toBe(414)
  })

  it('headers of 16,000 bytes are taken, of 17,000 are 431', async () => {
    expect((await server.call('/api/resources', { headers: headersOf(16_000) })).status).toBe(200)
    const answer = await server.call('/api/resources', { headers: headersOf(17_000) })
    expect(errorOf(answer)).toEqual({ status: 431, type: 'invalid_request_error', code: 'headers_too_large' })
  })

  it.each([17_000, 60_000, 66_000, 100_000, 200_000])('headers of %i bytes are 431', async (bytes) => {
    const request = rawRequest('GET /api/resources HTTP/1.1', [
      `x-api-key: ${KEY}`,
      `x-a: ${'a'.repeat(bytes)}`,
    ])
    expect((await server.raw(request)).status).toBe(431)
    expect((await server.raw(request, { pieceBytes: 16_000 })).status).toBe(431)
  })

  it('many small headers are 431, too, and none is lost below the limit', async () => {
    expect((await sendSmallHeaders(2_500)).status).toBe(200)
    expect((await sendSmallHeaders(4_000)).status).toBe(431)
    expect((await sendSmallHeaders(12_000)).status).toBe(431)
    expect((await sendSmallHeaders(100_000)).status).toBe(431)
  })

  it('the two limits are separate', async () => {
    expect((await server.call(urlOf(16_000), { headers: headersOf(16_000) })).status).toBe(200)
    expect((await server.call(urlOf(17_000), { headers: headersOf(16_000) })).status).toBe(414)
    expect((await server.call(urlOf(16_000), { headers: headersOf(17_000) })).status).toBe(431)
  })
})

describe('R14: the request id', () => {
  it.each([
    'a',
    '0',
    'a'.repeat(128),
    'trace-4711/x',
    '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
    'eqs_short',
    'req_1',
  ])('%s is taken over', async (id) => {
    for (const path of [
      '/api/resources',
      '/api/unknown',
      '/healthz',
      '/api/staff/unknown',
      '/api/resources/',
    ]) {
      expect((await server.get(path, KEY, { 'x-request-id': id })).headers['x-request-id']).toBe(id)
    }
    expect(
      (await server.call('/api/resources', { headers: { 'x-request-id': id } })).headers['x-request-id'],
    ).toBe(id)
    expect(server.log.filter(({ requestId }) => requestId === id).length).toBeGreaterThanOrEqual(6)
  })

  it.each([
    ['none', {}],
    ['an empty one', { 'x-request-id': '' }],
    ['129 characters', { 'x-request-id': 'a'.repeat(129) }],
    ['a blank inside', { 'x-request-id': 'a b' }],
    ['a tab inside', { 'x-request-id': 'a\tb' }],
    ['a letter outside ASCII', { 'x-request-id': 'ä' }],
    ['two', { 'x-request-id': ['a', 'b'] }],
  ])('%s: one is made', async (_, headers) => {
    const answer = await server.call('/api/resources', { headers: { 'x-api-key': KEY, ...headers } })
    expect(answer.headers['x-request-id']).toMatch(/^req_[0-9a-f-]{36}$/)
    expect(server.log.some(({ requestId }) => requestId === answer.headers['x-request-id'])).toBe(true)
  })

  it('is another one for every request', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => get('/api/resources')))
    expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(20)
  })

  it.each([
    ['/api/resources?limit=0', 400],
    ['/api/resources/unknown', 404],
    ['/api/unknown', 404],
    [`/api/resources?${'a'.repeat(17_000)}`, 414],
    ['/', 200],
    ['/metrics', 200],
    ['/readyz', 200],
  ])('is on %s', async (path, status) => {
    const answer = await get(path)
    expect(answer.status).toBe(status)
    expect(answer.headers['x-request-id']).toMatch(/^req_/)
  })

  it('is on /docs', async () => {
    expect((await documented.call('/docs')).headers['x-request-id']).toMatch(/^req_/)
  })
})

describe('a request that is not valid HTTP', () => {
  const line = 'GET /api/form-response/resp_1 HTTP/1.1'

  it.each([
    ['a control character in a header', rawRequest(line, ['x-note: a\x01b']), 400],
    ['a control character in the key', rawRequest(line, [`x-api-key: ${KEY}\x7f`]), 400],
    ['a header without a colon', rawRequest(line, ['nonsense']), 400],
    ['no HTTP at all', 'nonsense\r\n\r\n', 400],
    [
      'headers that the parser does not read to their end',
      rawRequest(line, [`x-a: ${'a'.repeat(300_000)}`]),
      431,
    ],
    ['CONNECT', rawRequest('CONNECT example.com:443 HTTP/1.1'), 400],
  ])('%s gets a structured error with a request id that is in the log', async (_, bytes, status) => {
    const answer = await server.raw(bytes)
    expect(answer).toMatchObject({ status, body: { error: { type: 'invalid_request_error' } } })
    const requestId = answer.headers['x-request-id']
    expect(requestId).toMatch(/^req_[0-9a-f-]{36}$/)
    expect(server.log.filter((entry) => entry['requestId'] === requestId)).toMatchObject([{ status }])
  })

  it('a control character in a header is named in the message', async () => {
    const answer = await server.raw(rawRequest(line, ['x-note: a\x01b']))
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(errorOf(answer)).toEqual({ status: 400, type: 'invalid_request_error', code: 'invalid_parameter' })
    expect(answer.text).toContain(
      'a header contains a character that is not allowed, such as a control character',
    )
  })

  it('the OpenAPI document says so', async () => {
    const { body } = await documented.call('/api/openapi.json')
    expect((body as { info: { description: string } }).info.description).toMatch(
      /control character in a header.*400[^]*x-request-id/,
    )
  })
})

describe('R15: param', () => {
  it('is id on a 404 of a resource or staff member', async () => {
    expect(errorOf(await get('/api/resources/unknown'))).toEqual(UNKNOWN_ID)
    expect(errorOf(await get('/api/staff/unknown'))).toEqual(UNKNOWN_ID)
  })

  it('is left out, not null, where there is none', async () => {
    for (const answer of [await get('/api/unknown'), await server.call('/api/resources')]) {
      expect(Object.keys((answer.body as { error: object }).error)).toEqual(['type', 'code', 'message'])
    }
  })
})

describe('R16: caching', () => {
  it.each([
    ['/api/resources', 'GET', 200],
    ['/api/resources/res_1', 'GET', 200],
    ['/api/staff/staff_1', 'HEAD', 200],
    ['/api/resources?limit=0', 'GET', 400],
    ['/api/staff/unknown', 'GET', 404],
    ['/api/unknown', 'GET', 404],
    ['/api/resources/', 'GET', 404],
    ['/api/resources', 'POST', 405],
    ['/%61pi/resources', 'GET', 200],
    ['/%61pi/re%73ources/res_1', 'GET', 200],
    [`/api/resources?${'a'.repeat(17_000)}`, 'GET', 414],
  ])('%s, %s: no-store', async (path, method, status) => {
    const answer = await server.call(path, { method, headers: { 'x-api-key': KEY } })
    expect(answer.status).toBe(status)
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('also on a denial', async () => {
    expect((await server.call('/api/resources')).headers['cache-control']).toBe('no-store')
  })

  it('but the OpenAPI document may be kept', async () => {
    const answer = await documented.call('/api/openapi.json')
    expect(answer.status).toBe(200)
    expect(answer.headers['cache-control']).not.toContain('no-store')
  })
})
