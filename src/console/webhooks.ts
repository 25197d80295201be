/** Webhook endpoints and their deliveries. */
import { z } from 'zod'
import { runAction } from '../actions/action.ts'
import { retryDelivery } from '../actions/retry-delivery.ts'
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  replayChanges,
  rotateWebhookSecret,
  updateWebhookEndpoint,
} from '../actions/webhook-endpoints.ts'
import { webhookBody } from '../changes/webhooks/message.ts'
import { changeId } from '../core/change-log/change-types.ts'
import type { ChangeType } from '../core/change-log/change-types.ts'
import { isStorableText } from '../core/ids.ts'
import { ApiError } from '../core/requests/errors.ts'
import { showSecret } from '../core/security/webhook-secret.ts'
import { ENDPOINT_TYPES_MAX, isTypePattern } from '../core/webhooks/endpoint-types.ts'
import { describeUrlProblem } from '../core/webhooks/endpoint-url.ts'
import { loadChanges } from '../records/change/list.ts'
import type { ChangeRow } from '../records/change/list.ts'
import { DELIVERY_STATUSES, findDelivery, listDeliveries } from '../records/webhook-delivery/list.ts'
import type { DeliveryRow, StoredAttempt } from '../records/webhook-delivery/list.ts'
import { presentDelivery } from '../records/webhook-delivery/object.ts'
import { presentEndpoint } from '../records/webhook-endpoint/object.ts'
import { ENDPOINT_STATUSES, listEndpoints } from '../records/webhook-endpoint/queries.ts'
import { consoleRoute } from './route.ts'
import type { ConsoleCall } from './route.ts'

export type WebhookEndpointShown = ReturnType<typeof presentEndpoint>

export interface WebhooksAnswer {
  /** Newest first. */
  endpoints: WebhookEndpointShown[]
}

const showWebhooks = consoleRoute({
  method: 'GET',
  path: '/console/webhooks',
  role: 'ADMIN',
  input: z.strictObject({}),
  answer: async ({ db, companyId }): Promise<WebhooksAnswer> => ({
    endpoints: (await listEndpoints(db, companyId)).map(presentEndpoint),
  }),
})

const url = z
  .string()
  .trim()
  .superRefine((text, context) => {
    const problem = describeUrlProblem(text)
    if (problem !== null) context.addIssue({ code: 'custom', message: `The URL ${problem}.` })
  })
const types = z
  .array(z.string().refine(isTypePattern, 'Choose types from the list.'))
  .min(1, 'Choose at least one type.')
  .max(ENDPOINT_TYPES_MAX, `Choose at most ${ENDPOINT_TYPES_MAX} types, or a whole group.`)
const description = z
  .string()
  .max(500, 'Use at most 500 characters.')
  .refine(isStorableText, 'The description contains an invalid character.')
  .nullable()
const status = z.enum(ENDPOINT_STATUSES)

/** The secret is only in the answers of create and rotate. */
export interface WebhookSecretAnswer {
  endpoint: WebhookEndpointShown
  secret: string
}

function reveal(
  { companyId, webhooks }: Pick<ConsoleCall<unknown>, 'companyId' | 'webhooks'>,
  { endpoint, sealedSecret }: { endpoint: WebhookEndpointShown; sealedSecret: string },
): WebhookSecretAnswer {
  const secret = webhooks.secrets.open({ companyId, endpointId: endpoint.id }, sealedSecret)
  if (secret === null) throw new Error('a new webhook secret cannot be decrypted')
  return { endpoint, secret: showSecret(secret) }
}

async function refuseUrl(
  { webhooks }: Pick<ConsoleCall<unknown>, 'webhooks'>,
  sent: string | undefined,
): Promise<void> {
  if (sent === undefined || (await webhooks.isAllowedUrl(sent))) return
  const message = 'The URL must have a public address.'
  throw new ApiError('invalid_body', { message, details: { url: { _errors: [message] } } })
}

const createEndpoint = consoleRoute({
  method: 'POST',
  path: '/console/webhooks',
  role: 'ADMIN',
  input: z.strictObject({ url, types, description: description.optional() }),
  answer: async (call): Promise<WebhookSecretAnswer> => {
    await refuseUrl(call, call.input.url)
    const input = { ...call.input, secrets: call.webhooks.secrets }
    return reveal(call, await runAction(call.action, createWebhookEndpoint, input))
  },
})

const changeEndpoint = consoleRoute({
  method: 'PATCH',
  path: '/console/webhooks/:id',
  role: 'ADMIN',
  input: z.strictObject({
    url: url.optional(),
    types: types.optional(),
    description: description.optional(),
    status: status.optional(),
  }),
  answer: async (call): Promise<WebhookEndpointShown> => {
    await refuseUrl(call, call.input.url)
    return runAction(call.action, updateWebhookEndpoint, { ...call.input, id: call.id })
  },
})

const removeEndpoint = consoleRoute({
  method: 'DELETE',
  path: '/console/webhooks/:id',
  role: 'ADMIN',
  input: z.strictObject({}),
  answer: async ({ action, id }) => {
    await runAction(action, deleteWebhookEndpoint, { id })
    return null
  },
})

const rotateSecret = consoleRoute({
  method: 'POST',
  path: '/console/webhooks/:id/rotate',
  role: 'ADMIN',
  input: z.strictObject({ overlapHours: z.int().min(0).max(72) }),
  answer: async (call): Promise<WebhookSecretAnswer> => {
    const input = { ...call.input, id: call.id, secrets: call.webhooks.secrets }
    return reveal(call, await runAction(call.action, rotateWebhookSecret, input))
  },
})

const replay = consoleRoute({
  method: 'POST',
  path: '/console/webhooks/:id/replay',
  role: 'ADMIN',
  input: z.strictObject({ since: z.iso.datetime('Choose a time.') }),
  answer: async ({ action, id, input: { since } }) => {
    await runAction(action, replayChanges, { id, since: new Date(since).toISOString() })
    return null
  },
})

/** The outcome of one attempt, which is not stored. */
export type TestEventAnswer = StoredAttempt & { isDelivered: boolean }

const sendTest = consoleRoute({
  method: 'POST',
  path: '/console/webhooks/:id/test',
  role: 'ADMIN',
  // It waits for the receiver.
  isSlow: true,
  input: z.strictObject({}),
  answer: async ({ db, companyId, id, webhooks }): Promise<TestEventAnswer> => {
    const outcome = await webhooks.sendTest(db, { companyId, endpointId: id })
    if (outcome === null) throw new ApiError('not_found', { message: 'Webhook endpoint not found' })
    return outcome
  },
})

export interface DeliveryShown {
  id: string
  changeId: string
  /** Null if the change is no longer kept. */
  type: ChangeType | null
  subject: { object: string; id: string } | null
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
  role: 'ADMIN',
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
  role: 'ADMIN',
  input: z.strictObject({}),
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
  role: 'ADMIN',
  input: z.strictObject({}),
  answer: async ({ action, id }) => {
    await runAction(action, retryDelivery, { id })
    return null
  },
})

export const webhookRoutes = [
  showWebhooks,
  createEndpoint,
  changeEndpoint,
  removeEndpoint,
  rotateSecret,
  replay,
  sendTest,
  showDeliveries,
  showOneDelivery,
  retry,
]
