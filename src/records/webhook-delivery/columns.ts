/** Webhook deliveries: changes that are sent to endpoints. */
import { z } from 'zod'
import { defineColumns } from '../../codec/column.ts'
import type { RowOf } from '../../codec/column.ts'
import {
  bigInteger,
  computed,
  id,
  integer,
  objects,
  ofCompany,
  oneOf,
  text,
  time,
} from '../../codec/column-types.ts'
import { publicShape } from '../../codec/public-schema.ts'
import { id as publicId, text as publicText } from '../../codec/schemas.ts'

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

const ATTEMPT = {
  at: time(),
  status: integer('Status of the response. Null without one.').nullable(),
  error: text('Why the attempt failed without a response.').nullable(),
  durationMs: integer(),
  /** The beginning of the response body. */
  response: text().internal(),
}

export const WEBHOOK_DELIVERY_COLUMNS = defineColumns('webhookDelivery', 'webhook_deliveries', {
  id: computed(publicId('delivery')),
  companyId: ofCompany(),
  /** In the order of creation, which is the order of delivery within a subject. */
  number: bigInteger().internal(),
  endpointId: id('webhook endpoint'),
  changeSequence: bigInteger().internal(),
  changeId: computed(publicText('Id of the change, which is also the `webhook-id` of every attempt.')),
  status: oneOf(DELIVERY_STATUSES),
  attempts: objects(ATTEMPT).shownAs(
    z
      .array(z.strictObject(publicShape({ members: ATTEMPT })).meta({ id: 'WebhookAttempt' }))
      .meta({ description: 'Oldest first.' }),
  ),
  /** In a row `infinity` while an earlier delivery of the subject is pending. */
  nextAttemptAt: time(
    'Null unless it is pending and does not wait for an earlier change of the same subject.',
  ).nullable(),
})

export type StoredAttempt = RowOf<typeof WEBHOOK_DELIVERY_COLUMNS.columns>['attempts'][number]
