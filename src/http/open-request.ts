/** Checks and headers for every request, before routing. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../core/requests/errors.ts'
import { HEADERS_MAX_BYTES, URL_MAX_BYTES } from './limits.ts'
import { SECURITY_HEADERS } from './security-headers.ts'

export function openRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  securityHeaders: Record<string, string> = SECURITY_HEADERS,
): void {
  reply.headers(securityHeaders)
  reply.header('x-request-id', request.id)
  if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
  // We do not switch protocols, but the parser expects it and stops reading after this request.
  if (request.headers.upgrade !== undefined) reply.header('connection', 'close')
  if (request.originalUrl.length > URL_MAX_BYTES) throw new ApiError('url_too_long')
  const { bytes, hosts } = measureHeaders(request.raw.rawHeaders)
  if (bytes > HEADERS_MAX_BYTES) throw new ApiError('headers_too_large')
  // A proxy might route by one of two hosts and we by the other.
  if (hosts > 1) throw invalid('There is more than one host header. Send one.')
  if (hosts === 0 && request.raw.httpVersion === '1.1') throw invalid('The host header is missing.')
}

function invalid(message: string): ApiError {
  return new ApiError('invalid_parameter', { message })
}

/** Names and values alternate in the list. `headers` has only the first host. */
function measureHeaders(rawHeaders: readonly string[]): { bytes: number; hosts: number } {
  let bytes = 0
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    bytes += name.length + (rawHeaders[i + 1] ?? '').length + 4
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return { bytes, hosts }
}
