/** Registers endpoints as routes: authentication first, then a slot, then the endpoint itself. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ChangeListener } from '../changes/listener.ts'
import type { DbPool } from '../db/statement.ts'
import { ApiError } from '../core/requests/errors.ts'
import { Json, jsonBytes, toJson } from '../codec/json.ts'
import type { QueryPairs } from '../core/requests/query.ts'
import type { KeyHolder } from '../records/api-key/queries.ts'
import type { Replicas } from '../db/replica.ts'
import type { Presentation } from '../codec/presentation.ts'
import type { Admission } from '../http/admission.ts'
import type { Call, Endpoint, WebhookParts } from './endpoint.ts'
import { idOf } from './entrance.ts'
import type { Entrance } from './entrance.ts'
import type { Outbox } from '../records/mail/queue.ts'
import { waitToParse } from '../http/json-body.ts'
import type { LargePages } from '../http/large-pages.ts'
import { sendInPieces } from '../http/slow-readers.ts'
import type { Pieces } from '../http/slow-readers.ts'

export interface EndpointParts {
  data: DbPool
  /** If absent, everything is read from `data`. */
  replicas?: Replicas
  admission: Admission
  /** For work that takes a lot of memory. */
  largePages: LargePages
  inPieces: Pieces
  invoiceUrl: Presentation['invoiceUrl']
  quoteUrl: Presentation['quoteUrl']
  changes: ChangeListener
  webhooks: WebhookParts
  outbox: Outbox | undefined
}

/** Requests of one company in one process that wait for a change. */
const WATCHES_MAX = 100

export const JSON_TYPE = 'application/json; charset=utf-8'

interface Slot {
  release: () => void
  retake: () => Promise<void>
}

export function registerEndpoints(
  app: FastifyInstance,
  endpoints: readonly Endpoint[],
  entrance: Entrance,
  parts: EndpointParts,
): void {
  const { data, replicas, admission, largePages, invoiceUrl, quoteUrl, changes, webhooks, outbox } = parts
  const onPrimary: Replicas['read'] = (work) => work(data)
  for (const endpoint of endpoints) {
    // Writes go to the primary and are never retried.
    const isOnReplica = endpoint.method === 'GET' && endpoint.readsPrimary !== true
    const run = isOnReplica ? (replicas?.read ?? onPrimary) : onPrimary
    const answer = async (request: FastifyRequest, reply: FastifyReply, holder: KeyHolder, slot: Slot) => {
      const { companyId } = holder
      const refuseIfGone = () => {
        if (request.socket.destroyed) throw new ApiError('server_error')
      }
      // The client may have disconnected while its request was queued.
      refuseIfGone()
      const presentation = { now: new Date().toISOString(), invoiceUrl, quoteUrl }
      const { body, headers } = await run((db) =>
        endpoint.answer({
          db,
          primary: data,
          companyId,
          key: holder,
          id: idOf(request) ?? '',
          method: endpoint.method,
          path: request.url.replace(/\?.*$/s, ''),
          query: request.query as QueryPairs,
          headers: request.raw.headers,
          rawBody: request.body as Buffer | undefined,
          presentation,
          watchChanges: () => watchChanges(changes, companyId, reply, slot),
          webhooks,
          outbox,
          runLarge: (work) => {
            slot.release()
            return largePages.run(companyId, () => {
              refuseIfGone()
              return work()
            })
          },
        }),
      )
      return { bytes: jsonBytes(body instanceof Json ? body : toJson(body)), headers }
    }
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      config: { endpoint },
      onRequest: entrance(endpoint),
      onSend: sendInPieces(parts.inPieces),
      handler: async (request, reply) => {
        const { holder } = request
        if (holder === null) throw new Error('an endpoint was reached without authentication')
        if (request.body !== undefined) await waitToParse(request.body as Buffer)
        // Takes a slot only after the whole body has arrived: clients can send it slowly.
        const { bytes, headers } = await admission.run((release, retake) =>
          answer(request, reply, holder, { release, retake }),
        )
        if (headers !== undefined) reply.headers(headers)
        return reply
          .code(endpoint.status)
          .header('content-length', bytes.length)
          .header('content-type', JSON_TYPE)
          .send(bytes)
      },
    })
  }
}

function watchChanges(
  changes: ChangeListener,
  companyId: string,
  { raw }: FastifyReply,
  { release, retake }: Slot,
): ReturnType<Call['watchChanges']> {
  if (changes.countWatches(companyId) >= WATCHES_MAX) throw tooManyWatches()
  const watch = changes.watch(companyId)
  // Sent, or the client has disconnected.
  raw.once('close', watch.close)
  return async (ms) => {
    release()
    const isChanged = await watch.next(ms)
    if (!raw.destroyed) await retake()
    return isChanged
  }
}

function tooManyWatches(): ApiError {
  const message = `${WATCHES_MAX} requests already wait for a change. Let each client wait with one request at a time.`
  return new ApiError('rate_limit_exceeded', { message, headers: { 'retry-after': '5' } })
}
