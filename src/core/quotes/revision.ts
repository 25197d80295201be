/**
 * A revision of a quote: everything that the customer sees, and the content of the quote as it was sent. It is stored as canonical
 * JSON and never changes. Reading it again calculates the same price with the same function.
 */
import { z } from 'zod'
import { documentFormats } from '../document-formats.ts'
import type { DocumentFormats } from '../document-formats.ts'
import { PAYMENT_SCHEDULES, VALUE_TYPES } from '../enumerations.ts'
import { parseLocale } from '../locale.ts'
import { fillPlaceholders } from '../placeholders.ts'
import { isCurrencyCode } from '../pricing/currencies.ts'
import { priceQuote } from '../pricing/price-quote.ts'
import type { PriceBreakdown } from '../pricing/price-quote.ts'
import { isTimeZone } from '../schedule/time-zones.ts'
import { canonicalJson } from './canonical-json.ts'
import { Id, Time } from './quote-details.ts'
import { QuoteContent, pricingInputOf } from './quote-edit.ts'

const Text = z.string().nullable()
const TimeZone = z.string().refine(isTimeZone, 'must be a time zone')
const Cents = z.int().min(0)
const Named = z.strictObject({ id: Id, name: z.string() })
const Valued = { id: Id, found: z.literal(true), type: z.enum(VALUE_TYPES), currency: Text, name: z.string() }

const Seller = z.strictObject({
  companyId: Id,
  name: z.string(),
  legalName: Text,
  streetAddress: Text,
  city: Text,
  state: Text,
  zip: Text,
  country: Text,
  email: Text,
  phone: Text,
  taxNumber: Text,
  website: Text,
  footer: Text,
  accentColor: Text,
  /** SHA-256 of the logo. */
  logoHash: Text,
  locale: z.string().refine((locale) => parseLocale(locale) !== null, 'must be a language tag'),
})

const Terms = z.strictObject({
  name: z.string(),
  paymentSchedule: z.enum(PAYMENT_SCHEDULES),
  depositType: z.enum(VALUE_TYPES).nullable(),
  depositPercentage: Text,
  depositAmountCents: Cents.nullable(),
  invoiceDueDays: z.int(),
})

const Revision = z.strictObject({
  format: z.literal(1),
  quoteId: Id,
  number: Text,
  revision: z.int().min(1),
  sentAt: Time,
  expiresAt: Time.nullable(),
  currency: z.string().refine(isCurrencyCode, 'must be an ISO 4217 code'),
  message: Text,
  seller: Seller,
  customer: z.strictObject({ name: z.string(), companyName: Text, email: Text, phone: Text }),
  event: z.strictObject({ type: Text, location: Text, timeZone: TimeZone }),
  terms: Terms.nullable(),
  /** The placeholders are filled, except for the total, which depends on the choice of the customer. */
  contract: z.strictObject({ name: z.string(), text: z.string() }).nullable(),
  /** As it was sent; acceptance restores it. */
  content: QuoteContent,
  /** The records that the content refers to. Stored revisions have this spelling. */
  catalogue: z.strictObject({
    services: z.array(Named),
    addons: z.array(Named),
    discounts: z.array(z.strictObject({ ...Valued, percentOff: Text, amountOff: Cents.nullable() })),
    serviceCharges: z.array(
      z.strictObject({ ...Valued, percentage: Text, amountCents: Cents.nullable(), taxable: z.boolean() }),
    ),
    taxRates: z.array(z.strictObject({ id: Id, found: z.literal(true), rate: z.string(), name: z.string() })),
  }),
  /** Every amount of the price with the options that are selected at first. */
  price: z.looseObject({ totalCents: Cents, taxCents: Cents, subtotalCents: Cents }),
})

export type Revision = z.output<typeof Revision>

/** A revision before its amounts and its contract are filled in. */
export interface RevisionParts extends Omit<Revision, 'format' | 'price' | 'contract' | 'catalogue'> {
  contract: { name: string; content: string | null } | null
  /** May have more members and records than a revision keeps. */
  catalog: GivenCatalog
}

type GivenCatalog = {
  [Kind in keyof Revision['catalogue']]: readonly Revision['catalogue'][Kind][number][]
}

export function composeRevision({ contract, catalog, ...given }: RevisionParts): Revision {
  const parts = { ...given, content: withGroupNames(given.content) }
  const used = usedCatalog(parts.content, catalog)
  const revision = { ...parts, format: 1 as const, catalogue: used, contract: null }
  const { excluded: _, ...price } = priceQuote(pricingInputOf(parts.content, used, parts.currency))
  const filled =
    contract === null
      ? null
      : { name: contract.name, text: fillContract(contract.content ?? '', { ...revision, price }) }
  return { ...revision, price, contract: filled }
}

