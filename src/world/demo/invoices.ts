import { parsePercent, percentOf, toNumber } from '../../core/pricing/money.ts'
import type { PriceBreakdown } from '../../core/pricing/price-quote.ts'
import type { Catalog } from './catalog.ts'
import type { QuoteBundle } from './quotes.ts'
import type { Random } from './random.ts'
import { type InvoiceLine, type RecordOf, present } from './records.ts'
import { ANCHOR, DAY, iso, pastOnly } from './times.ts'

/** The state of the last invoice of a booking. */
type Standing = 'PAID' | 'OPEN' | 'PARTLY_PAID' | 'OVERDUE' | 'DRAFT' | 'VOID'

/** Repeats every ten bookings. Reissued: a wrong invoice was voided and replaced. */
const OUTCOMES = [
  'PAID',
  'OPEN',
  'OVERDUE',
  'PAID',
  'PARTLY_PAID',
  'DRAFT',
  'REISSUED',
  'PAID',
  'CANCELED',
  'PAID',
] as const

export type Outcome = (typeof OUTCOMES)[number]

export function outcomeOf(bookingOrdinal: number): Outcome {
  return OUTCOMES[bookingOrdinal % OUTCOMES.length] ?? 'PAID'
}

/** One invoice to create. */
interface Part {
  /** Empty for an invoice over everything. */
  title: string
  lines: InvoiceLine[]
  standing: Standing
}

function depositOf(terms: RecordOf<'paymentTerms'> | null, totalCents: number): number {
  if (terms?.paymentSchedule !== 'DEPOSIT') return 0
  if (terms.depositPercentage !== undefined) {
    return toNumber(percentOf(BigInt(totalCents), parsePercent(String(terms.depositPercentage))))
  }
  return Math.min(totalCents, terms.depositAmountCents ?? 0)
}

/** Lines and fees after discounts, then charges and tax. They add up to the total without a negative line. */
function detailedLines({ lines, terms }: QuoteBundle, price: PriceBreakdown): InvoiceLine[] {
  const { serviceCharges, taxRate } = terms
  const entries = new Map(lines.map((line) => [line.record.id, line]))
  const chargeNames = new Map(serviceCharges.map(({ id, name }) => [id, name]))
  const fees = { BASE: 'Base fee', TRAVEL: 'Travel' }
  return [
    ...price.lines.map(({ id, netCents }) => ({
      description: entries.get(id)?.label ?? id,
      quantity: entries.get(id)?.record.quantity ?? 1,
      amountCents: netCents,
    })),
    ...price.fees
      .filter(({ grossCents }) => grossCents > 0)
      .map(({ kind, netCents }) => ({ description: fees[kind], amountCents: netCents })),
    ...price.serviceCharges.map(({ id, amountCents }) => ({
      // Without the currency, which is part of the name if a charge exists in several.
      description: (chargeNames.get(id) ?? id).replace(/ \([A-Z]{3}\)$/, ''),
      amountCents,
    })),
    ...(taxRate === null ? [] : [{ description: taxLabel(taxRate), amountCents: price.taxCents }]),
  ]
}

/** Some names contain the rate. */
function taxLabel({ name, rate }: RecordOf<'taxRate'>): string {
  return name.includes('%') ? name : `${name}, ${rate}%`
}

function partsOf(
  bundle: QuoteBundle,
  price: PriceBreakdown,
  gratuityCents: number,
  outcome: Outcome,
): Part[] {
  const depositCents = depositOf(bundle.terms.paymentTerms, price.totalCents)
  const isCanceled = outcome === 'CANCELED'
  const parts: Part[] = []
  let lines = detailedLines(bundle, price)
  if (depositCents > 0) {
    const deposit = { description: 'Deposit to confirm your booking', amountCents: depositCents }
    parts.push({ title: 'Deposit', lines: [deposit], standing: isCanceled ? 'VOID' : 'PAID' })
    lines = [{ description: 'Balance after your deposit', amountCents: price.totalCents - depositCents }]
  }
  if (gratuityCents > 0) lines.push({ description: 'Gratuity', amountCents: gratuityCents })
  const title = depositCents > 0 ? 'Balance' : ''
  if (outcome === 'REISSUED') {
    parts.push({ title, lines, standing: 'VOID' }, { title, lines, standing: 'PAID' })
  } else {
    parts.push({ title, lines, standing: isCanceled ? 'VOID' : outcome })
  }
  return parts
}

