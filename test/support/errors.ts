/** Checks of error responses: exact members, and no internals in the message. */
import type { ErrorShape } from '../../src/http/error-bodies.ts'
import type { Answer } from './raw.ts'

interface Expected {
  status: number
  type: string
  code: string
  param?: string
}

/** Internals: SQL, stack traces, files, drivers, connection errors and keys */
const INTERNALS =
  /\b(select|insert|update|from|where)\b.*\b(api_keys|companies|resources|staff)\b|\bat .*:\d+|node_modules|\.[jt]s\b|\bpg\b|postgres|ECONN|EPIPE|ETIMEDOUT|FST_|HPE_|\bstack\b|key-of-|eqs_/i

/**
 * The error of a response: `expect(errorOf(answer)).toEqual(DENIED)`. If its members, content type or message are wrong, or the
 * message contains internals, returns the whole response, which equals no expected error.
 */
export function errorOf(answer: Answer): object {
  const { status, headers, body, text } = answer
  const { message, facts } = readBody(body)
  const shape = errorShapeOf(answer)
  if (shape === null || INTERNALS.test(String(message))) return { status, headers, text }
  return shape === 'structured' ? { status, ...facts } : { status, shape, ...facts }
}

/** The shape of an error response, or null if it has none. Ignores the text of the message, which can repeat input. */
export function errorShapeOf({ headers, body }: Answer): ErrorShape | null {
  const { shape, message } = readBody(body)
  const isMessage = typeof message === 'string' && message.length > 10
  return isMessage && headers['content-type'] === 'application/json; charset=utf-8' ? shape : null
}

/** The expected error of an endpoint with this shape. Older shapes have no type, code or parameter. */
export function inShape(shape: ErrorShape, expected: Expected): object {
  return shape === 'structured' ? expected : { status: expected.status, shape }
}

interface Read {
  shape: ErrorShape | null
  message?: unknown
  facts?: object
}

function readBody(body: unknown): Read {
  if (typeof body !== 'object' || body === null) return { shape: null }
  const { error, message, details, ...rest } = body as Record<string, unknown>
  if (Object.keys(rest).length > 0) return { shape: null }
  // The errors of the body's fields, in addition to the message.
  if (details !== undefined) return { shape: 'error', message: error, facts: { details } }
  if (error === undefined) return { shape: 'message', message }
  if (message !== undefined) return { shape: null }
  if (typeof error === 'string') return { shape: 'error', message: error }
  const { message: text, ...facts } = error as Record<string, unknown>
  const members = Object.keys(error as object).join(' ')
  if (!/^type code message( param)?$/.test(members)) return { shape: null }
  return { shape: 'structured', message: text, facts }
}

export const invalidParameter = (param: string): Expected => ({
  status: 400,
  type: 'invalid_request_error',
  code: 'invalid_parameter',
  param,
})

export const DENIED: Expected = {
  status: 401,
  type: 'authentication_error',
  code: 'missing_or_invalid_api_key',
}

export const UNKNOWN_ID: Expected = {
  status: 404,
  type: 'invalid_request_error',
  code: 'not_found',
  param: 'id',
}

export const UNKNOWN_PATH: Expected = { status: 404, type: 'invalid_request_error', code: 'not_found' }

export const WRONG_METHOD: Expected = {
  status: 405,
  type: 'invalid_request_error',
  code: 'method_not_allowed',
}

export const UNREADABLE: Expected = { status: 400, type: 'invalid_request_error', code: 'invalid_parameter' }

export const SERVER_ERROR: Expected = { status: 500, type: 'api_error', code: 'server_error' }

export const AUTH_UNAVAILABLE: Expected = { status: 503, type: 'api_error', code: 'auth_service_unavailable' }

export const TOO_MANY: Expected = { status: 429, type: 'rate_limit_error', code: 'rate_limit_exceeded' }

export const BODY_TOO_LARGE: Expected = {
  status: 413,
  type: 'invalid_request_error',
  code: 'body_too_large',
}

/** Describes a server error, or an error in another shape, in response to a hostile request. Null if there is neither. */
export function hostileProblemOf(answer: Answer): string | null {
  const { status, text } = answer
  if (!(status >= 200 && status < 500)) return `status ${status}: ${text}`
  if (status < 400) return null
  return 'text' in errorOf(answer) ? `unknown error shape, ${status}: ${text}` : null
}
