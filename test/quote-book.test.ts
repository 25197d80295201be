import { describe, expect, it } from 'vitest'
import { bookQuote, markLost, markSent, reopenQuote } from './support/quote-actions.ts'
import { plant, plantMany } from './support/quotes.ts'
import type { Row } from './support/quotes.ts'
import { CUSTOM, createQuoteEditor, done, expectRoundTrip } from './support/quote-edit.ts'

const { pool, connection, get, plantQuote, find, save, rowsOf } = await createQuoteEditor()

describe('state changes of a quote', () => {
  it('sends for thirty days or until a given time, repeatedly', async () => {
    const id = await plantQuote()
    const sent = done(await markSent(pool, 'co_1', id, (await find(id)).version, null))
    const { sentAt, expiresAt } = sent.facts
    expect(Date.parse(expiresAt ?? '') - Date.parse(sentAt ?? '')).toBe(30 * 86_400_000)
    const again = done(await markSent(pool, 'co_1', id, sent.version, '2027-01-01T00:00:00.000Z'))
    expect(again.facts.expiresAt).toBe('2027-01-01T00:00:00.000Z')
    expect(await get(id)).toMatchObject({ sentAt: again.facts.sentAt, expiresAt: '2027-01-01T00:00:00.000Z' })
  })

  it('marks as lost with a reason, and reopens', async () => {
    const id = await plantQuote({ sent_at: '2026-05-01T00:00:00Z' })
    const lost = done(await markLost(pool, 'co_1', id, (await find(id)).version, 'WENT_SILENT'))
    expect(await get(id)).toMatchObject({ lostReason: 'WENT_SILENT', lostAt: lost.facts.lostAt })
    for (const outcome of [
      await markLost(pool, 'co_1', id, lost.version, 'PRICE'),
      await markSent(pool, 'co_1', id, lost.version, null),
      await bookQuote(pool, 'co_1', id, lost.version),
    ]) {
      expect(outcome).toMatchObject({ kind: 'rejected', message: expect.stringContaining('lost') })
    }
    const open = done(await reopenQuote(pool, 'co_1', id, lost.version))
    expect(open.facts).toMatchObject({ standing: 'sent', lostAt: null, lostReason: null })
    expect(await reopenQuote(pool, 'co_1', id, open.version)).toEqual({
      kind: 'rejected',
      message: 'Only a lost quote can be reopened.',
    })
  })
})

