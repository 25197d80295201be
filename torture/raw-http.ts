/** Reads responses from a connection, delimited as in RFC 9112. */
import type { Socket } from 'node:net'

export interface Response {
  status: number
  /** The unparsed header lines, because parsing would slow down the load generator. */
  head: string
  body: Buffer
}

/** The value of the first header of that name. */
export function headerOf({ head }: Pick<Response, 'head'>, name: string): string | undefined {
  return new RegExp(`^${name}:[ \\t]*(.*?)[ \\t\\r]*$`, 'im').exec(head)?.[1]
}

const CONTENT_LENGTH = /^content-length: *(\d+)/im
const CHUNKED = /^transfer-encoding: *chunked/im

/** Calls back for each complete response. Interim ones (1xx) are skipped. */
export function readResponses(socket: Socket, onResponse: (response: Response) => void): void {
  let chunks: Buffer[] = []
  let length = 0
  let needed = 1
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    length += chunk.length
    // A large body is concatenated once, when it is complete.
    while (length >= needed) {
      const bytes = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
      const parsed = parseResponse(bytes)
      const rest = 'needed' in parsed ? bytes : bytes.subarray(parsed.bytes)
      chunks = rest.length === 0 ? [] : [rest]
      length = rest.length
      needed = 'needed' in parsed ? parsed.needed : 1
      if ('response' in parsed && parsed.response.status >= 200) onResponse(parsed.response)
    }
  })
}

/** The first response, or the number of bytes needed to try again. */
export function parseResponse(bytes: Buffer): { response: Response; bytes: number } | { needed: number } {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd === -1) return { needed: bytes.length + 1 }
  const head = bytes.toString('latin1', 0, headEnd)
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? Number.NaN)
  if (Number.isNaN(status)) throw new Error(`not an HTTP response: ${head.slice(0, 80)}`)
  const start = headEnd + 4
  if (CHUNKED.test(head)) return parseChunked(bytes, start, { status, head })
  const end = start + Number(CONTENT_LENGTH.exec(head)?.[1] ?? 0)
  if (bytes.length < end) return { needed: end }
  return { response: { status, head, body: bytes.subarray(start, end) }, bytes: end }
}

function parseChunked(
  bytes: Buffer,
  start: number,
  first: Omit<Response, 'body'>,
): { response: Response; bytes: number } | { needed: number } {
  const chunks: Buffer[] = []
  let at = start
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd === -1) return { needed: bytes.length + 1 }
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    const next = lineEnd + 2 + size + 2
    if (bytes.length < next) return { needed: next }
    if (size === 0) {
      return { response: { ...first, body: Buffer.concat(chunks) }, bytes: next }
    }
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = next
  }
}
