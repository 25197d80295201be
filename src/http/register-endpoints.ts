/** Endpoints as routes: whose request it is comes first; then, when there is a place for it, the endpoint's answer. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import { ApiError } from '../core/errors.ts'
import { isoNow } from '../iso-now.ts'
import { Json, jsonBytes, toJson } from '../core/json.ts'
import type { QueryPairs } from '../core/query.ts'
import type { KeyHolder } from '../db/api-keys.ts'
import type { Replicas } from '../db/replica.ts'
import type { Presentation } from '../objects/presentation.ts'
import type { Admission } from './admission.ts'
import type { Endpoint } from './endpoint.ts'
import { idOf } from './entrance.ts'
import type { Entrance } from './entrance.ts'
import { createPieces } from './slow-readers.ts'

export interface EndpointParts {
  data: Pool
  /** Absent: everything is read from `data`. */
  replicas?: Replicas
  admission: Admission
  invoiceUrl: Presentation['invoiceUrl']
}

export const JSON_TYPE = 'application/json; charset=utf-8'

export function registerEndpoints(
  app: FastifyInstance,
  endpoints: readonly Endpoint[],
  entrance: Entrance,
  parts: EndpointParts,
): void {
  const { data, replicas, admission, invoiceUrl } = parts
  const onPrimary: Replicas['read'] = (work) => work(data)
  const inPieces = createPieces()
  for (const endpoint of endpoints) {
    // What writes is done once.
    const run = endpoint.method === 'GET' ? (replicas?.read ?? onPrimary) : onPrimary
    const answer = async (request: FastifyRequest, { companyId }: KeyHolder) => {
      // While it waited, its caller may have given up.
      if (request.socket.destroyed) throw new ApiError('server_error')
      const presentation = { now: isoNow(), invoiceUrl }
      const { body, headers } = await run((db) =>
        endpoint.answer({
          db,
          primary: data,
          companyId,
          id: idOf(request) ?? '',
          query: request.query as QueryPairs,
          headers: request.raw.headers,
          rawBody: request.body as Buffer | undefined,
          presentation,
        }),
      )
      return { bytes: jsonBytes(body instanceof Json ? body : toJson(body)), headers }
    }
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      config: { endpoint },
      onRequest: entrance(endpoint),
      handler: async (request, reply) => {
        const { holder } = request
        if (holder === null) throw new Error('an endpoint was reached without authentication')
        // Only now, when all of the request is here: a body comes as slowly as its sender likes.
        const { bytes, headers } = await admission.run(() => answer(request, holder))
        if (headers !== undefined) reply.headers(headers)
        return reply
          .code(endpoint.status)
          .header('content-length', bytes.length)
          .header('content-type', JSON_TYPE)
          .send(inPieces(bytes))
      },
    })
  }
}
