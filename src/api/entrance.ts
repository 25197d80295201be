/**
 * Who may come in to an endpoint: whoever has a good key for it, calls from an allowed address, not too often, and not
 * while there is more to do than can be done.
 */
import type { FastifyError, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Pool } from 'pg'
import type { KeyHolder } from '../records/api-key/queries.ts'
import type { Admission } from '../http/admission.ts'
import { createAuthenticate } from './authenticate.ts'
import type { Endpoint } from './endpoint.ts'
import { createRateLimit } from './rate-limit.ts'

export interface EntranceParts {
  keys: Pool
  trustedProxies: readonly string[]
  rateLimitPerMinute: number | undefined
}

/** Notes on the request for which endpoint it is and whose, or refuses it. */
export type Entrance = (endpoint: Endpoint) => onRequestHookHandler

/** Without a promise where the key is known already: every request would pay for one. */
export function createEntrance(parts: EntranceParts, admission: Admission): Entrance {
  const authenticate = createAuthenticate(parts.keys, parts.trustedProxies)
  const countRequest = createRateLimit(parts.rateLimitPerMinute)
  const enter = (request: FastifyRequest, endpoint: Endpoint, holder: KeyHolder): void => {
    request.holder = holder
    countRequest(holder)
    // By the time the body of another is there, there may be room.
    if (endpoint.method === 'GET') admission.refuseIfFull()
    // The framework would refuse a malformed type before it looks at the size: it gets to see none that matters.
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
    // The router takes a trailing slash for an empty id; in the API it is another, unknown path.
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

/** The id in the path, whatever it is the id of; undefined where there is none. */
export function idOf({ params }: FastifyRequest): string | undefined {
  for (const name in params as Record<string, string>) return (params as Record<string, string>)[name]
  return undefined
}
