/** Booking a quote: the booking with the price that was agreed, and one event for each service day; all or nothing. */
import { sql } from '../db/sql.ts'
import { USERS_AND_KEYS } from '../core/callers.ts'
import { newId } from '../core/ids.ts'
import { ApiError } from '../core/requests/errors.ts'
import type { Terms } from '../core/quotes/booking-invoices.ts'
import { NO_SERVICE_DAYS, clientName, planEvents } from '../core/quotes/quote-booking.ts'
import { MONEY_MAX_CENTS } from '../core/quotes/quote-edit.ts'
import { queryRows, statement } from '../db/statement.ts'
import { BOOKING, loadBookings } from '../records/booking/object.ts'
import { refreshEventAssignments } from '../records/event/assignments.ts'
import { EVENT } from '../records/event/object.ts'
import { loadEventsOfBookings } from '../records/event/queries.ts'
import { cancelMailsOfQuote } from '../records/mail/queue.ts'
import type { EditableQuote } from '../records/quote/edit.ts'
import { NEXT_UPDATE } from '../codec/write.ts'
import { defineAction } from './action.ts'
import type { ActionTransaction } from './action.ts'
import { createInvoices, findTerms } from './booking-invoices.ts'
import { QuoteTarget, changeQuote } from './change-quote.ts'
import { subjectOf } from './subjects.ts'

const ADD_BOOKING = statement(sql`
  INSERT INTO bookings (company_id, id, quote_id, lead_id, event_type_id, full_name, email, phone, entity_to_invoice,
    currency, total_price_cents)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`)

/** The members that all events of a booking share come from the quote. */
const ADD_EVENTS = statement(sql`
  INSERT INTO events (company_id, id, booking_id, location_id, name, client_name, client_email, client_phone,
    site_contact_name, site_contact_phone, event_description, event_address, service_start_time, service_end_time,
    staff_number, resource_number, guest_count, multi_day, service_ids, addon_ids)
  SELECT $1, e.id, $3, q.location_id, e.name, $5, $6, $7,
    q.site_contact_name, q.site_contact_phone, q.event_description, q.event_address, e."serviceStartTime",
    e."serviceEndTime", q.number_of_staff, q.number_of_resources, q.guest_count, e."multiDay", e."serviceIds",
    e."addonIds"
  FROM quotes q
    CROSS JOIN json_to_recordset($4) AS e (id text, name text, "serviceStartTime" timestamptz,
      "serviceEndTime" timestamptz, "multiDay" boolean, "serviceIds" text[], "addonIds" text[])
  WHERE q.company_id = $1 AND q.id = $2`)

const MARK_BOOKED = statement(sql`
  UPDATE quotes SET booked_at = now(), booking_id = $3, ${NEXT_UPDATE} WHERE company_id = $1 AND id = $2`)

export const bookQuote = defineAction({
  name: 'bookQuote',
  allowed: USERS_AND_KEYS,
  input: QuoteTarget,
  lock: 'first',
  run: async (transaction, { id, version }) =>
    changeQuote(
      transaction,
      { id, version },
      {
        action: 'book',
        type: 'quote.booked',
        apply: async (quote) => {
          await refuseUnbookable(transaction, quote)
          const terms = await findTerms(transaction, quote.content.paymentTermsId)
          const bookingId = await writeBooking(transaction, quote, terms)
          await recordBooking(transaction, bookingId)
          return true
        },
      },
    ),
})

const FIND_BOOKING = statement(sql`
  SELECT 1 FROM bookings WHERE company_id = $1 AND quote_id = $2 AND canceled_at IS NULL LIMIT 1`)

export async function refuseUnbookable(
  { db, companyId }: ActionTransaction,
  { id, facts, content, price }: EditableQuote,
): Promise<void> {
  // Only an import creates a booking for a quote that is not booked, or removes the booking from its quote.
  if (facts.bookingId !== null || (await queryRows(db, FIND_BOOKING, [companyId, id])).length > 0) {
    throw new ApiError('quote_booked', { message: 'This quote already has a booking.' })
  }
  if (content.serviceDays.length === 0) throw new ApiError('quote_without_days', { message: NO_SERVICE_DAYS })
  if (price.totalCents > MONEY_MAX_CENTS) {
    throw new ApiError('total_too_high', {
      message: 'The total of this quote is too high to book. Lower it first.',
    })
  }
}

export async function recordBooking(
  { db, companyId, presentation, record }: ActionTransaction,
  bookingId: string,
): Promise<void> {
  const [booking] = await loadBookings(db, companyId, [bookingId])
  if (booking === undefined) throw new Error('the new booking is missing')
  record('booking.created', null, subjectOf(BOOKING.present(booking, presentation)))
  for (const event of await loadEventsOfBookings(db, companyId, [bookingId])) {
    record('event.created', null, subjectOf(EVENT.present(event, presentation)))
  }
}

/** Everything that a booking creates. Callers must lock the company first, and record the booking (`recordBooking`). */
export async function writeBooking(
  transaction: ActionTransaction,
  quote: EditableQuote,
  terms: Terms | null,
): Promise<string> {
  const { db: client, companyId } = transaction
  const { facts, content, catalog, price } = quote
  const bookingId = newId('book')
  const name = clientName(facts.lead)
  const email = facts.lead?.email ?? null
  const phone = facts.lead?.phone ?? null
  await queryRows(client, ADD_BOOKING, [
    companyId,
    bookingId,
    quote.id,
    content.leadId,
    content.eventTypeId,
    name,
    email,
    phone,
    content.entityToInvoice,
    facts.currency,
    price.totalCents,
  ])
  const events = planEvents({ client: name, eventType: facts.eventType }, content, catalog)
  const rows = events.map((event) => ({ ...event, id: newId('event') }))
  await queryRows(client, ADD_EVENTS, [
    companyId,
    quote.id,
    bookingId,
    JSON.stringify(rows),
    name,
    email,
    phone,
  ])
  const eventIds = rows.map(({ id }) => id)
  await refreshEventAssignments(client, companyId, eventIds)
  await createInvoices(transaction, bookingId, quote, terms)
  await cancelMailsOfQuote(client, companyId, quote.id)
  await queryRows(client, MARK_BOOKED, [companyId, quote.id, bookingId])
  return bookingId
}
