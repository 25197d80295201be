import { once } from 'node:events'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { sql } from '../src/db/sql.ts'
import { run } from '../src/db/statement.ts'
import { ApiError, ERROR_CODES } from '../src/core/requests/errors.ts'
import type { Endpoint } from '../src/api/endpoint.ts'
import { createClientErrors } from '../src/http/client-errors.ts'
import { SECURITY_HEADERS } from '../src/http/security-headers.ts'
import { errorBody } from '../src/http/error-bodies.ts'
import { createDatabase } from './support/database.ts'
import { SHAPES, TEST_ENDPOINTS, testEndpoint } from './support/endpoints.ts'
import {
  BODY_TOO_LARGE,
  SERVER_ERROR,
  UNKNOWN_PATH,
  UNREADABLE,
  WRONG_METHOD,
  errorOf,
  inShape,
} from './support/errors.ts'
import { rawRequest } from './support/raw.ts'
import { insertCompany } from './support/records.ts'
import { startServer } from './support/server.ts'

const KEY = 'key-of-the-first-company'

/** Failures of endpoints. None of their details may appear in a response. */
const FAILURES: [name: string, fail: Endpoint['answer']][] = [
  ['an asynchronous error', () => Promise.reject(new Error(`SELECT * FROM api_keys WHERE key = '${KEY}'`))],
  ['a synchronous error', () => fail(new Error('secret'))],
  [
    'an error with its own status',
    () => Promise.reject(Object.assign(new Error('secret'), { statusCode: 502 })),
  ],
  ['a database error', async ({ db }) => ({ body: await run(db, sql`SELECT secret FROM nowhere`) })],
  ['a thrown string', () => fail('secret')],
  ['a response that cannot be serialized', async () => ({ body: { id: 1n } })],
]

function fail(thrown: unknown): never {
  throw thrown
}

const failing = SHAPES.flatMap((shape) =>
  FAILURES.map(([, answer], i) => testEndpoint(shape, { path: `/api/fail-${shape}-${i}`, answer })),
)

let finishSlow: (() => void) | undefined
const slow = testEndpoint('structured', {
  path: '/api/slow',
  answer: async () => {
    await new Promise<void>((resolve) => (finishSlow = resolve))
    return { body: { id: 'slow' } }
  },
})

const { pool, connection } = await createDatabase()
const server = await startServer(connection, { endpoints: [...TEST_ENDPOINTS, ...failing, slow] })
await insertCompany(pool, 'co_1', { key: KEY })

const post = (shape: string, headers: Record<string, string>, body: string) =>
  server.call(`/api/test-${shape}-post`, {
    method: 'POST',
    headers: { 'x-api-key': KEY, ...headers },
    body,
  })

describe('E1, E2: error shapes', () => {
  const error = new ApiError('invalid_parameter', { message: 'Wrong', param: 'limit' })

  it.each([
    [
      'structured',
      '{"error":{"type":"invalid_request_error","code":"invalid_parameter","message":"Wrong","param":"limit"}}',
    ],
    ['error', '{"error":"Wrong"}'],
    ['message', '{"message":"Wrong"}'],
  ] as const)('%s', (shape, body) => {
    expect(errorBody(shape, error)).toBe(body)
  })

  it.each([
    ['invalid_parameter', 400, 'invalid_request_error'],
    ['missing_or_invalid_api_key', 401, 'authentication_error'],
    ['not_found', 404, 'invalid_request_error'],
    ['method_not_allowed', 405, 'invalid_request_error'],
    ['body_too_large', 413, 'invalid_request_error'],
    ['rate_limit_exceeded', 429, 'rate_limit_error'],
    ['server_error', 500, 'api_error'],
    ['auth_service_unavailable', 503, 'api_error'],
  ] as const)('%s is %i %s', (code, status, type) => {
    expect(new ApiError(code)).toMatchObject({ code, status, type })
  })

  it('E3: every code has one of the documented types', () => {
    const types = new Set(ERROR_CODES.map((code) => new ApiError(code).type))
    expect([
      'api_error',
      'invalid_request_error',
      'authentication_error',
      'permission_error',
      'rate_limit_error',
      'idempotency_error',
      'conflict_error',
    ]).toEqual(expect.arrayContaining([...types]))
  })
})

