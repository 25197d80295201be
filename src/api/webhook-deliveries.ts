/** Webhook deliveries: list, get, retry. */
import { z } from 'zod'
import { retryDelivery } from '../actions/retry-delivery.ts'
import { toJson } from '../codec/json.ts'
import { DELIVERY_STATUSES } from '../records/webhook-delivery/columns.ts'
import { findDelivery, listDeliveries } from '../records/webhook-delivery/list.ts'
import type { DeliveryRow } from '../records/webhook-delivery/list.ts'
import { WebhookDelivery, presentDelivery } from '../records/webhook-delivery/object.ts'
import { idFilter } from './parameters.ts'
import { getEndpoint, listEndpoint } from './read-endpoints.ts'
import { withId, writeEndpoint } from './write.ts'

const URL = '/api/webhook-deliveries'
const NOUN = 'webhook delivery'
const TAG = 'Webhooks'

const READABLE = {
  object: 'webhookDelivery',
  representation: {
    schema: WebhookDelivery,
    present: async (_: unknown, rows: readonly DeliveryRow[]) =>
      rows.map((row) => toJson(presentDelivery(row))),
  },
  path: '/webhook-deliveries',
  tag: TAG,
  noun: NOUN,
  plural: 'webhook deliveries',
} as const

export const listWebhookDeliveries = listEndpoint({
  ...READABLE,
  operation: 'listWebhookDeliveries',
  description:
    'The deliveries of the last 30 days, newest first. All filters apply together. Keep them unchanged between pages.',
  lastId: 'whd_3',
  filters: {
    endpointId: idFilter('webhook endpoint', 'endpointId', 'whe_demo_1'),
    changeId: idFilter('change', 'changeId', 'chg_1'),
    status: z
      .enum(DELIVERY_STATUSES, `status must be one of ${DELIVERY_STATUSES.join(', ')}`)
      .optional()
      .meta({ description: 'Only deliveries with this status.', example: 'delivered' }),
  },
  list: listDeliveries,
})

export const getWebhookDelivery = getEndpoint({
  ...READABLE,
  operation: 'getWebhookDelivery',
  description: 'A delivery with its attempts.',
  find: findDelivery,
})

export const retryWebhookDelivery = writeEndpoint({
  operation: 'retryWebhookDelivery',
  path: `${URL}/:id/retry`,
  tag: TAG,
  summary: 'Retry a webhook delivery',
  description:
    'Sends the delivery now, whatever its status, also if an earlier change of the same subject is still pending.',
  idOf: NOUN,
  body: z.strictObject({}).meta({ id: 'RetryWebhookDeliveryBody' }),
  response: WebhookDelivery,
  errors: {
    endpoint_disabled: { message: 'The webhook endpoint is disabled. Enable it first.' },
  },
  action: retryDelivery,
  input: withId,
})
