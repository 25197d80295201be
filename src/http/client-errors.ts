/** Answers to what the HTTP parser could not read: there is no request yet, so the bytes are written by hand. */
import type { Duplex } from 'node:stream'
import { ApiError } from '../core/errors.ts'
import { errorBody } from './error-bodies.ts'
import { lastAnswerOn } from './last-answers.ts'
import { SECURITY_HEADERS } from './security-headers.ts'

const REASONS: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
}

/** How long a caller has to read what it was told. */
const LINGER_MS = 1_000

/** Connections that end as soon as the answer under way on them is complete. */
const ending = new WeakSet<Duplex>()

export function answerUnreadable(error: { code: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  // It has had its answer, or is about to: the parser stumbles over each piece of what still arrives.
  if (!socket.writable || ending.has(socket)) return
  const last = lastAnswerOn(socket)
  const isAfter = last?.req.complete === true
  if (last === undefined || (!isAfter && !last.headersSent)) return writeAnswer(error, socket)
  // What follows a request is no part of it: that one has its own answer, and the last word where it asked for the end.
  const goOn = () => (isAfter && last.shouldKeepAlive ? writeAnswer(error, socket) : endConnection(socket))
  ending.add(socket)
  if (last.writableFinished) goOn()
  else last.once('finish', goOn)
}

function writeAnswer(error: { code: string }, socket: Duplex): void {
  const { status, body } = describe(error)
  const headers = {
    ...SECURITY_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  endConnection(socket, [`HTTP/1.1 ${status} ${REASONS[status]}`, ...lines, '', body].join('\r\n'))
}

/**
 * Reads on for a moment: a connection that is cut with bytes unread takes the answer along. Then it is cut, since a
 * caller who never ends would keep it, and the stop of this process waiting, for ever.
 */
function endConnection(socket: Duplex, lastWords = ''): void {
  socket.end(lastWords)
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}

function describe(error: { code: string }): { status: number; body: string } {
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    const tooLarge = new ApiError('headers_too_large')
    return { status: tooLarge.status, body: errorBody('structured', tooLarge) }
  }
  const timedOut = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const message = timedOut ? 'The request took too long to arrive.' : 'The request is not valid HTTP.'
  const unreadable = new ApiError('invalid_parameter', { message })
  return { status: timedOut ? 408 : 400, body: errorBody('structured', unreadable) }
}
