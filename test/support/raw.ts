/** A client that sends any bytes, even invalid HTTP. */
import { connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  /** The parsed JSON body. Undefined if it is not JSON */
  body: unknown
}

export interface RawOptions {
  /** Sends the bytes in separate pieces of this size. */
  pieceBytes?: number
}

/** Sends one request, and reads until the connection ends. The request must have `connection: close`. */
export function sendRaw(port: number, bytes: string | Buffer, options: RawOptions = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.setNoDelay(true)
    socket.setTimeout(10_000, () => socket.destroy(new Error('no response within 10 seconds')))
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', (error) => {
      // The server can respond and close the connection before it has received everything. That response is valid.
      if (chunks.length > 0) resolve(parseAnswer(Buffer.concat(chunks)))
      else reject(error)
    })
    socket.on('close', () => resolve(parseAnswer(Buffer.concat(chunks))))
    const all = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes
    void writePieces(all, options.pieceBytes ?? all.length, (piece) => socket.write(piece))
  })
}

async function writePieces(
  bytes: Buffer,
  pieceBytes: number,
  write: (piece: Buffer) => unknown,
): Promise<void> {
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    write(bytes.subarray(start, start + pieceBytes))
    await nextTurn()
  }
}

/** A complete request with the required headers. */
export function rawRequest(line: string, headers: readonly string[] = [], body = ''): string {
  return [line, 'host: test', 'connection: close', ...headers, '', body].join('\r\n')
}

function parseAnswer(bytes: Buffer): Answer {
  const all = bytes.toString('utf8').replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '')
  const headEnd = all.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = all.slice(0, headEnd).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const text = all.slice(headEnd + 4)
  return answerOf(Number(statusLine.split(' ')[1]), headers, text)
}

/** Parses the body on first access, because some tests get thousands of responses and read few bodies. */
export function answerOf(status: number, headers: Answer['headers'], text: string): Answer {
  let parsed: { body: unknown } | undefined
  return {
    status,
    headers,
    text,
    get body() {
      parsed ??= { body: parseJson(text) }
      return parsed.body
    },
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
