/** Webhook deliveries: list, get, retry. */
import { z } from 'zod'
import { retryDelivery } from '../actions/retry-delivery.ts'
import { ApiError } from '../core/requests/errors.ts'
import { CURSOR_NOT_FOUND } from '../core/requests/page.ts'
import { toJson } from '../codec/json.ts'
import { DELIVERY_STATUSES, findDelivery, listDeliveries } from '../records/webhook-delivery/list.ts'
import { WebhookDelivery, presentDelivery } from '../records/webhook-delivery/object.ts'
import type { Endpoint } from './endpoint.ts'
import { exampleOf } from './examples.ts'
import { listOf, presentList } from './list.ts'
import {
  CURSOR_HEADER,
  LIMIT_MESSAGE,
  idFilter,
  pageParameters,
  readParameters,
  refuseExpand,
} from './parameters.ts'
import { notFound } from './read-endpoints.ts'
import { WRITE, answerWrite } from './write.ts'

const URL = '/api/webhook-deliveries'
const NOUN = 'webhook delivery'
const TAG = 'Webhooks'
const refuseExpansion = refuseExpand('Webhook deliveries')

const ListQuery = z.object({
  ...pageParameters('whd_3'),
  endpoint_id: idFilter('webhook endpoint', 'endpointId', 'whe_demo_1'),
  change_id: idFilter('change', 'changeId', 'chg_1'),
  status: z
    .enum(DELIVERY_STATUSES, `status must be one of ${DELIVERY_STATUSES.join(', ')}`)
    .optional()
    .meta({ description: 'Only deliveries with this status.', example: 'delivered' }),
})

export const listWebhookDeliveries: Endpoint = {
  operation: 'listWebhookDeliveries',
  method: 'GET',
  path: URL,
  errorShape: 'structured',
  tag: TAG,
  summary: 'List webhook deliveries',
  description:
    'The deliveries of the last 30 days, newest first. All filters apply together. Keep them unchanged between pages.',
  query: ListQuery,
  status: 200,
  answerHeaders: CURSOR_HEADER,
  response: listOf(WebhookDelivery, 'WebhookDeliveryList', URL),
  example: exampleOf('listWebhookDeliveries'),
  errors: { invalid_parameter: { message: LIMIT_MESSAGE, param: 'limit' } },
  answer: async ({ db, companyId, query }) => {
    const values = readParameters(ListQuery, query, refuseExpansion)
    const {
      limit,
      starting_after: startingAfter,
      endpoint_id: endpointId,
      change_id: changeId,
      status,
    } = values
    const filters = { endpointId, changeId, status }
    const { rows, hasMore, isCursorFound } = await listDeliveries(db, companyId, filters, {
      limit,
      startingAfter,
    })
    const objects = rows.map((row) => toJson(presentDelivery(row)))
    return { body: presentList(URL, objects, hasMore), headers: isCursorFound ? {} : CURSOR_NOT_FOUND }
  },
}

const GetQuery = z.object({})

export const getWebhookDelivery: Endpoint = {
  operation: 'getWebhookDelivery',
  method: 'GET',
  path: `${URL}/:id`,
  errorShape: 'structured',
  tag: TAG,
  summary: 'Get a webhook delivery',
  description: 'A delivery with its attempts.',
  idOf: NOUN,
  query: GetQuery,
  status: 200,
  response: WebhookDelivery,
  example: exampleOf('getWebhookDelivery'),
  errors: {
    invalid_parameter: { message: 'Webhook deliveries cannot be expanded', param: 'expand' },
    not_found: notFound(NOUN),
  },
  answer: async ({ db, companyId, id, query }) => {
    readParameters(GetQuery, query, refuseExpansion)
    const row = await findDelivery(db, companyId, id)
    if (row === null) throw new ApiError('not_found', notFound(NOUN))
    return { body: presentDelivery(row) }
  },
}

export const retryWebhookDelivery: Endpoint = {
  ...WRITE,
  operation: 'retryWebhookDelivery',
  path: `${URL}/:id/retry`,
  tag: TAG,
  summary: 'Retry a webhook delivery',
  description:
    'Sends the delivery now, whatever its status, also if an earlier change of the same subject is still pending.',
  idOf: NOUN,
  body: z.strictObject({}).meta({ id: 'RetryWebhookDeliveryBody' }),
  response: WebhookDelivery,
  example: exampleOf('retryWebhookDelivery'),
  errors: {
    ...WRITE.errors,
    not_found: notFound(NOUN),
    endpoint_disabled: { message: 'The webhook endpoint is disabled. Enable it first.' },
  },
  answer: (call) =>
    answerWrite(call, {
      action: retryDelivery,
      body: z.strictObject({}),
      input: () => ({ id: call.id }),
    }),
}
