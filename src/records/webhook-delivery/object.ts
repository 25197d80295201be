/** The webhook delivery object: a change that is sent to an endpoint. */
import { z } from 'zod'
import { changeId } from '../../core/change-log/change-types.ts'
import { isoFromPostgres } from '../../core/schedule/datetime.ts'
import { publicShape } from '../../codec/public-schema.ts'
import { WEBHOOK_DELIVERY_COLUMNS } from './columns.ts'
import { deliveryId } from './list.ts'
import type { DeliveryRow } from './list.ts'

export const WebhookDelivery = z
  .strictObject({
    object: z.literal(WEBHOOK_DELIVERY_COLUMNS.name),
    ...publicShape(WEBHOOK_DELIVERY_COLUMNS),
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
