/** Responses to bytes that the HTTP parser rejects. There is no request object yet, so they are written to the socket. */
import type { Duplex } from 'node:stream'
import { ApiError } from '../core/requests/errors.ts'
import { errorBody } from './error-bodies.ts'
import { lastAnswerOn } from './last-answers.ts'
import { newRequestId } from './request-id.ts'

const REASONS: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
}

/** How long the client has to read the response. */
const LINGER_MS = 1_000

/** Connections that end as soon as the current response is complete. */
const ending = new WeakSet<Duplex>()

interface ClientErrorLine {
  requestId: string
  status: number
  /** The parser's error code. */
  code: string
}

interface ClientError {
  code: string
}

/** A handler for the server's `clientError` events. `log` gets a line for each response. */
export function createClientErrors(
  securityHeaders: () => Record<string, string>,
  log: (line: ClientErrorLine) => void,
): (error: ClientError, socket: Duplex) => void {
  const writeAnswer = (error: ClientError, socket: Duplex) => {
    // The client's own request id is unknown: the headers were not read completely.
    const requestId = newRequestId()
    const { status, body } = describe(error)
    log({ requestId, status, code: error.code })
    endConnection(socket, responseText(status, { ...securityHeaders(), 'x-request-id': requestId }, body))
  }
  return (error, socket) => {
    if (error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    // Already answered, or about to be. The parser reports an error for each further chunk.
    if (!socket.writable || ending.has(socket)) return
    const last = lastAnswerOn(socket)
    const isAfter = last?.req.complete === true
    if (last === undefined || (!isAfter && !last.headersSent)) return writeAnswer(error, socket)
    // Bytes after a complete request do not belong to it. It gets its own response first, and the last one if it asked
    // to close the connection.
    const goOn = () => (isAfter && last.shouldKeepAlive ? writeAnswer(error, socket) : endConnection(socket))
    ending.add(socket)
    if (last.writableFinished) goOn()
    else last.once('finish', goOn)
  }
}

function responseText(status: number, ownHeaders: Record<string, string>, body: string): string {
  const headers = {
    ...ownHeaders,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${REASONS[status]}`, ...lines, '', body].join('\r\n')
}

/**
 * Keeps reading for a moment: closing a connection with unread bytes discards the response. Then closes it, since a client
 * that never stops would keep the connection, and the shutdown of this process, waiting forever.
 */
function endConnection(socket: Duplex, lastWords = ''): void {
  socket.end(lastWords)
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}

const MESSAGES: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'The request took too long to arrive.',
  HPE_INVALID_HEADER_TOKEN:
    'The request is not valid HTTP: a header contains a character that is not allowed, such as a control character.',
}

/** Always the structured shape: which endpoint the request was for is unknown. */
function describe({ code }: ClientError): { status: number; body: string } {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const tooLarge = new ApiError('headers_too_large')
    return { status: tooLarge.status, body: errorBody('structured', tooLarge) }
  }
  const message = MESSAGES[code] ?? 'The request is not valid HTTP.'
  const unreadable = new ApiError('invalid_parameter', { message })
  return {
    status: code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400,
    body: errorBody('structured', unreadable),
  }
}
