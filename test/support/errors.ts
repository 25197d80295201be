/** What every error answer has in common, checked whole: the exact members, and nothing that tells of the inside. */
import type { ErrorShape } from '../../src/http/error-bodies.ts'
import type { Answer } from './raw.ts'

interface Expected {
  status: number
  type: string
  code: string
  param?: string
}

/** SQL, stacks, files, drivers, connection errors, keys. */
const INSIDE =
  /\b(select|insert|update|from|where)\b.*\b(api_keys|companies|resources|staff)\b|\bat .*:\d+|node_modules|\.[jt]s\b|\bpg\b|postgres|ECONN|EPIPE|ETIMEDOUT|FST_|HPE_|\bstack\b|key-of-|eqs_/i

/**
 * The error an answer is: `expect(errorOf(answer)).toEqual(DENIED)`. One that has a member too many or too few, another
 * content type, no message, or a message that tells of the inside is shown as it came, and so equals nothing.
 */
export function errorOf(answer: Answer): object {
  const { status, headers, body, text } = answer
  const { message, facts } = readBody(body)
  const shape = errorShapeOf(answer)
  if (shape === null || INSIDE.test(String(message))) return { status, headers, text }
  return shape === 'structured' ? { status, ...facts } : { status, shape, ...facts }
}

/** The shape of an error answer, or null when it has none: whatever its message says, which may repeat what was sent. */
export function errorShapeOf({ headers, body }: Answer): ErrorShape | null {
  const { shape, message } = readBody(body)
  const isMessage = typeof message === 'string' && message.length > 10
  return isMessage && headers['content-type'] === 'application/json; charset=utf-8' ? shape : null
}

/** An error of an endpoint with that shape: what the older ones leave out is left out. */
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
  // The faults of the fields of a body, besides the message.
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
  return 'text' in errorOf(answer) ? `another shape, ${status}: ${text}` : null
}
