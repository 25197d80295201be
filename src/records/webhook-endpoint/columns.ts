/** Webhook endpoints: where a company receives its changes. */
import { z } from 'zod'
import { defineColumns } from '../../codec/column.ts'
import {
  endpointTypes,
  endpointUrl,
  filledText,
  id,
  objects,
  ofCompany,
  oneOf,
  publicTimes,
  text,
  time,
} from '../../codec/column-types.ts'
import { ENDPOINT_STATUSES } from '../../core/webhooks/endpoint-types.ts'

export const WEBHOOK_ENDPOINT_COLUMNS = defineColumns('webhookEndpoint', 'webhook_endpoints', {
  id: id('webhook endpoint'),
  companyId: ofCompany(),
  url: endpointUrl('Where changes are sent.'),
  types: endpointTypes().shownAs(
    z.array(z.string()).meta({ description: 'Types of changes, `quote.*` or `*`.' }),
  ),
  description: text().nullable(),
  status: oneOf(ENDPOINT_STATUSES, 'A disabled endpoint receives nothing.').default('enabled'),
  disabledReason: text(
    'Why the service disabled it. Null if it is enabled or a user disabled it.',
  ).nullable(),
  /** Newest first. Encrypted with a key derived from APP_SECRET, so they open only with the same one. */
  secrets: objects({ sealed: filledText(), until: time().nullable() }),
  ...publicTimes('webhook endpoint'),
})
