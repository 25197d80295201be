/** What holds for every request, before anything else is known of it. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../core/errors.ts'
import { HEADERS_MAX_BYTES, URL_MAX_BYTES } from './limits.ts'
import { SECURITY_HEADERS } from './security-headers.ts'

export function openRequest(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(SECURITY_HEADERS)
  reply.header('x-request-id', request.id)
  if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
  // We change to no other protocol; but the parser expects one, and reads no request behind this one.
  if (request.headers.upgrade !== undefined) reply.header('connection', 'close')
  if (request.originalUrl.length > URL_MAX_BYTES) throw new ApiError('url_too_long')
  if (headerBytes(request) > HEADERS_MAX_BYTES) throw new ApiError('headers_too_large')
  if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
    throw new ApiError('invalid_parameter', { message: 'The host header is missing.' })
  }
}

function headerBytes(request: FastifyRequest): number {
  let bytes = 0
  for (const part of request.raw.rawHeaders) bytes += part.length + 2
  return bytes
}
