import type { Catalogue } from './demo-catalogue.ts'
import { BILLING_NOTES, PAYMENT_METHODS } from './demo-event-texts.ts'
import { eventOf, tasksOf } from './demo-events.ts'
import type { FormEntry } from './demo-forms.ts'
import { invoicesOf, outcomeOf } from './demo-invoices.ts'
import { nameOfLead } from './demo-leads.ts'
import { priceOf } from './demo-pricing.ts'
import type { QuoteBundle } from './demo-quotes.ts'
import { type RecordOf, type WorldRecord, present } from './demo-records.ts'
import { ANCHOR, DAY, HOUR, iso, pastOnly } from './demo-times.ts'

function bookingOf(
  { plan }: Catalogue,
  { number, random, quote, lead, paymentTerms }: QuoteBundle,
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

function responseOf(
  catalogue: Catalogue,
  bundle: QuoteBundle,
  { form, questions }: FormEntry,
  id: string,
  ties: { bookingId?: string; quoteId?: string },
  at: number,
): RecordOf<'formResponse'> {
  const { random, quote, days, place, guestCount } = bundle
  const dates = { createdAt: iso(at), updatedAt: iso(at) }
  const context = {
    eventAddress: quote.eventAddress,
    guestCount,
    date: days[0]?.date ?? '',
    time: days[0]?.time ?? '',
    addonNames: catalogue.addons.map(({ text }) => text.name),
    resourceNames: place.resources.map(({ name }) => name),
  }
  const answers = []
  for (const { record, answer } of questions) {
    // Not everybody answers what need not be answered.
    const isSkipped = !record.systemRequired && !record.userRequired && random.chance(0.25)
    const response = isSkipped ? null : answer(random, context)
    if (response === null || response === '') continue
    answers.push({
      id: `answer_${record.position}`,
      questionId: record.id,
      response,
      createdAt: dates.createdAt,
      updatedAt: dates.updatedAt,
    })
  }
  return {
    object: 'formResponse',
    id,
    companyId: catalogue.plan.id,
    formId: form.id,
    ...ties,
    answers,
    createdAt: dates.createdAt,
    updatedAt: dates.updatedAt,
  }
}

/** Answers of clients: about the plans while the quote is open or booked, and about the event when it is over. */
export function* responsesOf(catalogue: Catalogue, bundle: QuoteBundle): Generator<WorldRecord> {
  const { number, state, random, quote, days } = bundle
  const { before, after } = catalogue.forms
  const quoteId = quote.id
  const asked = pastOnly(Date.parse(quote.updatedAt) + 5 * HOUR)
  const lastDay = days.at(-1)
  if (state === 'SENT' && random.chance(0.3)) {
    yield responseOf(catalogue, bundle, before, `resp_${number}_1`, { quoteId }, asked)
  }
  if (state !== 'BOOKED') return
  const bookingId = `book_${number}`
  if (random.chance(0.5)) {
    yield responseOf(catalogue, bundle, before, `resp_${number}_1`, { bookingId, quoteId }, asked)
  }
  if (lastDay !== undefined && lastDay.end + DAY < ANCHOR && random.chance(0.3)) {
    const answered = pastOnly(lastDay.end + random.int(10, 60) * HOUR)
    yield responseOf(catalogue, bundle, after, `resp_${number}_2`, { bookingId }, answered)
  }
}

/** All that follows from booking a quote. */
export function* bookingRecords(
  catalogue: Catalogue,
  bundle: QuoteBundle,
  bookingOrdinal: number,
): Generator<WorldRecord> {
  const price = priceOf(bundle)
  const outcome = outcomeOf(bookingOrdinal)
  const booking = bookingOf(catalogue, bundle, price.totalCents, outcome === 'CANCELED')
  yield booking
  for (const [index, day] of bundle.days.entries()) {
    const event = eventOf(catalogue, bundle, booking, day, index)
    yield event
    yield* tasksOf(event, bundle.random)
  }
  yield* invoicesOf(catalogue, bundle, booking, price, outcome)
}
