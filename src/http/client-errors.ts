/** Answers to what the HTTP parser could not read: there is no request yet, so the bytes are written by hand. */
import type { Duplex } from 'node:stream'
import { ApiError } from '../core/errors.ts'
import { errorBody } from './error-bodies.ts'
import { SECURITY_HEADERS } from './security-headers.ts'

const REASONS: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
}

export function answerUnreadable(error: { code: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, body } = describe(error)
  const headers = {
    ...SECURITY_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status} ${REASONS[status]}`, ...lines, '', body].join('\r\n'))
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
