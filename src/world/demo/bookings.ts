import type { Catalog } from './catalog.ts'
import { BILLING_NOTES, PAYMENT_METHODS } from './event-texts.ts'
import { eventRecords } from './events.ts'
import { invoicesOf, outcomeOf } from './invoices.ts'
import { nameOfLead } from './leads.ts'
import { priceOf } from './pricing.ts'
import type { QuoteBundle } from './quotes.ts'
import { bookingResponses } from './responses.ts'
import type { PriceBreakdown } from '../../core/pricing/price-quote.ts'
import { type RecordOf, type WorldRecord, present } from './records.ts'
import { DAY, iso, pastOnly } from './times.ts'

function bookingOf(
  { plan }: Catalog,
  { enquiry: { number, random, lead }, terms: { paymentTerms }, quote }: QuoteBundle,
  totalPriceCents: number,
  isCanceled: boolean,
): RecordOf<'booking'> {
  const createdAt = quote.bookedAt ?? quote.updatedAt
  const canceledAt = isCanceled ? iso(pastOnly(Date.parse(createdAt) + random.int(2, 20) * DAY)) : undefined
  const byCard = paymentTerms?.paymentSchedule === 'CARD_ON_FILE'
  // Whole units in most currencies.
  const gratuity = random.chance(0.25) ? Math.round((totalPriceCents * 0.12) / 100) * 100 : undefined
  return present<RecordOf<'booking'>>({
    object: 'booking',
    id: `book_${number}`,
    companyId: plan.id,
    quoteId: quote.id,
    leadId: lead.id,
    eventTypeId: quote.eventTypeId,
    fullName: nameOfLead(lead),
    email: lead.email,
    phone: lead.phone,
    entityToInvoice: quote.entityToInvoice,
    paymentMethod: byCard ? 'Credit card' : random.maybe(0.85, PAYMENT_METHODS),
    billingNotes: random.maybe(0.15, BILLING_NOTES),
    cardOnFile: byCard || random.chance(0.15),
    currency: quote.currency,
    totalPriceCents,
    gratuityAmountCents: gratuity,
    canceledAt,
    createdAt,
    updatedAt: canceledAt ?? createdAt,
  })
}

/** The booking of this quote was canceled, and then booked again. */
const REBOOKED = '0145'

function* firstBooking(
  catalog: Catalog,
  bundle: QuoteBundle,
  booking: RecordOf<'booking'>,
  price: PriceBreakdown,
): Generator<WorldRecord> {
  const at = Date.parse(booking.createdAt)
  const canceledAt = iso(at - DAY)
  const id = `${booking.id}_first`
  const first = { ...booking, id, createdAt: iso(at - 3 * DAY), updatedAt: canceledAt, canceledAt }
  yield first
  for (const invoice of invoicesOf(catalog, bundle, first, price, 'CANCELED')) {
    yield { ...invoice, id: `${invoice.id}_first`, invoiceNumber: `${invoice.invoiceNumber}-A` }
  }
}

/** The booking of a quote, with its events, invoices and form responses. */
export function* bookingRecords(
  catalog: Catalog,
  bundle: QuoteBundle,
  bookingOrdinal: number,
): Generator<WorldRecord> {
  const price = priceOf(bundle)
  const outcome = outcomeOf(bookingOrdinal)
  const booking = bookingOf(catalog, bundle, price.totalCents, outcome === 'CANCELED')
  yield booking
  yield* eventRecords(catalog, bundle, booking)
  yield* invoicesOf(catalog, bundle, booking, price, outcome)
  yield* bookingResponses(catalog, bundle, booking)
  if (bundle.enquiry.number === REBOOKED) yield* firstBooking(catalog, bundle, booking, price)
}
