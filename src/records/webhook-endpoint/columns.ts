/** Webhook endpoints: where a company receives its changes. */
import { defineColumns } from '../../codec/column.ts'
import {
  TIMES,
  endpointTypes,
  endpointUrl,
  filledText,
  id,
  objects,
  ofCompany,
  oneOf,
  text,
  time,
} from '../../codec/column-types.ts'
import { ENDPOINT_STATUSES } from '../../core/webhooks/endpoint-types.ts'

export const WEBHOOK_ENDPOINT_COLUMNS = defineColumns('webhookEndpoint', 'webhook_endpoints', {
  id: id('webhook endpoint'),
  companyId: ofCompany(),
  url: endpointUrl(),
  types: endpointTypes(),
  description: text().nullable(),
  status: oneOf(ENDPOINT_STATUSES).default('enabled'),
  disabledReason: text().nullable(),
  /** Newest first. Encrypted with a key derived from APP_SECRET, so they open only with the same one. */
  secrets: objects({ sealed: filledText(), until: time().nullable() }),
  ...TIMES,
})
