/** The webhook endpoint object. */
import { z } from 'zod'
import { publicShape } from '../../codec/public-schema.ts'
import { text } from '../../codec/schemas.ts'
import { WEBHOOK_ENDPOINT_COLUMNS } from './columns.ts'
import type { EndpointRow } from './queries.ts'

const MEMBERS = {
  object: z.literal(WEBHOOK_ENDPOINT_COLUMNS.name),
  ...publicShape(WEBHOOK_ENDPOINT_COLUMNS),
}

export const WebhookEndpoint = z
  .strictObject(MEMBERS)
  .meta({ id: 'WebhookEndpoint', description: 'A URL that receives the changes of the company.' })

export const WebhookEndpointWithSecret = z
  .strictObject({
    ...MEMBERS,
    secret: text('Signs the deliveries: `whsec_` and the base64 of 32 bytes. Only in this response.'),
  })
  .meta({ id: 'WebhookEndpointWithSecret', description: 'A webhook endpoint with its new signing secret.' })

export function presentEndpoint(row: EndpointRow): z.output<typeof WebhookEndpoint> {
  return { object: 'webhookEndpoint', ...row }
}
