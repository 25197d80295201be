/** Facts about a request that the API adds to it: the endpoint, and the company of the key. */
import type { FastifyInstance } from 'fastify'
import type { KeyHolder } from '../records/api-key/queries.ts'
import type { Denial } from './authenticate.ts'
import type { Endpoint } from './endpoint.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null if the request is not for an endpoint, or was refused before routing. */
    endpoint: Endpoint | null
    holder: KeyHolder | null
    /** Why a known key was refused. */
    denial: Denial | null
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
  }
}

export function addRequestContext(app: FastifyInstance): void {
  app.decorateRequest('endpoint', null)
  app.decorateRequest('holder', null)
  app.decorateRequest('denial', null)
}
