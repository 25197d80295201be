/** How changes and audit entries are described. */
import type { Activity, ActivityKind, MemberChange } from '../../../src/core/change-log/activity.ts'
import type { OtherAuditType } from '../../../src/core/change-log/audit-types.ts'
import type { ChangeType } from '../../../src/core/change-log/change-types.ts'
import { RECORD_AUDIT_TYPES } from '../../../src/core/record-kinds.ts'
import type { AuditedNoun, RecordAuditType, RecordVerb } from '../../../src/core/record-kinds.ts'
import { LOST_REASONS } from '../../../src/core/enumerations.ts'
import type { LostReason } from '../../../src/core/enumerations.ts'
import { formatDateTime, formatMoney, formatNumber } from '../format.ts'
import { LOST_WORDS } from '../quotes/words.ts'

const TITLES: Record<ChangeType | OtherAuditType, string> = {
  'lead.created': 'Customer created',
  'lead.updated': 'Customer edited',
  'quote.created': 'Quote created',
  'quote.updated': 'Quote edited',
  'quote.sent': 'Quote sent',
  'quote.viewed': 'Quote viewed by the customer',
  'quote.accepted': 'Quote accepted',
  'quote.booked': 'Quote booked',
  'quote.lost': 'Quote marked as lost',
  'quote.reopened': 'Quote reopened',
  'quote.deleted': 'Quote deleted',
  'booking.created': 'Booking created',
  'booking.updated': 'Booking edited',
  'booking.canceled': 'Booking canceled',
  'event.created': 'Event created',
  'event.updated': 'Event edited',
  'event.rescheduled': 'Event rescheduled',
  'event.staff_assigned': 'Staff assigned',
  'event.staff_unassigned': 'Staff unassigned',
  'event.resources_changed': 'Equipment changed',
  'event.canceled': 'Event canceled',
  'task.created': 'Task created',
  'task.updated': 'Task edited',
  'task.completed': 'Task completed',
  'task.deleted': 'Task deleted',
  'invoice.created': 'Invoice created',
  'invoice.updated': 'Invoice edited',
  'invoice.paid': 'Invoice paid',
  'invoice.voided': 'Invoice voided',
  'form_response.submitted': 'Form submitted',
  'data.imported': 'Data imported',
  'quote.question_asked': 'Question from the customer',
  'quote.declined': 'Customer declined with a message',
  'api_key.created': 'API key created',
  'api_key.revoked': 'API key revoked',
  'company.created': 'Company created',
  'user.created': 'User created',
  'user.invited': 'User invited',
  'user.invitation_revoked': 'Invitation revoked',
  'user.joined': 'Invitation accepted',
  'user.role_changed': 'Role changed',
  'user.password_changed': 'Password changed',
  'user.reset_link_created': 'Password reset link created',
  'user.password_reset': 'Password reset by link',
  'user.disabled': 'User disabled',
  'user.enabled': 'User enabled',
  'user.signed_in': 'Signed in',
  'user.signed_out_everywhere': 'Signed out everywhere',
  'user.session_ended': 'Session ended',
  'settings.allowed_ips_changed': 'Allowed IP addresses changed',
  'settings.company_changed': 'Company profile changed',
  'form.created': 'Form created',
  'form.updated': 'Form edited',
  'form.published': 'Form published',
  'form.unpublished': 'Form unpublished',
  'form.archived': 'Form archived',
  'form.restored': 'Form restored',
  'webhook_endpoint.created': 'Webhook endpoint created',
  'webhook_endpoint.updated': 'Webhook endpoint edited',
  'webhook_endpoint.disabled': 'Webhook endpoint disabled',
  'webhook_endpoint.deleted': 'Webhook endpoint deleted',
  'webhook_endpoint.secret_rotated': 'Webhook secret rotated',
  'webhook_endpoint.changes_replayed': 'Webhook changes sent again',
}

/** How an entry names a record. */
const RECORDS: Record<AuditedNoun, string> = {
  service: 'Service',
  addon: 'Add-on',
  package: 'Package',
  discount: 'Discount',
  service_charge: 'Service charge',
  tax_rate: 'Tax rate',
  payment_terms: 'Payment terms',
  contract: 'Contract',
  event_type: 'Event type',
  location: 'Location',
  resource: 'Equipment',
  staff: 'Staff member',
}

const VERBS: Record<RecordVerb, string> = {
  created: 'created',
  updated: 'edited',
  archived: 'archived',
  restored: 'restored',
  replaced: 'replaced by a new one',
}

const isRecordType = (type: string): type is RecordAuditType =>
  (RECORD_AUDIT_TYPES as readonly string[]).includes(type)

export function titleOf({ type }: Pick<Activity, 'type'>): string {
  if (!isRecordType(type)) return TITLES[type]
  const [noun, verb] = type.split('.') as [AuditedNoun, RecordVerb]
  return `${RECORDS[noun]} ${VERBS[verb]}`
}

