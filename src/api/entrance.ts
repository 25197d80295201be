/**
 * Admits requests to an endpoint: authentication, rate limit, and rejection under overload.
 */
import type { FastifyError, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Read } from '../db/replica.ts'
import type { KeyHolder } from '../records/api-key/queries.ts'
import type { Admission } from '../http/admission.ts'
import { createAuthenticate } from './authenticate.ts'
import type { Endpoint } from './endpoint.ts'
import { createRateLimit } from './rate-limit.ts'

export interface EntranceParts {
  readKeys: Read
  trustedProxies: readonly string[]
  rateLimitPerMinute: number | undefined
}

/** Sets the endpoint and the key holder of the request, or rejects it. */
export type Entrance = (endpoint: Endpoint) => onRequestHookHandler

/** Synchronous for a cached key: a promise would cost every request. */
export function createEntrance(parts: EntranceParts, admission: Admission): Entrance {
  const authenticate = createAuthenticate(parts.readKeys, parts.trustedProxies)
  const countRequest = createRateLimit(parts.rateLimitPerMinute)
  const enter = (request: FastifyRequest, endpoint: Endpoint, holder: KeyHolder): void => {
    request.holder = holder
    countRequest(holder)
    // Only for GET: by the time a body has arrived, there may be room.
    if (endpoint.method === 'GET') admission.refuseIfFull()
    // Fastify would refuse a malformed content type before it checks the size, so it does not get to see it.
    if ('content-type' in request.headers) request.headers = { 'content-type': 'application/octet-stream' }
  }
  const enterLater = async (
    request: FastifyRequest,
    endpoint: Endpoint,
    holder: Promise<KeyHolder>,
    done: (error?: FastifyError) => void,
  ): Promise<void> => {
    try {
      enter(request, endpoint, await holder)
    } catch (error) {
      done(error as FastifyError)
      return
    }
    done()
  }
  return (endpoint) => (request, reply, done) => {
    // The router matches a trailing slash as an empty id. In the API it is an unknown path.
    if (idOf(request) === '') {
      reply.callNotFound()
      return
    }
    request.endpoint = endpoint
    const holder = authenticate(request, endpoint.operation)
    if (holder instanceof Promise) {
      void enterLater(request, endpoint, holder, done)
    } else {
      enter(request, endpoint, holder)
      done()
    }
  }
}

/** The id in the path; undefined if the path has none. */
export function idOf({ params }: FastifyRequest): string | undefined {
  for (const name in params as Record<string, string>) return (params as Record<string, string>)[name]
  return undefined
}
