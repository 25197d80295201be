import type { Catalog, EventTypeEntry, BranchEntry } from './catalog.ts'
import { ARCHIVED } from './catalog-terms.ts'
import { EVENT_CLOSINGS, EVENT_DETAILS, INVOICE_ENTITIES } from './event-texts.ts'
import { arrivalOf, leadIndexOf, leadOf } from './leads.ts'
import { type LineEntry, linesOf } from './lines.ts'
import { personOf, phoneOf } from './people.ts'
import { addressOf } from './branches.ts'
import { inCurrency, numberOf } from './plan.ts'
import { type QuoteState, stateOf, stateTimes } from './quote-states.ts'
import { Random } from './random.ts'
import { type RecordOf, present } from './records.ts'
import { DAY, HOUR, iso, localTime } from './times.ts'

export interface DayEntry {
  record: RecordOf<'serviceDay'>
  start: number
  end: number
  /** Local midnight of the day, and the local hour of the start. */
  midnight: number
  hour: number
}

/** The facts that a quote is generated from. */
interface Enquiry {
  number: string
  index: number
  state: QuoteState
  random: Random
  createdAt: number
  branch: BranchEntry
  eventType: EventTypeEntry
  guestCount: number
  lead: RecordOf<'lead'>
  dayCount: number
  lineCount: number
}

/** The definitions of a quote. */
interface Terms {
  discount: RecordOf<'discount'> | null
  serviceCharges: RecordOf<'serviceCharge'>[]
  taxRate: RecordOf<'taxRate'> | null
  paymentTerms: RecordOf<'paymentTerms'> | null
  contract: RecordOf<'contract'> | null
}

/** A quote with its days and lines. */
export interface QuoteBundle {
  enquiry: Enquiry
  terms: Terms
  quote: RecordOf<'quote'>
  days: DayEntry[]
  lines: LineEntry[]
}

const MOST_DAYS = 30
const MOST_LINES = 1000

function daysOf({ plan }: Catalog, enquiry: Enquiry): DayEntry[] {
  const { number, random, createdAt, branch, eventType, dayCount } = enquiry
  const firstDay = Math.floor(createdAt / DAY + random.int(40, 150)) * DAY
  const hour = random.pick(eventType.text.starts)
  const length = random.int(6, 16) / 2
  const at = iso(createdAt)
  const days: DayEntry[] = []
  for (let index = 0; index < dayCount; index++) {
    const midnight = firstDay + index * DAY
    const start = localTime(branch.text, midnight, hour)
    const end = start + length * HOUR
    const record: RecordOf<'serviceDay'> = {
      object: 'serviceDay',
      id: `day_${number}_${index + 1}`,
      companyId: plan.id,
      quoteId: `quote_${number}`,
      serviceStartTime: iso(start),
      serviceEndTime: iso(end),
      createdAt: at,
      updatedAt: at,
    }
    days.push({ record, start, end, midnight, hour })
  }
  return days
}

function descriptionOf(random: Random, { text }: EventTypeEntry, guestCount: number): string | undefined {
  if (random.chance(0.08)) return undefined
  const opening = random.pick(text.openings).replace('{guests}', String(guestCount))
  if (random.chance(0.15)) return opening
  const detail = random.pick(EVENT_DETAILS)
  return random.chance(0.4) ? `${opening} ${detail}` : `${opening} ${detail} ${random.pick(EVENT_CLOSINGS)}`
}

function payerOf(random: Random, { companyName, lastName }: RecordOf<'lead'>): string | undefined {
  if (companyName !== undefined) return companyName
  if (lastName === undefined || random.chance(0.8)) return undefined
  return random.pick(INVOICE_ENTITIES).replace('{name}', lastName)
}

function termsOf(catalog: Catalog, { random, branch, state, createdAt }: Enquiry): Terms {
  const terms = catalog.terms.get(branch.currency)
  if (terms === undefined) throw new RangeError(`No terms in ${branch.currency}`)
  // Older quotes can have definitions that were archived later.
  const offer = createdAt < ARCHIVED ? terms.former : terms.current
  // A booked quote has payment terms and a contract.
  const settled = state === 'BOOKED' || random.chance(0.7)
  const formerTax = createdAt < ARCHIVED && random.chance(0.7) ? branch.formerTax : null
  return {
    discount: random.maybe(0.35, offer.discounts) ?? null,
    serviceCharges: random.sample(offer.serviceCharges, random.pick([0, 1, 1, 2, 3])),
    taxRate: random.chance(0.9) ? (formerTax ?? branch.tax) : null,
    paymentTerms: settled ? random.pick(offer.paymentTerms) : null,
    contract: settled ? random.pick(offer.contracts) : null,
  }
}