describe('errors of the framework have the shape of the API', () => {
  it('404 and 405', async () => {
    expect(errorOf(await server.call('/nowhere'))).toEqual(UNKNOWN_PATH)
    expect(errorOf(await server.call('/api/test-structured/1', { method: 'DELETE' }))).toEqual(WRONG_METHOD)
  })

  it.each(SHAPES)('413, %s', async (shape) => {
    const answer = await post(shape, { 'content-type': 'application/json' }, `"${'x'.repeat(300_000)}"`)
    expect(errorOf(answer)).toEqual(inShape(shape, BODY_TOO_LARGE))
  })

  it('414 and 431', async () => {
    const long = await server.call(`/api/test-structured/1?${'x'.repeat(17_000)}`)
    expect(errorOf(long)).toEqual({ status: 414, type: 'invalid_request_error', code: 'url_too_long' })
    const large = await server.call('/api/test-structured/1', { headers: { 'x-a': 'a'.repeat(17_000) } })
    expect(errorOf(large)).toEqual({ status: 431, type: 'invalid_request_error', code: 'headers_too_large' })
  })

  it('431 from the HTTP parser', async () => {
    const headers = Array.from({ length: 60_000 }, (_, i) => `x-a: ${i}`)
    const large = await server.raw(rawRequest('GET / HTTP/1.1', headers))
    expect(errorOf(large)).toEqual({
      status: 431,
      type: 'invalid_request_error',
      code: 'headers_too_large',
    })
  })

  it.each(['%', '%zz', '%C3%28', '%E0%80%80', '%FF'])('404 to the undecodable path %s', async (path) => {
    expect(errorOf(await server.call(`/${path}`))).toEqual(UNKNOWN_PATH)
    expect(errorOf(await server.call(`/api/${path}`))).toEqual(UNKNOWN_PATH)
  })
})