export const KIND_LABELS: Record<ActivityKind, string> = {
  customers: 'Customers',
  quotes: 'Quotes',
  bookings: 'Bookings',
  events: 'Events',
  tasks: 'Tasks',
  invoices: 'Invoices',
  forms: 'Forms',
  imports: 'Imports',
  catalog: 'Catalog',
  pricing: 'Discounts, charges, taxes and terms',
  team: 'Staff, equipment and locations',
  keys: 'API keys',
  webhooks: 'Webhooks',
  people: 'Users and sign-ins',
  settings: 'Settings',
}

export function personOf({ actor: { type, name } }: Activity): string {
  if (type === 'system') return name ?? 'System'
  if (type === 'apiKey') return name === null ? 'API key' : `${name} (API key)`
  return name ?? (type === 'customer' ? 'Customer' : 'User')
}

/** The subject itself is on the page of a timeline. Elsewhere this says which one it is. */
export function subjectNameOf({ actor, subject: { object, id, name } }: Activity): string | null {
  const isOneself = object === 'user' && actor.id === id
  return object === 'company' || isOneself ? null : (name ?? id)
}

const MEMBERS: Record<string, string> = {
  totalPriceCents: 'Total',
  baseFeeCents: 'Base fee',
  travelFeeCents: 'Travel fee',
  guestCount: 'Guests',
  numberOfStaff: 'Staff needed',
  numberOfResources: 'Equipment needed',
  staffNumber: 'Staff needed',
  resourceNumber: 'Equipment needed',
  eventTypeId: 'Event type',
  locationId: 'Location',
  leadId: 'Customer',
  amountPaid: 'Amount paid',
  zip: 'ZIP or postal code',
  streetAddress: 'Street',
  quoteValidDays: 'Days a quote is valid',
  quotePrefix: 'Prefix of quotes',
  nextQuoteNumber: 'Next quote number',
  invoicePrefix: 'Prefix of invoices',
  nextInvoiceNumber: 'Next invoice number',
}

/** The title already says these. */
const TOLD_BY_TITLE = new Set([
  'sentAt',
  'bookedAt',
  'lostAt',
  'completedAt',
  'completed',
  'canceledAt',
  'bookingId',
])

export interface DescribedMember {
  name: string
  /** Null for ids, which mean nothing to people. */
  values: { before: string; after: string } | null
}

export function describeMembers({ members, currency }: Activity): DescribedMember[] {
  return members
    .filter(({ name }) => !TOLD_BY_TITLE.has(name))
    .map((member) => ({ name: labelOf(member.name), values: valuesOf(member, currency) }))
}

/** `eventDescription` is `Event description`. */
function labelOf(name: string): string {
  const known = MEMBERS[name]
  if (known !== undefined) return known
  const words = name.replace(/(Cents|Ids?)$/, '').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function valuesOf({ name, before, after }: MemberChange, currency: string | null): DescribedMember['values'] {
  if (/Ids?$/.test(name) || isObject(before) || isObject(after)) return null
  return { before: formatValue(name, before, currency), after: formatValue(name, after, currency) }
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const MONEY = /Cents$|^amount/

function formatValue(name: string, value: unknown, currency: string | null): string {
  if (value === null || value === '') return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') {
    return MONEY.test(name) && currency !== null ? formatMoney(value, currency) : formatNumber(value)
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (isLostReason(text)) return LOST_WORDS[text]
  return TIME.test(text) ? formatDateTime(text) : text
}

const isLostReason = (text: string): text is LostReason => (LOST_REASONS as readonly string[]).includes(text)

/** What else the entry knows, as short sentences. */
export function describeDetails({ details }: Activity): string[] {
  const {
    address,
    added,
    removed,
    counts,
    email,
    role,
    overlap,
    staffIds,
    reason,
    changed,
    archived,
    mergedFromId,
    mergedIntoId,
  } = details as {
    address?: string | null
    added?: string[]
    removed?: string[]
    counts?: Record<string, number>
    email?: string
    role?: string
    overlap?: boolean
    staffIds?: string[]
    reason?: string
    changed?: string[]
    archived?: boolean
    mergedFromId?: string
    mergedIntoId?: string
  }
  const records = Object.values(counts ?? {}).reduce((sum, count) => sum + count, 0)
  return [
    address == null ? '' : `From ${address}`,
    [email, role?.toLowerCase()].filter((text) => text !== undefined).join(', '),
    added === undefined || added.length === 0 ? '' : `Added ${added.join(', ')}`,
    removed === undefined || removed.length === 0 ? '' : `Removed ${removed.join(', ')}`,
    counts === undefined ? '' : `${formatNumber(records)} records`,
    staffIds === undefined ? '' : staffIds.join(', '),
    reason ?? '',
    overlap === true ? 'Saved although the times overlap' : '',
    changed === undefined ? '' : `Changed ${changed.map((name) => labelOf(name).toLowerCase()).join(', ')}`,
    archived === undefined ? '' : archived ? 'Archived' : 'Restored',
    mergedFromId === undefined ? '' : 'Another contact was merged into this one',
    mergedIntoId === undefined ? '' : 'Merged into another contact',
  ].filter((text) => text !== '')
}
