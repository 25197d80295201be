/** Display names in the editor. */
import type {
  Catalog,
  CatalogCharge,
  CatalogDiscount,
  CatalogTaxRate,
  QuoteLine,
} from '../../../src/core/quotes/quote-edit.ts'
import type { QuoteChoices } from '../../../src/core/quotes/quote-choices.ts'
import { itemOf } from './draft-lines.ts'
import type { Difference } from './quote-rebase.ts'
import { formatDate, formatMoney, formatNumber, formatPercent, formatTime, zoneNote } from '../format.ts'

type ItemOfLine = Pick<QuoteLine, 'kind' | 'serviceId' | 'addonId' | 'description'>

export const KIND_NAMES = { SERVICE: 'Service', ADDON: 'Add-on', CUSTOM: 'Custom line' }

/** The name of the service or add-on, or null for a custom line. */
export function itemName(line: ItemOfLine, catalog: Catalog): string | null {
  const { kind } = line
  if (kind === 'CUSTOM') return null
  return itemOf(line, catalog)?.name ?? `Deleted ${KIND_NAMES[kind].toLowerCase()}`
}

function lineName(line: ItemOfLine, catalog: Catalog): string {
  return itemName(line, catalog) ?? (line.description?.trim() || 'Custom line')
}

const archived = ({ isArchived }: { isArchived: boolean }) => (isArchived ? ' (archived)' : '')

export function discountName(discount: CatalogDiscount): string {
  const { name, type, percentOff, amountOff, currency } = discount
  const value =
    type === 'PERCENT' ? formatPercent(Number(percentOff)) : formatMoney(amountOff ?? 0, currency ?? '')
  return `${name} · ${value} off${archived(discount)}`
}

export function chargeName(charge: CatalogCharge): string {
  const { name, type, percentage, amountCents, currency } = charge
  const value =
    type === 'PERCENT' ? formatPercent(Number(percentage)) : formatMoney(amountCents ?? 0, currency ?? '')
  return `${name} · ${value}${archived(charge)}`
}

export function taxRateName(taxRate: CatalogTaxRate): string {
  return `${taxRate.name} · ${formatPercent(Number(taxRate.rate))}${archived(taxRate)}`
}

interface Option {
  value: string
  label: string
}

interface Offered {
  id: string
  isArchived: boolean
  type?: 'PERCENT' | 'AMOUNT'
  currency?: string | null
}

/** Definitions that can be chosen. Archived ones and those of another currency only if they are already in use. */
export function optionsOf<Definition extends Offered>(
  definitions: readonly Definition[],
  nameOf: (definition: Definition) => string,
  attached: readonly (string | null)[],
  currency: string,
): Option[] {
  const offered = definitions.filter(
    ({ id, isArchived, type, currency: own }) =>
      attached.includes(id) || (!isArchived && (type !== 'AMOUNT' || own === currency)),
  )
  const known = new Set(definitions.map(({ id }) => id))
  const missing = attached.filter((id) => id !== null && !known.has(id)) as string[]
  return [
    ...offered.map((one) => ({ value: one.id, label: nameOf(one) })),
    ...missing.map((id) => ({ value: id, label: 'No longer exists' })),
  ].toSorted((a, b) => a.label.localeCompare(b.label))
}

interface Day {
  serviceStartTime: string
  serviceEndTime: string
}

/** `Jun 1, 2026` and `12:00 – 6:00 PM EDT`. */
export function dayParts(
  { serviceStartTime, serviceEndTime }: Day,
  timeZone: string | null,
): { date: string; times: string } {
  const zone = timeZone ?? 'UTC'
  const times = `${formatTime(serviceStartTime, zone)} – ${formatTime(serviceEndTime, zone)}`
  return {
    date: formatDate(serviceStartTime, zone),
    times: `${times} ${zoneNote(serviceStartTime, zone)}`.trim(),
  }
}

export function dayName(day: Day, timeZone: string | null): string {
  const { date, times } = dayParts(day, timeZone)
  return `${date}, ${times}`
}

