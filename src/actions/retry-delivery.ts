/** Sends a webhook delivery again, at once. */
import { ADMINS_AND_KEYS } from '../core/callers.ts'
import { ApiError } from '../core/requests/errors.ts'
import { findDelivery, retryDelivery as retry } from '../records/webhook-delivery/list.ts'
import { presentDelivery } from '../records/webhook-delivery/object.ts'
import { findEndpoint } from '../records/webhook-endpoint/queries.ts'
import { defineAction } from './action.ts'
import { Target } from './targets.ts'
import { refuseDisabled, subjectOf } from './webhook-endpoints.ts'

export const retryDelivery = defineAction({
  name: 'retryDelivery',
  allowed: ADMINS_AND_KEYS,
  input: Target,
  lock: 'first',
  run: async ({ db, companyId, audit, announce }, { id }) => {
    const row = await findDelivery(db, companyId, id)
    const endpoint = row === null ? null : await findEndpoint(db, companyId, row.endpointId)
    if (row === null || endpoint === null)
      throw new ApiError('not_found', { message: 'Webhook delivery not found', param: 'id' })
    refuseDisabled(endpoint)
    const retried = await retry(db, companyId, row.number)
    announce()
    audit({
      type: 'webhook_endpoint.delivery_retried',
      subject: subjectOf(endpoint),
      details: { deliveryId: id },
    })
    return presentDelivery(retried)
  },
})
