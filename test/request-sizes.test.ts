import { describe, expect, it } from 'vitest'
import { BODY_TOO_LARGE, errorOf } from './support/errors.ts'
import { rawRequest } from './support/raw.ts'
import type { Answer } from './support/raw.ts'
import { KEY, createRequestServer, json } from './support/requests.ts'

const { server, documented, get } = await createRequestServer()

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

describe('R13: sizes', () => {
  it('accepts a body of 256 KiB', async () => {
    expect((await post('structured', jsonOf(256 * KIB))).status).toBe(200)
  })

  it('responds to a larger body with 413 in the shape of the endpoint', async () => {
    expect(errorOf(await post('structured', jsonOf(256 * KIB + 1)))).toEqual(BODY_TOO_LARGE)
    expect(errorOf(await post('error', jsonOf(256 * KIB + 1)))).toEqual({ status: 413, shape: 'error' })
    expect(errorOf(await post('message', jsonOf(256 * KIB + 1)))).toEqual({ status: 413, shape: 'message' })
  })

  it('rejects a large body without content-length, and a large content-length without a body', async () => {
    const chunked = await post('structured', jsonOf(300 * KIB), { 'transfer-encoding': 'chunked' })
    expect(errorOf(chunked)).toEqual(BODY_TOO_LARGE)
    const headers = [`x-api-key: ${KEY}`, 'content-type: application/json', 'content-length: 999999999']
    expect(errorOf(await server.raw(rawRequest('POST /api/test-structured-post HTTP/1.1', headers)))).toEqual(
      BODY_TOO_LARGE,
    )
  })

  it('accepts a URL of 16 KiB, and responds with 414 to one byte more', async () => {
    expect((await get(urlOf(16 * KIB))).status).toBe(200)
    const answer = await get(urlOf(16 * KIB + 1))
    expect(errorOf(answer)).toEqual({ status: 414, type: 'invalid_request_error', code: 'url_too_long' })
  })

  it.each([17_000, 60_000, 66_000, 100_000, 200_000])(
    'responds with 414 to a URL of %i bytes',
    async (bytes) => {
      const request = rawRequest(`GET ${urlOf(bytes)} HTTP/1.1`, [`x-api-key: ${KEY}`])
      expect((await server.raw(request)).status).toBe(414)
      // In small packets, as over a network.
      expect((await server.raw(request, { pieceBytes: 16_000 })).status).toBe(414)
    },
  )

  it('accepts headers of 16,000 bytes, and responds with 431 to 17,000', async () => {
    expect((await server.call('/api/resources', { headers: headersOf(16_000) })).status).toBe(200)
    const answer = await server.call('/api/resources', { headers: headersOf(17_000) })
    expect(errorOf(answer)).toEqual({ status: 431, type: 'invalid_request_error', code: 'headers_too_large' })
  })

  it.each([17_000, 60_000, 66_000, 100_000, 200_000])(
    'responds with 431 to headers of %i bytes',
    async (bytes) => {
      const request = rawRequest('GET /api/resources HTTP/1.1', [
        `x-api-key: ${KEY}`,
        `x-a: ${'a'.repeat(bytes)}`,
      ])
      expect((await server.raw(request)).status).toBe(431)
      expect((await server.raw(request, { pieceBytes: 16_000 })).status).toBe(431)
    },
  )

  it('responds with 431 to too many small headers, and reads all headers below the limit', async () => {
    expect((await sendSmallHeaders(2_500)).status).toBe(200)
    expect((await sendSmallHeaders(4_000)).status).toBe(431)
    expect((await sendSmallHeaders(12_000)).status).toBe(431)
    expect((await sendSmallHeaders(100_000)).status).toBe(431)
  })

  it('limits URL and headers separately', async () => {
    expect((await server.call(urlOf(16_000), { headers: headersOf(16_000) })).status).toBe(200)
    expect((await server.call(urlOf(17_000), { headers: headersOf(16_000) })).status).toBe(414)
    expect((await server.call(urlOf(16_000), { headers: headersOf(17_000) })).status).toBe(431)
  })
})

describe('requests that are not valid HTTP', () => {
  const line = 'GET /api/form-response/resp_1 HTTP/1.1'

  it.each([
    ['a control character in a header', rawRequest(line, ['x-note: a\x01b']), 400],
    ['a control character in the key', rawRequest(line, [`x-api-key: ${KEY}\x7f`]), 400],
    ['a header without a colon', rawRequest(line, ['nonsense']), 400],
    ['plain text', 'nonsense\r\n\r\n', 400],
    ['headers above the limit of the parser', rawRequest(line, [`x-a: ${'a'.repeat(300_000)}`]), 431],
    ['CONNECT', rawRequest('CONNECT example.com:443 HTTP/1.1'), 400],
  ])('%s leads to a structured error with a request id that is in the log', async (_, bytes, status) => {
    const answer = await server.raw(bytes)
    expect(answer).toMatchObject({ status, body: { error: { type: 'invalid_request_error' } } })
    const requestId = answer.headers['x-request-id']
    expect(requestId).toMatch(/^req_[0-9a-f-]{36}$/)
    expect(server.log.filter((entry) => entry['requestId'] === requestId)).toMatchObject([{ status }])
  })

  it('the message mentions a control character in a header', async () => {
    const answer = await server.raw(rawRequest(line, ['x-note: a\x01b']))
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(errorOf(answer)).toEqual({ status: 400, type: 'invalid_request_error', code: 'invalid_parameter' })
    expect(answer.text).toContain(
      'a header contains a character that is not allowed, such as a control character',
    )
  })

  it('the OpenAPI document describes the limits', async () => {
    const { body } = await documented.call('/api/openapi.json')
    expect((body as { info: { description: string } }).info.description).toMatch(
      /control character in a header.*400[^]*x-request-id/,
    )
  })
})