/** `HE-2026-0017-2` for the second invoice of a booking at Harborlight Events. */
function invoiceNumberOf(
  { plan }: Catalog,
  { enquiry: { number } }: QuoteBundle,
  issued: number,
  order: number,
): string {
  const initials = plan.name.replaceAll(/[^A-Z]/g, '')
  return `${initials}-${iso(issued).slice(0, 4)}-${number.toUpperCase()}-${order}`
}

/**
 * Whether an invoice is overdue depends on the current day. Some open and partly paid ones have no due date, so that every
 * status exists on every day.
 */
function dueDateOf(standing: Standing, issued: number, dueDays: number, random: Random): number | null {
  if (standing === 'OPEN' || standing === 'PARTLY_PAID') {
    return random.chance(0.5) ? ANCHOR + random.int(20, 100) * DAY : null
  }
  const due = issued + dueDays * DAY
  return standing === 'OVERDUE' ? pastOnly(due) : due
}

function paidOf(standing: Standing, totalCents: number): number {
  if (standing === 'PAID') return totalCents
  return standing === 'PARTLY_PAID' ? Math.floor(totalCents * 0.4) : 0
}

/** Customers read this on the invoice page. */
function noteOf(standing: Standing, outcome: Outcome): string | undefined {
  if (standing === 'VOID') {
    return outcome === 'CANCELED'
      ? 'This invoice is void because the event was canceled. There is nothing to pay.'
      : 'This invoice is void. Please use the new invoice with your corrected billing address.'
  }
  return standing === 'OVERDUE'
    ? 'This payment is past its due date. If it is already on its way, thank you, and please ignore this reminder.'
    : undefined
}

/** `Deposit: Wedding, July 18, 2026`. */
function describeInvoice(title: string, eventType: string, firstDay: number | undefined): string {
  const day = firstDay === undefined ? 'date to be confirmed' : DAY_FORMAT.format(firstDay)
  const about = `${eventType}, ${day}`
  return title === '' ? about : `${title}: ${about}`
}

const DAY_FORMAT = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

export function invoicesOf(
  catalog: Catalog,
  bundle: QuoteBundle,
  booking: RecordOf<'booking'>,
  price: PriceBreakdown,
  outcome: Outcome,
): RecordOf<'invoice'>[] {
  const { days, terms } = bundle
  const { number, random, lead, eventType } = bundle.enquiry
  const [firstDay] = days
  const booked = Date.parse(booking.createdAt)
  return partsOf(bundle, price, booking.gratuityAmountCents ?? 0, outcome).map((part, index) => {
    const { title, lines, standing } = part
    const issued = pastOnly(booked + index * random.int(1, 6) * DAY)
    const due = dueDateOf(standing, issued, terms.paymentTerms?.invoiceDueDays ?? 0, random)
    const totalCents = lines.reduce((sum, { amountCents }) => sum + amountCents, 0)
    const settledAt = iso(pastOnly(issued + random.int(1, 9) * DAY))
    const isSettled = standing === 'PAID' || standing === 'PARTLY_PAID' || standing === 'VOID'
    return present<RecordOf<'invoice'>>({
      object: 'invoice',
      id: `inv_${number}_${index + 1}`,
      companyId: catalog.plan.id,
      bookingId: booking.id,
      leadId: lead.id,
      invoiceNumber: invoiceNumberOf(catalog, bundle, issued, index + 1),
      description: describeInvoice(title, eventType.text.name, firstDay?.midnight),
      notes: noteOf(standing, outcome),
      poNumber:
        lead.companyName !== undefined && random.chance(0.6) ? `PO-${random.int(10_000, 99_999)}` : undefined,
      currency: booking.currency,
      totalCents,
      discountCents: 0,
      deductedCents: 0,
      amountPaidCents: paidOf(standing, totalCents),
      issuedAt: standing === 'DRAFT' ? undefined : iso(issued),
      dueDate: standing === 'DRAFT' || due === null ? undefined : iso(due),
      voidedAt: standing === 'VOID' ? settledAt : undefined,
      lines,
      createdAt: iso(issued),
      updatedAt: isSettled ? settledAt : iso(issued),
    })
  })
}
