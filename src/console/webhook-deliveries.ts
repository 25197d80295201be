/** Deliveries of webhook endpoints. */
import { z } from 'zod'
import { runAction } from '../actions/action.ts'
import { retryDelivery } from '../actions/retry-delivery.ts'
import { webhookBody } from '../changes/webhooks/message.ts'
import { ADMINS } from '../core/callers.ts'
import { changeId } from '../core/change-log/change-types.ts'
import type { ChangeType } from '../core/change-log/change-types.ts'
import { ApiError } from '../core/requests/errors.ts'
import { isoFromPostgres } from '../core/schedule/datetime.ts'
import { loadChanges } from '../records/change/list.ts'
import type { ChangeRow } from '../records/change/list.ts'
import { DELIVERY_STATUSES } from '../records/webhook-delivery/columns.ts'
import type { StoredAttempt } from '../records/webhook-delivery/columns.ts'
import { findDelivery, listDeliveries } from '../records/webhook-delivery/list.ts'
import type { DeliveryRow } from '../records/webhook-delivery/list.ts'
import { presentDelivery } from '../records/webhook-delivery/object.ts'
import { consoleRoute } from './route.ts'

export interface DeliveryShown {
  id: string
  changeId: string
  /** This and the next two are null if the change is no longer kept. */
  type: ChangeType | null
  subject: { object: string; id: string } | null
  changedAt: string | null
  status: DeliveryRow['status']
  nextAttemptAt: string | null
  attempts: StoredAttempt[]
}

export interface DeliveriesAnswer {
  /** Newest first. */
  deliveries: DeliveryShown[]
  hasMore: boolean
}

const PAGE = 25

const showDeliveries = consoleRoute({
  method: 'GET',
  path: '/console/webhook-deliveries',
  allowed: ADMINS,
  input: z.strictObject({
    endpoint: z.string(),
    status: z.enum(DELIVERY_STATUSES).optional(),
    after: z.string().optional(),
  }),
  answer: async ({ db, companyId, input }): Promise<DeliveriesAnswer> => {
    const filters = { endpointId: input.endpoint, changeId: undefined, status: input.status }
    const page = { limit: PAGE, startingAfter: input.after }
    const { rows, hasMore } = await listDeliveries(db, companyId, filters, page)
    const sequences = [...new Set(rows.map(({ changeSequence }) => changeSequence))]
    const changes = await loadChanges(db, companyId, sequences)
    const bySequence = new Map(changes.map((change) => [change.sequence, change]))
    return {
      deliveries: rows.map((row) => showDelivery(row, bySequence.get(row.changeSequence))),
      hasMore,
    }
  },
})

function showDelivery(row: DeliveryRow, change: ChangeRow | undefined): DeliveryShown {
  const { id, status: shown, nextAttemptAt } = presentDelivery(row)
  return {
    id,
    changeId: changeId(row.changeSequence),
    type: change?.type ?? null,
    subject: change === undefined ? null : { object: change.subjectObject, id: change.subjectId },
    changedAt: change === undefined ? null : isoFromPostgres(change.createdAt),
    status: shown,
    nextAttemptAt,
    attempts: row.attempts,
  }
}

export interface DeliveryAnswer {
  delivery: DeliveryShown
  /** The body of the request; null if the change is no longer kept. */
  requestBody: string | null
}

const showOneDelivery = consoleRoute({
  method: 'GET',
  path: '/console/webhook-deliveries/:id',
  allowed: ADMINS,
  answer: async ({ db, companyId, id }): Promise<DeliveryAnswer> => {
    const row = await findDelivery(db, companyId, id)
    if (row === null) throw new ApiError('not_found', { message: 'Webhook delivery not found' })
    const [change] = await loadChanges(db, companyId, [row.changeSequence])
    return {
      delivery: showDelivery(row, change),
      requestBody: change === undefined ? null : webhookBody(change),
    }
  },
})

const retry = consoleRoute({
  method: 'POST',
  path: '/console/webhook-deliveries/:id/retry',
  allowed: retryDelivery.allowed,
  answer: async ({ action, id }) => {
    await runAction(action, retryDelivery, { id })
    return null
  },
})

export const webhookDeliveryRoutes = [showDeliveries, showOneDelivery, retry]