function quoteOf({ plan }: Catalog, enquiry: Enquiry, terms: Terms): RecordOf<'quote'> {
  const { number, index, state, random, createdAt, branch, eventType, guestCount, lead } = enquiry
  const contact = random.chance(0.55) ? personOf(random) : null
  const travelUsdCents = random.pick([0, 0, 4_550, 9_000, 16_800, 27_325])
  const baseUsdCents = random.pick([0, 0, 10_000, 15_000, 25_000])
  const times = stateTimes(state, createdAt, index, random)
  return present<RecordOf<'quote'>>({
    object: 'quote',
    id: `quote_${number}`,
    companyId: plan.id,
    number: `Q-${index + 1}`,
    leadId: lead.id,
    locationId: branch.location.id,
    eventTypeId: random.chance(0.95) ? eventType.record.id : undefined,
    bookingId: state === 'BOOKED' ? `book_${number}` : plan.followUps[`quote_${number}`],
    discountId: terms.discount?.id,
    taxRateId: terms.taxRate?.id,
    paymentTermsId: terms.paymentTerms?.id,
    contractId: terms.contract?.id,
    serviceChargeIds:
      terms.serviceCharges.length === 0 ? undefined : terms.serviceCharges.map(({ id }) => id),
    numberOfStaff: Math.max(1, Math.ceil(guestCount / 35)),
    numberOfResources: random.int(1, 4),
    guestCount,
    eventAddress: addressOf(branch.text, random.pick(branch.text.venues)),
    eventDescription: descriptionOf(random, eventType, guestCount),
    siteContactName: contact === null ? undefined : `${contact.firstName} ${contact.lastName}`,
    siteContactPhone: contact === null ? undefined : phoneOf(random, branch.text.phonePrefix),
    entityToInvoice: payerOf(random, lead),
    currency: branch.currency,
    baseFeeCents: baseUsdCents === 0 ? undefined : inCurrency(baseUsdCents, branch.currency),
    travelFeeCents: travelUsdCents === 0 ? undefined : inCurrency(travelUsdCents, branch.currency),
    baseFeeTaxable: baseUsdCents > 0 && random.chance(0.2) ? false : undefined,
    travelFeeTaxable: travelUsdCents > 0 && random.chance(0.5) ? false : undefined,
    sentAt: times.sentAt,
    expiresAt: times.expiresAt,
    bookedAt: times.bookedAt,
    lostAt: times.lostAt,
    lostReason: times.lostReason,
    deletedAt: times.deletedAt,
    createdAt: iso(createdAt),
    updatedAt: times.updatedAt,
  })
}

/** Every fortieth quote has the same time as the previous one: the time alone does not give an order. */
function createdAtOf(catalog: Catalog, index: number): number {
  return arrivalOf(catalog, index % 40 === 6 ? index - 1 : index)
}

function enquiryOf(catalog: Catalog, index: number, random: Random): Enquiry {
  const { plan, branches, eventTypes } = catalog
  const { record: lead, home } = leadOf(
    catalog,
    leadIndexOf(plan, index, random.pick([0, 0, 0, 1, 2, 5, 13])),
  )
  const state = stateOf(index, plan.quotes)
  // Some drafts are empty.
  const isEmpty = state === 'DRAFT' && random.chance(0.15)
  const dayCount = isEmpty ? 0 : random.many(plan.daysPerQuote, MOST_DAYS)
  const lineCount = isEmpty ? 0 : Math.min(MOST_LINES, random.int(1, Math.round(2 * plan.linesPerQuote - 1)))
  const types = eventTypes[lead.companyName === undefined ? 'PEOPLE' : 'COMPANIES']
  const eventType = random.pick(dayCount > 1 ? types.moreDays : types.oneDay)
  const [fewest, most] = eventType.text.guests
  return {
    number: numberOf(plan, index + 1),
    index,
    state,
    random,
    createdAt: createdAtOf(catalog, index),
    branch: random.chance(0.8) ? home : random.pick(branches),
    eventType,
    guestCount: random.int(fewest, most),
    lead,
    dayCount,
    lineCount,
  }
}

export function quoteBundle(catalog: Catalog, index: number): QuoteBundle {
  const random = new Random(`${catalog.seed}/${catalog.plan.id}/quote/${index}`)
  const enquiry = enquiryOf(catalog, index, random)
  const days = daysOf(catalog, enquiry)
  const terms = termsOf(catalog, enquiry)
  const quote = quoteOf(catalog, enquiry, terms)
  const { number, guestCount, createdAt, lineCount } = enquiry
  const lines = linesOf(catalog, { number, guestCount, createdAt, quote, days }, random, lineCount)
  return { enquiry, terms, quote, days, lines }
}
