/**
 * The kinds of records in the order of the world format, each after the kinds that own its records. Their fields follow
 * from the columns. Import, export and doctor read this list, and a test compares it with the database.
 */
import { ACCEPTANCE_COLUMNS } from '../records/acceptance/columns.ts'
import { API_KEY_COLUMNS } from '../records/api-key/columns.ts'
import { BOOKING_COLUMNS } from '../records/booking/columns.ts'
import { COMPANY_COLUMNS } from '../records/company/columns.ts'
import { CONTRACT_COLUMNS } from '../records/contract/columns.ts'
import { DISCOUNT_COLUMNS } from '../records/discount/columns.ts'
import { EVENT_TYPE_COLUMNS } from '../records/event-type/columns.ts'
import { EVENT_COLUMNS } from '../records/event/columns.ts'
import { FORM_ANSWER_COLUMNS, FORM_RESPONSE_COLUMNS } from '../records/form-response/columns.ts'
import { FORM_COLUMNS, FORM_QUESTION_COLUMNS } from '../records/form/columns.ts'
import { INVOICE_COLUMNS } from '../records/invoice/columns.ts'
import { LEAD_COLUMNS } from '../records/lead/columns.ts'
import { LINE_ITEM_COLUMNS } from '../records/line-item/columns.ts'
import { LOCATION_COLUMNS } from '../records/location/columns.ts'
import { PACKAGE_COLUMNS } from '../records/package/columns.ts'
import { PAYMENT_TERMS_COLUMNS } from '../records/payment-terms/columns.ts'
import { PAYMENT_COLUMNS } from '../records/payment/columns.ts'
import { QUOTE_COLUMNS } from '../records/quote/columns.ts'
import { QUOTE_REVISION_COLUMNS } from '../records/quote-revision/columns.ts'
import { RESOURCE_COLUMNS } from '../records/resource/columns.ts'
import { SERVICE_CHARGE_COLUMNS } from '../records/service-charge/columns.ts'
import { SERVICE_DAY_COLUMNS } from '../records/service-day/columns.ts'
import { ADDON_COLUMNS, SERVICE_COLUMNS } from '../records/service/columns.ts'
import { STAFF_COLUMNS } from '../records/staff/columns.ts'
import { TASK_COLUMNS } from '../records/task/columns.ts'
import { TAX_RATE_COLUMNS } from '../records/tax-rate/columns.ts'
import { USER_COLUMNS } from '../records/user/columns.ts'
import { WEBHOOK_ENDPOINT_COLUMNS } from '../records/webhook-endpoint/columns.ts'
import { ENDPOINTS_MAX } from '../core/webhooks/endpoint-types.ts'
import { apiKey } from './field-types.ts'
import { children, kind } from './kind.ts'
import type { Kind } from './kind.ts'

const LINE_ITEMS_MAX = 1_000

const START_TIMES_OF_QUOTES = {
  table: 'service_days',
  ownerColumn: 'quote_id',
  timeColumn: 'service_start_time',
  firstColumn: 'first_start_time',
  lastColumn: 'last_start_time',
}

export const KINDS: readonly Kind[] = [
  kind(COMPANY_COLUMNS),
  kind(API_KEY_COLUMNS, {
    importedAs: { keyHash: { name: 'key', type: apiKey } },
    exactlyOneOf: ['key', 'keyHash'],
    unique: { column: 'key_hash', field: 'key' },
  }),
  kind(USER_COLUMNS),
  kind(LEAD_COLUMNS),
  kind(LOCATION_COLUMNS),
  kind(EVENT_TYPE_COLUMNS),
  kind(SERVICE_COLUMNS),
  kind(ADDON_COLUMNS),
  kind(PACKAGE_COLUMNS),
  kind(DISCOUNT_COLUMNS),
  kind(TAX_RATE_COLUMNS),
  kind(PAYMENT_TERMS_COLUMNS),
  kind(SERVICE_CHARGE_COLUMNS),
  kind(CONTRACT_COLUMNS),
  kind(QUOTE_COLUMNS, { span: START_TIMES_OF_QUOTES }),
  kind(SERVICE_DAY_COLUMNS),
  kind(LINE_ITEM_COLUMNS, { mostPerOwner: LINE_ITEMS_MAX }),
  kind(QUOTE_REVISION_COLUMNS, {
    distinct: { columns: ['company_id', 'quote_id', 'revision'], field: 'revision' },
    hash: { column: 'sha256', of: 'content' },
    frozen: ['quote_id', 'revision', 'content', 'sha256', 'sent_at'],
  }),
  kind(ACCEPTANCE_COLUMNS, {
    frozen: ['quote_revision_id', 'name', 'choices', 'accepted_at', 'address', 'user_agent', 'sha256'],
  }),
  kind(BOOKING_COLUMNS),
  kind(EVENT_COLUMNS),
  kind(RESOURCE_COLUMNS),
  kind(STAFF_COLUMNS),
  kind(INVOICE_COLUMNS),
  kind(PAYMENT_COLUMNS),
  kind(FORM_COLUMNS, { unique: { column: 'slug', field: 'slug', isNullable: true } }),
  kind(FORM_QUESTION_COLUMNS),
  kind(FORM_RESPONSE_COLUMNS, { children: children('answers', FORM_ANSWER_COLUMNS, 'form_response_id') }),
  kind(TASK_COLUMNS),
  kind(WEBHOOK_ENDPOINT_COLUMNS, { mostPerOwner: ENDPOINTS_MAX }),
]

const KINDS_BY_NAME: ReadonlyMap<unknown, Kind> = new Map(KINDS.map((one) => [one.name, one]))

export function findKind(name: unknown): Kind | null {
  return KINDS_BY_NAME.get(name) ?? null
}