const FIELD_NAMES: Record<string, string> = {
  serviceDayId: 'day',
  kind: 'kind',
  serviceId: 'service',
  addonId: 'add-on',
  description: 'description',
  quantity: 'quantity',
  unitPriceCents: 'unit price',
  priceCents: 'price',
  taxable: 'taxable',
  discountId: 'discount',
  optional: 'optional',
  selected: 'selected',
  optionGroup: 'alternatives',
  leadId: 'contact',
  locationId: 'location',
  eventTypeId: 'event type',
  eventAddress: 'event address',
  eventDescription: 'description',
  siteContactName: 'site contact',
  siteContactPhone: 'phone of the site contact',
  entityToInvoice: 'entity to invoice',
  guestCount: 'guests',
  numberOfStaff: 'staff needed',
  numberOfResources: 'equipment needed',
  paymentTermsId: 'payment terms',
  contractId: 'contract',
  serviceChargeIds: 'service charges',
  taxRateId: 'tax',
  baseFeeCents: 'base fee',
  baseFeeTaxable: 'base fee taxable',
  travelFeeCents: 'travel fee',
  travelFeeTaxable: 'travel fee taxable',
}

/** Contacts that were found by a search are not among the choices. */
const UNNAMED: Record<string, string> = { leadId: 'another contact' }

interface Names {
  catalog: Catalog
  choices: QuoteChoices
  currency: string
  timeZone: string | null
  days: ReadonlyMap<string, string>
}

/** A difference in words: its subject, and the value on either side. */
export function describeDifference(
  difference: Difference,
  names: Names,
): { what: string; mine: string; theirs: string } {
  if (difference.subject === 'presence') {
    const there = (isThere: boolean) => (isThere ? describeLine(difference.line, names) : 'not on the quote')
    return {
      what: lineName(difference.line, names.catalog),
      mine: there(difference.mine),
      theirs: there(difference.theirs),
    }
  }
  if (difference.subject === 'day') {
    const { mine, theirs } = difference
    const there = (day: Day | null) => (day === null ? 'not on the quote' : dayName(day, names.timeZone))
    return { what: 'Day', mine: there(mine), theirs: there(theirs) }
  }
  if (difference.subject === 'order') {
    return {
      what: 'Order of lines',
      mine: difference.by === 'me' ? 'changed' : 'as before',
      theirs: difference.by === 'them' ? 'changed' : 'as before',
    }
  }
  const field = FIELD_NAMES[difference.field] ?? difference.field
  const what =
    difference.subject === 'line'
      ? `${lineName(difference.line, names.catalog)}: ${field}`
      : field.charAt(0).toUpperCase() + field.slice(1)
  return {
    what,
    mine: describeValue(difference.field, difference.mine, names),
    theirs: describeValue(difference.field, difference.theirs, names),
  }
}

function describeLine({ quantity, priceCents }: QuoteLine, { currency }: Names): string {
  return `${formatNumber(Number(quantity))} for ${formatMoney(priceCents, currency)}`
}

function describeValue(field: string, value: unknown, { catalog, choices, currency, days }: Names): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number')
    return field.endsWith('Cents') ? formatMoney(value, currency) : formatNumber(value)
  if (field === 'quantity') return formatNumber(Number(value))
  const ids = (Array.isArray(value) ? value : [value]) as string[]
  const named: Record<string, readonly { id: string; name: string }[]> = {
    serviceId: catalog.services,
    addonId: catalog.addons,
    discountId: catalog.discounts,
    serviceChargeIds: catalog.serviceCharges,
    taxRateId: catalog.taxRates,
    leadId: choices.contacts,
    locationId: choices.locations,
    eventTypeId: choices.eventTypes,
    paymentTermsId: choices.paymentTerms,
    contractId: choices.contracts,
  }
  const list = named[field]
  if (list !== undefined) {
    return ids
      .map((id) => list.find((one) => one.id === id)?.name ?? UNNAMED[field] ?? 'no longer exists')
      .join(', ')
  }
  if (field === 'serviceDayId') return ids.map((id) => days.get(id) ?? 'another day').join(', ')
  return ids.join(', ')
}
