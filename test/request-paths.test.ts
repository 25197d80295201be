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
    ['404 for an unknown path without a key', '/api/unknown', {}, UNKNOWN_PATH],
    ['404 for a trailing slash without a key', '/api/resources/', {}, UNKNOWN_PATH],
    [
      '404 for an unknown path with a body that is too large',
      '/api/unknown',
      { method: 'POST', ...big },
      UNKNOWN_PATH,
    ],
    ['405 for a wrong method without a key', '/api/resources', { method: 'DELETE' }, WRONG_METHOD],
    [
      '405 for a wrong method with a body that is too large',
      '/api/resources',
      { method: 'POST', ...big },
      WRONG_METHOD,
    ],
    [
      '405 for a wrong method with invalid JSON',
      '/api/resources',
      { method: 'POST', headers: json, body: '{' },
      WRONG_METHOD,
    ],
    [
      '405 for a wrong method with another content type',
      '/api/staff/x',
      { method: 'PUT', headers: { 'content-type': 'text/xml' }, body: '<a/>' },
      WRONG_METHOD,
    ],
    [
      '405 for a wrong method with wrong parameters',
      '/api/resources?limit=0',
      { method: 'PATCH' },
      WRONG_METHOD,
    ],
    ['401 for wrong parameters without a key', '/api/resources?limit=abc', {}, DENIED],
    ['401 for an expansion without a key', '/api/staff/unknown?expand[]=x', {}, DENIED],
    ['401 for an unknown id without a key', '/api/staff/unknown', {}, DENIED],
    ['401 for an undecodable id without a key', '/api/staff/%zz', {}, DENIED],
    ['401 for a known id without a key', '/api/staff/staff_1', {}, DENIED],
    ['401 for a body that is too large without a key', postPath, { method: 'POST', ...big }, DENIED],
  ])('responds with %s', async (_, path, options, expected) => {
    expect(errorOf(await server.call(path, options))).toEqual(expected)
  })

  it('reports a body that is too large before wrong parameters', async () => {
    const headers = { ...json, 'x-api-key': KEY }
    const answer = await server.call(`${postPath}?size=abc`, { method: 'POST', ...big, headers })
    expect(errorOf(answer)).toEqual(BODY_TOO_LARGE)
  })

  it('reports wrong parameters before an unknown id', async () => {
    expect(errorOf(await get('/api/staff/unknown?expand[]=x'))).toEqual(invalidParameter('expand'))
    expect(errorOf(await get('/api/resources/unknown?expand[]=x'))).toEqual(invalidParameter('x'))
    expect(errorOf(await get('/api/resources/%zz?expand[]=x'))).toEqual(invalidParameter('x'))
    expect(errorOf(await get('/api/staff/unknown'))).toEqual(UNKNOWN_ID)
  })

  it('sends the same response to every request without a valid key', async () => {
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
  ])('responds to %s with 404 without param, for every method, with and without a key', async (path) => {
    for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
      expect(errorOf(await server.call(path, { method }))).toEqual(UNKNOWN_PATH)
    }
    expect(errorOf(await get(path))).toEqual(UNKNOWN_PATH)
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'M-SEARCH'])(
    'responds to %s on a known path with 405 and Allow',
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

  it.each(['error', 'message'] as const)(
    'responds with a 405 in the shape {%s} of the endpoint',
    async (shape) => {
      const reading = await server.call(`/api/test-${shape}/1`, { method: 'POST' })
      expect(errorOf(reading)).toEqual({ status: 405, shape: shape })
      expect(reading.headers['allow']).toBe('GET, HEAD')
      const writing = await server.call(`/api/test-${shape}-post`)
      expect(errorOf(writing)).toEqual({ status: 405, shape: shape })
      expect(writing.headers['allow']).toBe('POST')
    },
  )

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
  ])('HEAD %s responds like GET, without a body', async (path, key) => {
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

  it('accepts a target with scheme and host', async () => {
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
  ])('rejects two host headers with 400 and a request id: %s', async (_, line, second) => {
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

  it('rejects two host headers in the shape of the endpoint', async () => {
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
  ])('%s is returned', async (id) => {
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
    ['no header', {}],
    ['an empty header', { 'x-request-id': '' }],
    ['129 characters', { 'x-request-id': 'a'.repeat(129) }],
    ['a space inside', { 'x-request-id': 'a b' }],
    ['a tab inside', { 'x-request-id': 'a\tb' }],
    ['a letter outside ASCII', { 'x-request-id': 'ä' }],
    ['two headers', { 'x-request-id': ['a', 'b'] }],
  ])('is generated for %s', async (_, headers) => {
    const answer = await server.call('/api/resources', { headers: { 'x-api-key': KEY, ...headers } })
    expect(answer.headers['x-request-id']).toMatch(/^req_[0-9a-f-]{36}$/)
    expect(server.log.some(({ requestId }) => requestId === answer.headers['x-request-id'])).toBe(true)
  })

  it('is different for every request', async () => {
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
  ])('is in responses to %s', async (path, status) => {
    const answer = await get(path)
    expect(answer.status).toBe(status)
    expect(answer.headers['x-request-id']).toMatch(/^req_/)
  })

  it('is in responses to /docs', async () => {
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
  ])('%s with %s is no-store', async (path, method, status) => {
    const answer = await server.call(path, { method, headers: { 'x-api-key': KEY } })
    expect(answer.status).toBe(status)
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('sends no-store with a denial', async () => {
    expect((await server.call('/api/resources')).headers['cache-control']).toBe('no-store')
  })

  it('allows caching of the OpenAPI document', async () => {
    const answer = await documented.call('/api/openapi.json')
    expect(answer.status).toBe(200)
    expect(answer.headers['cache-control']).not.toContain('no-store')
  })
})
