/** Booking a quote: the booking with the price that was agreed, and one event for each service day; all or nothing. */
import { sql } from '../db/sql.ts'
import type { Db, DbPool } from '../db/statement.ts'
import { newId } from '../core/ids.ts'
import { NO_SERVICE_DAYS, clientName, planEvents } from '../core/quotes/quote-booking.ts'
import { MONEY_MAX_CENTS } from '../core/quotes/quote-edit.ts'
import { queryRows, statement } from '../db/statement.ts'
import { changeQuote } from '../records/quote/edit.ts'
import type { ChangeOutcome, EditableQuote, Refusal } from '../records/quote/edit.ts'

const ADD_BOOKING = statement(sql`
  INSERT INTO bookings (company_id, id, quote_id, lead_id, event_type_id, full_name, email, phone, entity_to_invoice,
    currency, total_price_cents)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`)

/** What all events of a booking have in common comes from the quote itself. */
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
  UPDATE quotes SET booked_at = now(), booking_id = $3, updated_at = now() WHERE company_id = $1 AND id = $2`)

export async function bookQuote(
  pool: DbPool,
  companyId: string,
  id: string,
  version: string,
): Promise<ChangeOutcome> {
  return changeQuote(pool, companyId, id, version, {
    action: 'book',
    apply: async (client, quote) => {
      const refusal = bookingRefusal(quote)
      if (refusal === null) await writeBooking(client, companyId, quote)
      return refusal
    },
  })
}

function bookingRefusal({ facts, serviceDays, price }: EditableQuote): Refusal | null {
  // Only data from elsewhere has a booking on a quote that is not booked.
  if (facts.bookingId !== null) {
    return { kind: 'refused', message: 'This quote already has a booking.' }
  }
  if (serviceDays.length === 0) {
    return { kind: 'refused', message: NO_SERVICE_DAYS }
  }
  if (price.totalCents > MONEY_MAX_CENTS) {
    return { kind: 'refused', message: 'The total of this quote is too high to book. Lower it first.' }
  }
  return null
}

async function writeBooking(client: Db, companyId: string, quote: EditableQuote): Promise<void> {
  const { facts, serviceDays, content, catalogue, price } = quote
  const bookingId = newId('book')
  const name = clientName(facts.lead)
  const email = facts.lead?.email ?? null
  const phone = facts.lead?.phone ?? null
  await queryRows(client, ADD_BOOKING, [
    companyId,
    bookingId,
    quote.id,
    facts.leadId,
    facts.eventTypeId,
    name,
    email,
    phone,
    facts.entityToInvoice,
    facts.currency,
    price.totalCents,
  ])
  const events = planEvents({ client: name, eventType: facts.eventType }, serviceDays, content, catalogue)
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
  await queryRows(client, MARK_BOOKED, [companyId, quote.id, bookingId])
}
