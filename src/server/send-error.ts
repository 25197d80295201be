/** Errors of requests as responses. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { JSON_TYPE } from '../api/register-endpoints.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { ApiError } from '../core/requests/errors.ts'
import { isWorkerLost } from '../db/workers.ts'
import { errorBody } from '../http/error-bodies.ts'
import { BODY_MAX_BYTES } from '../http/limits.ts'

const KIB = 1024
const MIB = 1024 * KIB

const COMPANY_UNAVAILABLE = 'The data of this company is temporarily unavailable. Retry in a few seconds.'

/** Each route has its own body limit. */
function bodyTooLarge(maxBytes: number, cause: FastifyError): ApiError {
  const most = maxBytes % MIB === 0 ? `${maxBytes / MIB} MiB` : `${maxBytes / KIB} KiB`
  return new ApiError('body_too_large', {
    message: `The request body is too large. Send at most ${most}.`,
    cause,
  })
}

export function toApiError(error: FastifyError, request: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return bodyTooLarge(request.routeOptions.bodyLimit ?? BODY_MAX_BYTES, error)
  }
  if (error.statusCode !== undefined && error.statusCode < 500) {
    return new ApiError('invalid_parameter', { message: 'The request cannot be read.', cause: error })
  }
  if (isWorkerLost(error)) {
    const options = { message: COMPANY_UNAVAILABLE, cause: error, headers: { 'retry-after': '1' } }
    return new ApiError('auth_service_unavailable', options)
  }
  return new ApiError('server_error', { cause: error })
}

export function sendError(
  error: ApiError,
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: Endpoint | undefined,
): FastifyReply {
  request.failure = error
  // A refusal has no cause to log. The request's own line is enough, and under overload every line costs throughput.
  if (error.status >= 500 && error.cause !== undefined) {
    request.log.error(
      { err: error.cause, code: error.code, company: request.holder?.companyId },
      'request failed',
    )
  }
  return reply
    .code(error.status)
    .headers(error.headers)
    .type(JSON_TYPE)
    .send(errorBody(endpoint?.errorShape ?? 'structured', error))
}
