/** Every error that the service can return. */

const API_ERRORS = {
  invalid_parameter: { status: 400, type: 'invalid_request_error' },
  invalid_body: { status: 400, type: 'invalid_request_error' },
  missing_or_invalid_api_key: { status: 401, type: 'authentication_error' },
  not_found: { status: 404, type: 'invalid_request_error' },
  method_not_allowed: { status: 405, type: 'invalid_request_error' },
  idempotency_key_reused: { status: 409, type: 'idempotency_error' },
  quote_booked: { status: 409, type: 'conflict_error' },
  quote_lost: { status: 409, type: 'conflict_error' },
  quote_empty: { status: 409, type: 'conflict_error' },
  quote_not_lost: { status: 409, type: 'conflict_error' },
  quote_without_days: { status: 409, type: 'conflict_error' },
  event_canceled: { status: 409, type: 'conflict_error' },
  schedule_conflict: { status: 409, type: 'conflict_error' },
  invoice_void: { status: 409, type: 'conflict_error' },
  invoice_draft: { status: 409, type: 'conflict_error' },
  payment_exceeds_due: { status: 409, type: 'conflict_error' },
  total_too_high: { status: 409, type: 'conflict_error' },
  too_many_endpoints: { status: 409, type: 'conflict_error' },
  endpoint_disabled: { status: 409, type: 'conflict_error' },
  cursor_expired: { status: 410, type: 'invalid_request_error' },
  body_too_large: { status: 413, type: 'invalid_request_error' },
  url_too_long: { status: 414, type: 'invalid_request_error' },
  rate_limit_exceeded: { status: 429, type: 'rate_limit_error' },
  headers_too_large: { status: 431, type: 'invalid_request_error' },
  server_error: { status: 500, type: 'api_error' },
  auth_service_unavailable: { status: 503, type: 'api_error' },
} as const

/** Errors of the console. Not part of the public API. */
const CONSOLE_ERRORS = {
  not_signed_in: { status: 401, type: 'authentication_error' },
  forbidden: { status: 403, type: 'permission_error' },
  conflict: { status: 409, type: 'invalid_request_error' },
  too_many_attempts: { status: 429, type: 'rate_limit_error' },
} as const

const ERRORS = { ...API_ERRORS, ...CONSOLE_ERRORS }

export type ErrorCode = keyof typeof ERRORS
/** Errors of the public API. */
export const ERROR_CODES = Object.keys(API_ERRORS) as readonly (keyof typeof API_ERRORS)[]

/** Fixed messages. The 401 is the same for every denial: the response must not reveal the reason. */
const DEFAULT_MESSAGES: Partial<Record<ErrorCode, string>> = {
  missing_or_invalid_api_key:
    'The API key is missing or invalid, or does not give access to this endpoint. Send a valid key in the x-api-key header.',
  invalid_body: 'The request body is invalid. See details for what to change.',
  idempotency_key_reused:
    'This idempotency-key was used with another body. Send the same body, or a new key for a new request.',
  cursor_expired: 'The change of starting_after is no longer kept. List everything again.',
  body_too_large: 'The request body is too large. Send at most 256 KiB.',
  url_too_long: 'The URL is too long. Send at most 16 KiB.',
  headers_too_large: 'The request headers are too large. Send at most 16 KiB.',
  rate_limit_exceeded:
    'Too many requests with this API key. Retry after the time given in the retry-after header.',
  server_error:
    'Something went wrong on our side. Retry later; if it persists, report the x-request-id of this response.',
  auth_service_unavailable: 'Authentication is temporarily unavailable. Retry in a second.',
  not_signed_in: 'You are not signed in. Sign in to continue.',
  forbidden: 'Only administrators can do this.',
}

interface ApiErrorOptions {
  message?: string
  /** The invalid parameter, as the client sent it. */
  param?: string
  /** The cause, for the log. Never part of the response. */
  cause?: unknown
  headers?: Record<string, string>
  details?: FieldErrors
}

/** Messages by field of an invalid body. */
export type FieldErrors = Record<string, { _errors: string[] }>

export class ApiError extends Error {
  readonly code: ErrorCode
  readonly param: string | undefined
  readonly headers: Record<string, string>
  readonly details: FieldErrors | undefined

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    super(options.message ?? DEFAULT_MESSAGES[code] ?? code, { cause: options.cause })
    this.code = code
    this.param = options.param
    this.headers = options.headers ?? {}
    this.details = options.details
  }

  get status(): number {
    return ERRORS[this.code].status
  }

  get type(): string {
    return ERRORS[this.code].type
  }
}

export function errorFacts(code: ErrorCode): { status: number; type: string; message: string | undefined } {
  return { ...ERRORS[code], message: DEFAULT_MESSAGES[code] }
}