describe('booking', () => {
  it('creates the booking with the total of the quote, and one event for each day', async () => {
    const id = await plantQuote({
      event_type_id: 'type',
      entity_to_invoice: 'Lindqvist AB',
      tax_rate_id: 'tax',
      event_address: 'Pier 4',
      event_description: 'By the water',
      site_contact_name: 'Bo',
      site_contact_phone: '+1 555 0101',
      number_of_staff: 4,
      number_of_resources: 2,
      guest_count: 90,
    })
    await plantMany(pool, 'line_items', 'co_1', [
      { id: `${id} a`, quote_id: id, kind: 'SERVICE', service_id: 'old_bar', service_day_id: `${id} day 2` },
      { id: `${id} b`, quote_id: id, kind: 'SERVICE', service_id: 'nowhere', service_day_id: `${id} day 2` },
      { id: `${id} c`, quote_id: id, kind: 'SERVICE', service_id: 'bar', service_day_id: `${id} day 1` },
    ])
    const total = (await get(id)).totalPriceCents
    const booked = done(await bookQuote(pool, 'co_1', id, (await find(id)).version))
    const api = await get(id, 'expand[]=booking.events&expand[]=booking.lead')
    const event = {
      object: 'event',
      companyId: 'co_1',
      bookingId: booked.facts.bookingId,
      locationId: 'loc_1',
      clientName: 'Ada Lindqvist',
      clientEmail: 'ada@example.com',
      clientPhone: '+1 555 0100',
      siteContactName: 'Bo',
      siteContactPhone: '+1 555 0101',
      eventDescription: 'By the water',
      eventAddress: 'Pier 4',
      shiftStartTime: null,
      staffNumber: 4,
      resourceNumber: 2,
      guestCount: 90,
      multiDay: true,
    }
    expect(api).toMatchObject({
      bookedAt: booked.facts.bookedAt,
      bookingId: expect.stringMatching(/^book_/),
      totalPriceCents: total,
      booking: {
        quoteId: id,
        leadId: 'lead',
        eventTypeId: 'type',
        fullName: 'Ada Lindqvist',
        email: 'ada@example.com',
        phone: '+1 555 0100',
        entityToInvoice: 'Lindqvist AB',
        currency: { isoCode: 'USD' },
        totalPriceCents: total,
        events: [
          {
            ...event,
            name: 'Ada Lindqvist: Wedding, day 1 of 2',
            serviceStartTime: '2026-06-01T16:00:00.000Z',
            serviceEndTime: '2026-06-01T22:00:00.000Z',
          },
          {
            ...event,
            name: 'Ada Lindqvist: Wedding, day 2 of 2',
            serviceStartTime: '2026-06-02T16:00:00.000Z',
            serviceEndTime: '2026-06-02T22:00:00.000Z',
          },
        ],
      },
    })
    expect(
      await rowsOf(
        'SELECT service_ids, addon_ids FROM events WHERE booking_id = $1 ORDER BY service_start_time',
        booked.facts.bookingId,
      ),
    ).toEqual([
      { service_ids: ['bar'], addon_ids: ['ice'] },
      { service_ids: ['old_bar'], addon_ids: ['ice'] },
    ])
    expect(await bookQuote(pool, 'co_1', id, booked.version)).toEqual({
      kind: 'rejected',
      message: 'This quote is already booked.',
    })
  })

  it('books a quote with a missing contact and a missing event type', async () => {
    const id = await plantQuote({ lead_id: 'lead_foreign', event_type_id: 'type_foreign' })
    const booked = done(await bookQuote(pool, 'co_1', id, (await find(id)).version))
    const api = await get(id, 'expand[]=booking.events')
    expect(api['booking']).toMatchObject({ leadId: 'lead_foreign', fullName: null, email: null, phone: null })
    expect(booked.facts.standing).toBe('booked')
    expect((api['booking'] as { events: Row[] }).events[0]).toMatchObject({ name: null, clientName: null })
  })

  it('rejects a quote without days, with a total above the maximum, or with a booking', async () => {
    await plant(pool, 'quotes', 'co_1', 'no days')
    const dear = await plantQuote({ base_fee_cents: 100_000_000_000 })
    const strange = await plantQuote({ booking_id: 'elsewhere' })
    for (const [id, message] of [
      ['no days', 'has no days'],
      [dear, 'too high'],
      [strange, 'already has a booking'],
    ] as const) {
      const outcome = await bookQuote(pool, 'co_1', id, (await find(id)).version)
      expect(outcome).toEqual({ kind: 'rejected', message: expect.stringContaining(message) })
      expect(await rowsOf('SELECT 1 FROM bookings WHERE quote_id = $1', id)).toEqual([])
    }
  })

  it('creates one booking for concurrent requests', async () => {
    const id = await plantQuote()
    const { version } = await find(id)
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => bookQuote(pool, 'co_1', id, version)))
    expect(outcomes.filter(({ kind }) => kind === 'done')).toHaveLength(1)
    expect(outcomes.filter(({ kind }) => kind === 'rejected')).toHaveLength(7)
    expect(await rowsOf('SELECT 1 FROM bookings WHERE quote_id = $1', id)).toHaveLength(1)
    const [count] = await rowsOf(
      'SELECT count(*)::int FROM events WHERE booking_id = (SELECT booking_id FROM quotes WHERE id = $1)',
      id,
    )
    expect(count).toEqual({ count: 2 })
  })

  it('writes nothing if a statement fails', async () => {
    const id = await plantQuote()
    const quote = await find(id)
    // The last statement of a booking writes to this table.
    await pool.query(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$;
      CREATE TRIGGER fail BEFORE UPDATE ON quotes FOR EACH ROW EXECUTE FUNCTION fail()`)
    try {
      await expect(bookQuote(pool, 'co_1', id, quote.version)).rejects.toThrow('no')
      await expect(save(quote, { lines: [CUSTOM] })).rejects.toThrow('no')
    } finally {
      await pool.query('DROP FUNCTION fail CASCADE')
    }
    expect(await rowsOf('SELECT 1 FROM bookings WHERE quote_id = $1', id)).toEqual([])
    expect(await find(id)).toEqual(quote)
  })
})

it('creates data that survives export and import', () => expectRoundTrip(connection))
