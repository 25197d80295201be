/** The webhook endpoint object. */
import { z } from 'zod'
import { ENDPOINT_STATUSES } from '../../core/webhooks/endpoint-types.ts'
import { isoTimes, id, text } from '../../codec/schemas.ts'
import type { EndpointRow } from './queries.ts'

const MEMBERS = {
  object: z.literal('webhookEndpoint'),
  id: id('webhook endpoint'),
  url: text('Where changes are sent.'),
  types: z.array(z.string()).meta({ description: 'Types of changes, `quote.*` or `*`.' }),
  description: z.string().nullable(),
  status: z.enum(ENDPOINT_STATUSES).meta({ description: 'A disabled endpoint receives nothing.' }),
  disabledReason: z
    .string()
    .nullable()
    .meta({ description: 'Why the service disabled it. Null if it is enabled or a user disabled it.' }),
  createdAt: z.string().meta({ format: 'date-time' }),
  updatedAt: z.string().meta({ format: 'date-time' }),
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
  const { id: endpointId, url, types, description, status, disabledReason } = row
  return {
    object: 'webhookEndpoint',
    id: endpointId,
    url,
    types,
    description,
    status,
    disabledReason,
    ...isoTimes(row),
  }
}
