import type { Catalog } from './catalog.ts'
import type { FormEntry } from './forms.ts'
import type { QuoteBundle } from './quotes.ts'
import type { RecordOf, WorldRecord } from './records.ts'
import { ANCHOR, DAY, HOUR, iso, isoDate, pastOnly } from './times.ts'

function clockTime(hour: number): string {
  return `${String(Math.floor(hour)).padStart(2, '0')}:${hour % 1 === 0 ? '00' : '30'}`
}

function responseOf(
  catalog: Catalog,
  bundle: QuoteBundle,
  { form, questions }: FormEntry,
  id: string,
  ties: { bookingId?: string; quoteId?: string },
  at: number,
): RecordOf<'formResponse'> {
  const { quote, days } = bundle
  const { random, branch, guestCount } = bundle.enquiry
  const [firstDay] = days
  const dates = { createdAt: iso(at), updatedAt: iso(at) }
  const context = {
    eventAddress: quote.eventAddress,
    guestCount,
    date: firstDay === undefined ? null : isoDate(firstDay.midnight),
    time: firstDay === undefined ? null : clockTime(firstDay.hour),
    addonNames: catalog.addons.map(({ text }) => text.name),
    resourceNames: branch.resources.map(({ name }) => name),
  }
  const answers = []
  for (const { record, answer } of questions) {
    // Some optional questions are skipped.
    const isSkipped = !record.systemRequired && !record.userRequired && random.chance(0.25)
    const response = isSkipped ? null : answer(random, context)
    if (response === null) continue
    answers.push({
      id: `${id.replace('resp_', 'answer_')}_${record.position}`,
      questionId: record.id,
      response,
      createdAt: dates.createdAt,
      updatedAt: dates.updatedAt,
    })
  }
  return {
    object: 'formResponse',
    id,
    companyId: catalog.plan.id,
    formId: form.id,
    ...ties,
    answers,
    createdAt: dates.createdAt,
    updatedAt: dates.updatedAt,
  }
}

/** Responses to a sent quote that is not booked. */
export function* quoteResponses(catalog: Catalog, bundle: QuoteBundle): Generator<WorldRecord> {
  const { enquiry, quote } = bundle
  if (enquiry.state !== 'SENT' || enquiry.random.chance(0.7)) return
  const answered = pastOnly(Date.parse(quote.updatedAt) + 5 * HOUR)
  const id = `resp_${enquiry.number}_1`
  yield responseOf(catalog, bundle, catalog.forms.before, id, { quoteId: quote.id }, answered)
}

/** The form of this booking was answered twice. */
const ANSWERED_AGAIN = '0145'

/** Responses after booking and after the event. */
export function* bookingResponses(
  catalog: Catalog,
  bundle: QuoteBundle,
  booking: RecordOf<'booking'>,
): Generator<WorldRecord> {
  const { quote, days } = bundle
  const { number, random } = bundle.enquiry
  const { before, after } = catalog.forms
  const bookingId = booking.id
  if (random.chance(0.5)) {
    const answered = pastOnly(Date.parse(booking.createdAt) + 5 * HOUR)
    const ties = { bookingId, quoteId: quote.id }
    yield responseOf(catalog, bundle, before, `resp_${number}_1`, ties, answered)
  }
  const over = days.at(-1)?.end ?? ANCHOR
  if (booking.canceledAt === undefined && over + 3 * DAY < ANCHOR && random.chance(0.3)) {
    const answered = over + random.int(10, 60) * HOUR
    yield responseOf(catalog, bundle, after, `resp_${number}_2`, { bookingId }, answered)
  }
  if (number === ANSWERED_AGAIN) {
    const answered = pastOnly(Date.parse(booking.createdAt) + 2 * DAY)
    const ties = { bookingId, quoteId: quote.id }
    yield responseOf(catalog, bundle, before, `resp_${number}_3`, ties, answered)
  }
}
