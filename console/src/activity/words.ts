/** How changes and audit entries are described. */
import type { Activity, ActivityKind, MemberChange } from '../../../src/core/change-log/activity.ts'
import { LOST_REASONS } from '../../../src/core/enumerations.ts'
import type { LostReason } from '../../../src/core/enumerations.ts'
import type { InvoiceStatus } from '../../../src/core/pricing/invoice.ts'
import { formatDateTime, formatMoney, formatNumber } from '../format.ts'
import { LOST_WORDS } from '../quotes/words.ts'
import { INVOICE_STATUSES } from '../ui/invoice-status.ts'
import { describeField } from './record-fields.ts'

export const KIND_LABELS: Record<ActivityKind, string> = {
  contacts: 'Contacts',
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
  clientName: 'Name of the customer',
  clientEmail: 'Email of the customer',
  clientPhone: 'Phone of the customer',
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
  /** Null for ids, which mean nothing to people, and if both would look the same. */
  values: { before: string; after: string } | null
}

export function describeMembers(entry: Activity): DescribedMember[] {
  return entry.members
    .filter(({ name }) => !TOLD_BY_TITLE.has(name))
    .map(
      (member) =>
        describeField(entry, member) ?? {
          name: labelOf(member.name),
          values: valuesOf(member, entry.currency),
        },
    )
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
  if (name === 'status' && isInvoiceStatus(text)) return INVOICE_STATUSES[text][0]
  return TIME.test(text) ? formatDateTime(text) : text
}

const isLostReason = (text: string): text is LostReason => (LOST_REASONS as readonly string[]).includes(text)

const isInvoiceStatus = (text: string): text is InvoiceStatus => Object.hasOwn(INVOICE_STATUSES, text)

/** The quote page shows the whole message. */
const TEXT_SHOWN = 300
const shorten = (text: string) => text.replace(new RegExp(`^(.{${TEXT_SHOWN}}).+$`, 'su'), '$1…')

/** The rest of the entry, as short sentences. */
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
    text,
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
    /** Of records, in entries of earlier releases, which have no values. */
    changed?: string[]
    archived?: boolean
    mergedFromId?: string
    mergedIntoId?: string
    text?: string
  }
  const records = Object.values(counts ?? {}).reduce((sum, count) => sum + count, 0)
  return [
    address == null ? '' : `From ${address}`,
    [email, role?.toLowerCase()].filter((part) => part !== undefined).join(', '),
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
    text === undefined ? '' : `“${shorten(text)}”`,
  ].filter((line) => line !== '')
}
