import { describe, expect, it } from 'vitest'
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
import { KEY, createRequestServer, json } from './support/requests.ts'

const { server, documented, get } = await createRequestServer()

const sendLine = (line: string) => server.raw(rawRequest(line, [`x-api-key: ${KEY}`]))

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
    const answers = await Promise.all(paths.map((path) => server.get(path, 'key-that-is-unknown')))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
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
    '/api/companies',
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
    ['/api/resources', 'key-that-is-unknown'],
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
  ])('%s: the server generates one', async (_, headers) => {
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

  it('sends no-store with a denial', async () => {
    expect((await server.call('/api/resources')).headers['cache-control']).toBe('no-store')
  })

  it('but the OpenAPI document may be kept', async () => {
    const answer = await documented.call('/api/openapi.json')
    expect(answer.status).toBe(200)
    expect(answer.headers['cache-control']).not.toContain('no-store')
  })
})
