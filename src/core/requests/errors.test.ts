import { describe, expect, it } from 'vitest'
import { ApiError, ERROR_CODES, errorFacts, type ErrorCode } from './errors.ts'

const TABLE: [code: ErrorCode, status: number, type: string][] = [
  ['invalid_parameter', 400, 'invalid_request_error'],
  ['invalid_body', 400, 'invalid_request_error'],
  ['missing_or_invalid_api_key', 401, 'authentication_error'],
  ['not_found', 404, 'invalid_request_error'],
  ['method_not_allowed', 405, 'invalid_request_error'],
  ['idempotency_key_reused', 409, 'idempotency_error'],
  ['quote_booked', 409, 'conflict_error'],
  ['quote_lost', 409, 'conflict_error'],
  ['quote_empty', 409, 'conflict_error'],
  ['quote_not_lost', 409, 'conflict_error'],
  ['quote_without_days', 409, 'conflict_error'],
  ['event_canceled', 409, 'conflict_error'],
  ['schedule_conflict', 409, 'conflict_error'],
  ['invoice_void', 409, 'conflict_error'],
  ['invoice_draft', 409, 'conflict_error'],
  ['payment_exceeds_due', 409, 'conflict_error'],
  ['total_too_high', 409, 'conflict_error'],
  ['too_many_endpoints', 409, 'conflict_error'],
  ['endpoint_disabled', 409, 'conflict_error'],
  ['cursor_expired', 410, 'invalid_request_error'],
  ['body_too_large', 413, 'invalid_request_error'],
  ['url_too_long', 414, 'invalid_request_error'],
  ['rate_limit_exceeded', 429, 'rate_limit_error'],
  ['headers_too_large', 431, 'invalid_request_error'],
  ['server_error', 500, 'api_error'],
  ['auth_service_unavailable', 503, 'api_error'],
]

const TYPES = [
  'api_error',
  'invalid_request_error',
  'authentication_error',
  'permission_error',
  'rate_limit_error',
  'idempotency_error',
  'conflict_error',
]

describe('errors', () => {
  it.each(TABLE)('%s is %i %s', (code, status, type) => {
    const error = new ApiError(code)
    expect({ code: error.code, status: error.status, type: error.type }).toEqual({ code, status, type })
    expect(errorFacts(code)).toMatchObject({ status, type })
    expect(TYPES).toContain(type)
  })

  it('are exactly these', () => {
    expect(ERROR_CODES).toEqual(TABLE.map(([code]) => code))
  })

  it.each(ERROR_CODES)('%s has the same message in responses and documentation', (code) => {
    const { message } = errorFacts(code)
    expect(new ApiError(code).message).toBe(message ?? code)
  })

  it.each(ERROR_CODES)('%s has only its code and message by default', (code) => {
    const error = new ApiError(code)
    expect(error).toBeInstanceOf(Error)
    expect(error.param).toBeUndefined()
    expect(error.details).toBeUndefined()
    expect(error.cause).toBeUndefined()
    expect(error.headers).toEqual({})
  })

  it('have the given members', () => {
    const cause = new Error('connection refused')
    const details = { dueDate: { _errors: ['wrong'] } }
    const headers = { 'retry-after': '1' }
    const error = new ApiError('invalid_parameter', {
      message: 'limit must be an integer between 1 and 100',
      param: 'limit',
      cause,
      headers,
      details,
    })
    expect(error.message).toBe('limit must be an integer between 1 and 100')
    expect(error.param).toBe('limit')
    expect(error.cause).toBe(cause)
    expect(error.headers).toEqual(headers)
    expect(error.details).toEqual(details)
  })

  it('do not show their cause in the message', () => {
    const error = new ApiError('server_error', { cause: new Error('password authentication failed') })
    expect(error.message).toBe(new ApiError('server_error').message)
    expect(error.message).not.toContain('password')
  })

  it('of a denial do not show the reason', () => {
    expect(new ApiError('missing_or_invalid_api_key').message).toBe(
      'The API key is missing or invalid, or does not give access to this endpoint. Send a valid key in the x-api-key header.',
    )
  })

  it.each([
    ['invalid_body', 'details'],
    ['auth_service_unavailable', 'Retry in a second'],
    ['body_too_large', '256 KiB'],
    ['url_too_long', '16 KiB'],
    ['headers_too_large', '16 KiB'],
    ['rate_limit_exceeded', 'retry-after'],
    ['idempotency_key_reused', 'idempotency-key'],
    ['server_error', 'x-request-id'],
  ] satisfies [ErrorCode, string][])('%s has a message that mentions %s', (code, part) => {
    expect(new ApiError(code).message).toContain(part)
  })
})
