/** The webhook delivery object: a change that is sent to an endpoint. */
import { z } from 'zod'
import { changeId } from '../../core/change-log/change-types.ts'
import { isoFromPostgres } from '../../core/schedule/datetime.ts'
import { id, text } from '../../codec/schemas.ts'
import { DELIVERY_STATUSES, deliveryId } from './list.ts'
import type { DeliveryRow } from './list.ts'

export const WebhookDelivery = z
  .strictObject({
    object: z.literal('webhookDelivery'),
    id: id('delivery'),
    endpointId: id('webhook endpoint'),
    changeId: text('Id of the change, which is also the `webhook-id` of every attempt.'),
    status: z.enum(DELIVERY_STATUSES),
    attempts: z
      .array(
        z
          .strictObject({
            at: z.string().meta({ format: 'date-time' }),
            status: z.int().nullable().meta({ description: 'Status of the response. Null without one.' }),
            error: z.string().nullable().meta({ description: 'Why the attempt failed without a response.' }),
            durationMs: z.int(),
          })
          .meta({ id: 'WebhookAttempt' }),
      )
      .meta({ description: 'Oldest first.' }),
    nextAttemptAt: z.string().nullable().meta({
      format: 'date-time',
      description: 'Null unless it is pending and does not wait for an earlier change of the same subject.',
    }),
  })
  .meta({ id: 'WebhookDelivery', description: 'A change that is sent to a webhook endpoint.' })

export function presentDelivery(row: DeliveryRow): z.output<typeof WebhookDelivery> {
  const { number, endpointId, changeSequence, status, attempts, nextAttemptAt } = row
  return {
    object: 'webhookDelivery',
    id: deliveryId(number),
    endpointId,
    changeId: changeId(changeSequence),
    status,
    attempts: attempts.map(({ at, status: answered, error, durationMs }) => ({
      at,
      status: answered,
      error,
      durationMs,
    })),
    nextAttemptAt:
      nextAttemptAt === null || nextAttemptAt === 'infinity' ? null : isoFromPostgres(nextAttemptAt),
  }
}
