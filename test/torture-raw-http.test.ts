/** Parsing of responses in torture runs. */
import { PassThrough } from 'node:stream'
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { headerOf, parseResponse, readResponses } from '../torture/raw-http.ts'
import type { Response } from '../torture/raw-http.ts'

const PLAIN = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Request-Id: one \r\n\r\nhello'
const CHUNKED = 'HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n'
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'
const EMPTY = 'HTTP/1.1 204 No Content\r\n\r\n'

/** Feeds the bytes to the reader in pieces. */
async function read(text: string, pieceBytes: number): Promise<Response[]> {
  const responses: Response[] = []
  const stream = new PassThrough()
  readResponses(stream as unknown as Socket, (response) => responses.push(response))
  const bytes = Buffer.from(text, 'latin1')
  for (let at = 0; at < bytes.length; at += pieceBytes) stream.write(bytes.subarray(at, at + pieceBytes))
  stream.end()
  await new Promise((resolve) => stream.once('end', resolve))
  return responses
}

describe('responses on one connection', () => {
  it.each([1, 7, 64, 10_000])('are separated if they arrive in pieces of %i bytes', async (pieceBytes) => {
    const responses = await read(PLAIN + CONTINUE + CHUNKED + EMPTY + PLAIN, pieceBytes)
    expect(responses.map(({ status, body }) => [status, body.toString()])).toEqual([
      [200, 'hello'],
      [201, 'abcde'],
      [204, ''],
      [200, 'hello'],
    ])
    expect(responses.map((response) => headerOf(response, 'x-request-id'))).toEqual([
      'one',
      undefined,
      undefined,
      'one',
    ])
  })

  it('are ignored if they are incomplete', async () => {
    expect(await read(PLAIN.slice(0, -1), 10)).toEqual([])
    expect(await read(CHUNKED.slice(0, -1), 10)).toEqual([])
  })

  it('are rejected if they are not HTTP', () => {
    expect(() => parseResponse(Buffer.from('<html>\r\n\r\n'))).toThrow('not an HTTP response')
  })
})