describe('invalid HTTP', () => {
  const ok = 'GET /healthz HTTP/1.1'

  it.each([
    ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
    ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['text', 'hello world, this is not a request\r\n\r\n'],
    ['an unknown method', rawRequest('FOO /healthz HTTP/1.1')],
    ['a lowercase method', rawRequest('get /healthz HTTP/1.1')],
    ['CONNECT', rawRequest('CONNECT example.com:443 HTTP/1.1')],
    ['an unknown version', rawRequest('GET /healthz HTTP/9.9')],
    ['a path that does not begin with a slash', rawRequest('GET healthz HTTP/1.1')],
    ['a space in the path', rawRequest('GET /healthz x HTTP/1.1')],
    ['a NUL in the path', rawRequest('GET /health\0z HTTP/1.1')],
    ['non-ASCII bytes in the path', rawRequest('GET /h\xc3\xa4lthz HTTP/1.1')],
    ['a missing host header', `${ok}\r\nconnection: close\r\n\r\n`],
    ['a header name with a space', rawRequest(ok, ['bad name: x'])],
    ['a header without a colon', rawRequest(ok, ['nonsense'])],
    ['an empty header name', rawRequest(ok, [': x'])],
    ['a NUL in a header', rawRequest(ok, ['x-a: a\0b'])],
    ['a line break in a header', rawRequest(ok, ['x-a: a\rb'])],
    ['a content-length that is not a number', rawRequest(ok, ['content-length: abc'])],
    ['a negative content-length', rawRequest(ok, ['content-length: -1'])],
    ['two content-lengths', rawRequest(ok, ['content-length: 1', 'content-length: 2'])],
    [
      'content-length and transfer-encoding',
      rawRequest(ok, ['content-length: 1', 'transfer-encoding: chunked']),
    ],
  ])('gets 400 in the shape of the API and ends the connection: %s', async (_, bytes) => {
    const answer = await server.raw(bytes)
    expect(errorOf(answer)).toEqual(UNREADABLE)
    expect(answer.headers['connection']).toBe('close')
    expect(Number(answer.headers['content-length'])).toBe(Buffer.byteLength(answer.text))
  })

  it('does not include unsupported features of valid HTTP', async () => {
    for (const headers of [
      ['expect: something'],
      ['upgrade: websocket', 'connection: upgrade'],
      ['te: trailers'],
    ]) {
      expect((await server.raw(rawRequest(ok, headers))).status).toBe(200)
    }
    expect(errorOf(await server.raw(rawRequest('OPTIONS * HTTP/1.1')))).toEqual(UNKNOWN_PATH)
    expect((await server.raw('GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200)
  })

  it.each([
    ['nothing after connection: close', ['connection: close'], 'GET /api/quotes', [401]],
    ['its own response after a denied request', [], 'hello', [401, 400]],
    ['its own response after a running request', [`x-api-key: ${KEY}`], 'hello', [200, 400]],
    ['one response for headers and invalid chunks', ['transfer-encoding: chunked'], 'no size', [400]],
  ])('gets %s', async (_, headers, rest, statuses) => {
    const path = '/api/test-structured/1'
    const head = `GET ${path} HTTP/1.1\r\nhost: test\r\n`
    const { status, text } = await server.raw(
      `${head}${headers.map((line) => `${line}\r\n`).join('')}\r\n${rest}\r\n\r\n`,
    )
    const others = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => Number(code))
    expect([status, ...others]).toEqual(statuses)
  })

  it.each([
    [
      'a body longer than content-length',
      'POST /api/test-structured-post HTTP/1.1',
      ['content-length: 1000'],
    ],
    ['a body for an unknown path', 'POST /nowhere HTTP/1.1', ['content-length: 200000']],
    ['a body that is too large', 'POST /api/test-structured-post HTTP/1.1', ['content-length: 10000000']],
    ['text', 'nonsense', []],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1', ['transfer-encoding: chunked']],
  ])(
    'leaves no connection open if data is unread or the client does not close it: %s',
    async (_, line, headers) => {
      for (const key of [[], [`x-api-key: ${KEY}`]]) {
        const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
        socket.on('error', () => undefined)
        const answered = once(socket, 'data')
        socket.write(rawRequest(line, [...key, ...headers], 'x'.repeat(400_000)))
        expect(String(await answered)).toMatch(/^HTTP\/1\.1 \d{3} /)
        await vi.waitFor(async () => expect(await server.countConnections()).toBe(0), 5_000)
        socket.destroy()
      }
    },
  )

  it('includes requests after an upgrade request, which closes the connection', async () => {
    const upgrade = [ok, 'host: test', 'connection: upgrade', 'upgrade: h2c', '', ''].join('\r\n')
    const answer = await server.raw(upgrade + rawRequest(ok))
    expect([answer.status, answer.headers['connection']]).toEqual([200, 'close'])
  })

  it('gets one 400 after the response of a running request, without warnings', async () => {
    const warnings: Error[] = []
    const note = (warning: Error) => warnings.push(warning)
    process.on('warning', note)
    const socket = connect(server.port, '127.0.0.1')
    socket.setNoDelay(true)
    let received = ''
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
    socket.write(`GET /api/slow HTTP/1.1\r\nhost: test\r\nx-api-key: ${KEY}\r\n\r\n`)
    await expect.poll(() => finishSlow).toBeDefined()
    for (let i = 0; i < 12; i++) {
      await new Promise((resolve) => socket.write('\0garbage\r\n\r\n', resolve))
      await nextTurn()
    }
    finishSlow?.()
    // The server closes its side and waits for the client.
    await once(socket, 'end')
    process.off('warning', note)
    expect(received.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
    expect(received).toMatch(/\{"id":"slow"\}[^]*The request is not valid HTTP\."\}\}$/)
    expect(warnings).toEqual([])
  })

  it('does not stop the server', async () => {
    expect((await server.call('/healthz')).status).toBe(200)
  })

  it('gets 408 if the request arrives too slowly, and nothing if the client has disconnected', async () => {
    const lines: object[] = []
    const answerUnreadable = createClientErrors(
      () => SECURITY_HEADERS,
      (line) => lines.push(line),
    )
    const answered = new PassThrough()
    answerUnreadable({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, answered)
    expect(String(answered.read())).toMatch(
      /^HTTP\/1\.1 408 Request Timeout\r\n.*\r\n\r\n\{"error":\{.*\}\}$/s,
    )
    expect(lines).toMatchObject([{ status: 408, requestId: expect.stringMatching(/^req_/) }])
    const disconnected = new PassThrough()
    answerUnreadable({ code: 'ECONNRESET' }, disconnected)
    expect([disconnected.destroyed, disconnected.read()]).toEqual([true, null])
  })
})

describe('500 hides the failure, which the log contains', () => {
  it.each(SHAPES.flatMap((shape) => FAILURES.map(([name], i) => [name, shape, i] as const)))(
    '%s, %s',
    async (_, shape, i) => {
      const requestId = `failure-${shape}-${i}`
      const answer = await server.get(`/api/fail-${shape}-${i}`, KEY, { 'x-request-id': requestId })
      expect(errorOf(answer)).toEqual(inShape(shape, SERVER_ERROR))
      expect(answer.text).not.toMatch(/secret/i)
      expect(answer.headers['cache-control']).toBe('no-store')
      const lines = server.log.filter(
        (line) => line['requestId'] === requestId && line['msg'] === 'request failed',
      )
      expect(lines).toMatchObject([{ level: 50, company: 'co_1', code: 'server_error' }])
    },
  )
})