/** Imported groups can have an empty name. */
function withGroupNames(content: QuoteContent): QuoteContent {
  const lines = content.lines.map((line) =>
    line.optionGroup === '' ? { ...line, optionGroup: 'Alternatives' } : line,
  )
  return { ...content, lines }
}

/** The canonical JSON that is stored and hashed. */
export function writeRevision(revision: Revision): string {
  return canonicalJson(revision)
}

/** Null if the text is not a revision, not in the canonical spelling, or its total does not follow from its content. */
export function readRevision(text: string): Revision | null {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return null
  }
  const { data } = Revision.safeParse(json)
  if (data === undefined || canonicalJson(json) !== text) return null
  try {
    return priceRevision(data).totalCents === data.price.totalCents ? data : null
  } catch {
    return null
  }
}

/** The price with these lines, which differ from those of the revision in the selection only. */
export function priceRevision(
  { content, catalogue: catalog, currency }: Pick<Revision, 'content' | 'catalogue' | 'currency'>,
  lines: QuoteContent['lines'] = content.lines,
): PriceBreakdown {
  return priceQuote(pricingInputOf({ ...content, lines }, catalog, currency))
}

export function formatsOf({
  seller,
  currency,
  event,
}: Pick<Revision, 'seller' | 'currency' | 'event'>): DocumentFormats {
  return documentFormats({ locale: seller.locale, currency, timeZone: event.timeZone })
}

/** The text of the contract for a total. */
export function contractText({ contract }: Pick<Revision, 'contract'>, total: string): string {
  return contract === null ? '' : fillPlaceholders(contract.text, { 'quote.total': total })
}

const named = ({ id, name }: { id: string; name: string }) => ({ id, name })

function usedCatalog(content: QuoteContent, catalog: GivenCatalog): Revision['catalogue'] {
  const { lines, discountId, serviceChargeIds, taxRateId } = content
  const ids = new Set([
    ...lines.flatMap((line) => [line.serviceId, line.addonId, line.discountId]),
    discountId,
    taxRateId,
    ...serviceChargeIds,
  ])
  const isUsed = ({ id }: { id: string }) => ids.has(id)
  const { services, addons, discounts, serviceCharges, taxRates } = catalog
  return {
    services: services.filter(isUsed).map(named),
    addons: addons.filter(isUsed).map(named),
    discounts: discounts.filter(isUsed).map(({ id, name, type, percentOff, amountOff, currency }) => {
      return { id, found: true, name, type, percentOff, amountOff, currency }
    }),
    serviceCharges: serviceCharges.filter(isUsed).map((charge) => {
      const { id, name, type, percentage, amountCents, currency, taxable } = charge
      return { id, found: true, name, type, percentage, amountCents, currency, taxable }
    }),
    taxRates: taxRates.filter(isUsed).map(({ id, name, rate }) => ({ id, found: true, name, rate })),
  }
}

function fillContract(text: string, revision: Omit<Revision, 'contract'>): string {
  const { customer, seller, event, content, terms, number, quoteId, expiresAt, sentAt } = revision
  const formats = formatsOf(revision)
  const days = content.serviceDays.map(({ serviceStartTime }) => formats.date(serviceStartTime))
  return fillPlaceholders(text, {
    'customer.name': customer.name,
    'customer.company': customer.companyName ?? '',
    'customer.email': customer.email ?? '',
    'customer.phone': customer.phone ?? '',
    'quote.number': number ?? quoteId,
    'quote.expires': expiresAt === null ? '' : formats.date(expiresAt),
    'event.type': event.type ?? '',
    'event.date': days[0] ?? '',
    'event.dates': [...new Set(days)].join('; '),
    'event.address': content.eventAddress,
    'event.guests': formats.number(content.guestCount),
    'company.name': seller.legalName ?? seller.name,
    'company.address': addressLines(seller).join(', '),
    'payment.terms': terms?.name ?? '',
    today: formats.date(sentAt),
  })
}

type Address = Pick<Revision['seller'], 'streetAddress' | 'city' | 'state' | 'zip' | 'country'>

/** Street, then city with state and zip code, then country; without empty lines. */
export function addressLines({ streetAddress, city, state, zip, country }: Address): string[] {
  const region = [state, zip].filter((part) => part !== null && part !== '').join(' ')
  const place = [city, region].filter((part) => part !== null && part !== '').join(', ')
  return [streetAddress, place, country].filter((line): line is string => line !== null && line !== '')
}
