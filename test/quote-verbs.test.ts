/** POST /quotes/{id}/send, /lose, /reopen and /book. */
import { describe, expect, it } from 'vitest'
import { readChanges } from './support/actions.ts'
import { OTHER_KEY, createQuoteApi, plant } from './support/quotes.ts'
import type { QuoteObject, Row } from './support/quotes.ts'
import { errorOf, poster } from './support/writes.ts'

const { pool, server, get } = await createQuoteApi()
const post = poster(server)
await plant(pool, 'leads', 'co_1', 'lead_1', { first_name: 'Ada', last_name: 'Lindqvist' })

let planted = 0

/** A quote with a day and a line, unless the row says otherwise. */
async function plantQuote(row: Row = {}, { days = 1, lines = 1 } = {}): Promise<string> {
  const id = `q_${++planted}`
  await plant(pool, 'quotes', 'co_1', id, { updated_at: '2026-01-01T00:00:00Z', ...row })
  for (let i = 0; i < days; i++) await plant(pool, 'service_days', 'co_1', `${id} ${i}`, { quote_id: id })
  for (let i = 0; i < lines; i++) {
    await plant(pool, 'line_items', 'co_1', `${id} ${i}`, { quote_id: id, price_cents: 5_000 })
  }
  return id
}

const changesOf = async (id: string) =>
  (await readChanges(pool)).filter(({ subject }) => subject === `quote ${id}`)

const PAST = '2026-02-01T00:00:00.000Z'
const FUTURE = '2099-01-01T00:00:00.000Z'
const BOOKED = { sent_at: PAST, booked_at: PAST }
const LOST = { lost_at: PAST, lost_reason: 'PRICE' }

describe('Q12: POST /quotes/{id}/send', () => {
  it('Q12, W2: sets sentAt and expiresAt, and returns the quote as a get does', async () => {
    const id = await plantQuote()
    const started = new Date().toISOString()
    const { status, body } = await post(`/api/quotes/${id}/send`, { expiresAt: FUTURE, message: 'Hello' })
    expect(status).toBe(200)
    const quote = body as QuoteObject
    expect(quote).toMatchObject({ object: 'quote', id, expiresAt: FUTURE, totalPriceCents: 5_000 })
    expect(String(quote['sentAt']) >= started).toBe(true)
    expect(await get(id)).toEqual(quote)
  })

  it('Q12, F6: records quote.sent with the old times, without the message', async () => {
    const id = await plantQuote({ sent_at: PAST, expires_at: PAST })
    const { body } = await post(`/api/quotes/${id}/send`, { message: 'Hello', expiresAt: FUTURE })
    expect(await changesOf(id)).toMatchObject([
      { type: 'quote.sent', previous: { sentAt: PAST, expiresAt: PAST } },
    ])
    expect((await changesOf(id))[0]?.data).toEqual({ object: body })
  })

  it.each([
    ['keeps the expiration', {}, FUTURE],
    ['removes the expiration', { expiresAt: null }, null],
  ])('Q12: %s with %j', async (_, sent, expiresAt) => {
    const id = await plantQuote({ expires_at: FUTURE })
    expect((await post(`/api/quotes/${id}/send`, sent)).body).toMatchObject({ expiresAt })
  })

  it('Q12: updatedAt of concurrent sends only moves forward', async () => {
    const id = await plantQuote()
    await Promise.all(Array.from({ length: 12 }, () => post(`/api/quotes/${id}/send`)))
    const times = (await changesOf(id)).map(
      ({ data }) => (data['object'] as QuoteObject)['updatedAt'] as string,
    )
    expect(times).toHaveLength(12)
    expect(times).toEqual([...new Set(times)].toSorted())
  })

  it('Q12: sends again', async () => {
    const id = await plantQuote({ sent_at: PAST })
    await post(`/api/quotes/${id}/send`)
    const first = (await get(id))['sentAt']
    await post(`/api/quotes/${id}/send`)
    expect((await get(id))['sentAt'] !== PAST && first !== PAST).toBe(true)
    expect((await changesOf(id)).map(({ type }) => type)).toEqual(['quote.sent', 'quote.sent'])
  })

  it.each([
    [{ expiresAt: PAST }, 'expiresAt', 'expiresAt must be in the future'],
    [{ expiresAt: 'tomorrow' }, 'expiresAt', /ISO 8601/],
    [{ message: 5 }, 'message', 'message must be a string'],
    [{ message: 'x'.repeat(10_001) }, 'message', /at most/],
    [{ to: 'ada' }, 'to', /not a known/],
  ])('W4: rejects %j, also for an unknown quote', async (body, param, message) => {
    for (const id of [await plantQuote(), 'unknown']) {
      const error = errorOf(await post(`/api/quotes/${id}/send`, body))
      expect(error).toMatchObject({ status: 400, param, message: expect.stringMatching(message) })
    }
  })
})

describe('Q13: POST /quotes/{id}/lose and /reopen', () => {
  it('Q13: marks the quote as lost, and reopens it', async () => {
    const id = await plantQuote({ sent_at: PAST })
    const lost = (await post(`/api/quotes/${id}/lose`, { lostReason: 'WENT_SILENT' })).body as QuoteObject
    expect(lost).toMatchObject({ lostReason: 'WENT_SILENT', lostAt: expect.any(String), sentAt: PAST })
    const open = (await post(`/api/quotes/${id}/reopen`)).body
    expect(open).toMatchObject({ lostReason: null, lostAt: null, sentAt: PAST })
    expect(await get(id)).toEqual(open)
    expect(await changesOf(id)).toMatchObject([
      { type: 'quote.lost', previous: { lostAt: null, lostReason: null } },
      { type: 'quote.reopened', previous: { lostAt: lost['lostAt'], lostReason: 'WENT_SILENT' } },
    ])
  })

  it('Q13: reopens a quote that an import marked as booked and lost', async () => {
    const id = await plantQuote({ ...BOOKED, ...LOST })
    expect((await post(`/api/quotes/${id}/reopen`)).body).toMatchObject({ lostAt: null, bookedAt: PAST })
    expect(errorOf(await post(`/api/quotes/${id}/reopen`))).toMatchObject({ code: 'quote_not_lost' })
  })

  it.each([
    [{}, 'lostReason is required'],
    [{ lostReason: null }, /must be one of/],
    [{ lostReason: 'price' }, /must be one of/],
  ])('W4: rejects %j', async (body, message) => {
    const error = errorOf(await post(`/api/quotes/${await plantQuote()}/lose`, body))
    expect(error).toMatchObject({
      status: 400,
      param: 'lostReason',
      message: expect.stringMatching(message),
    })
  })
})

describe('Q14: POST /quotes/{id}/book', () => {
  it('Q14: creates the booking and an event for each day', async () => {
    const id = await plantQuote({ entity_to_invoice: 'Lindqvist AB' }, { days: 2 })
    const { status, body } = await post(`/api/quotes/${id}/book`)
    expect(status).toBe(200)
    const { booking, ...quote } = await get(id, 'expand[]=booking.events')
    expect(quote).toEqual(body)
    expect(quote).toMatchObject({ bookedAt: expect.any(String), bookingId: expect.any(String), sentAt: null })
    expect(booking).toMatchObject({
      quoteId: id,
      leadId: 'lead_1',
      fullName: 'Ada Lindqvist',
      entityToInvoice: 'Lindqvist AB',
      totalPriceCents: 5_000,
      events: [{ multiDay: true }, { multiDay: true }],
    })
    const types = (await readChanges(pool)).slice(-5).map(({ type }) => type)
    expect(types).toEqual([
      'quote.booked',
      'booking.created',
      'event.created',
      'event.created',
      'invoice.created',
    ])
  })

  it('Q14, W10: books once for concurrent requests, with and without a key', async () => {
    const id = await plantQuote()
    const headers = { 'idempotency-key': 'book-once' }
    const answers = await Promise.all([
      ...[1, 2, 3].map(() => post(`/api/quotes/${id}/book`, {}, { headers })),
      ...[1, 2, 3].map(() => post(`/api/quotes/${id}/book`)),
    ])
    const { rows } = await pool.query(`SELECT FROM bookings WHERE company_id = 'co_1' AND quote_id = $1`, [
      id,
    ])
    expect(rows.length).toBe(1)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
  })
})

describe('Q15: conflicts of quotes', () => {
  it.each<[string, object, Row, string, { days?: number; lines?: number }?]>([
    ['send', {}, { ...BOOKED, ...LOST }, 'quote_booked', { lines: 0 }],
    ['send', {}, LOST, 'quote_lost', { lines: 0 }],
    ['send', {}, {}, 'quote_empty', { lines: 0 }],
    ['lose', { lostReason: 'PRICE' }, { ...BOOKED, ...LOST }, 'quote_booked'],
    ['lose', { lostReason: 'PRICE' }, LOST, 'quote_lost'],
    ['reopen', {}, BOOKED, 'quote_not_lost'],
    ['reopen', {}, { sent_at: PAST }, 'quote_not_lost'],
    ['reopen', {}, {}, 'quote_not_lost'],
    ['book', {}, { ...BOOKED, ...LOST }, 'quote_booked', { days: 0 }],
    ['book', {}, LOST, 'quote_lost', { days: 0 }],
    ['book', {}, {}, 'quote_without_days', { days: 0 }],
  ])('Q15: %s with %j rejects a quote with %j as %s', async (verb, body, row, code, parts) => {
    const id = await plantQuote(row, parts)
    const before = await get(id)
    const error = errorOf(await post(`/api/quotes/${id}/${verb}`, body))
    expect(error).toMatchObject({ status: 409, type: 'conflict_error', code })
    expect(error).not.toHaveProperty('param')
    expect(await get(id)).toEqual(before)
    expect(await changesOf(id)).toEqual([])
  })

  it.each(['send', 'lose', 'reopen', 'book'])('W6: %s responds with 404 for missing quotes', async (verb) => {
    const deleted = await plantQuote({ deleted_at: PAST })
    const body = verb === 'lose' ? { lostReason: 'PRICE' } : {}
    const own = await plantQuote()
    for (const [id, options] of [
      ['unknown', {}],
      ['%00', {}],
      [deleted, {}],
      [own, { key: OTHER_KEY }],
    ] as const) {
      expect(errorOf(await post(`/api/quotes/${id}/${verb}`, body, options))).toEqual({
        status: 404,
        type: 'invalid_request_error',
        code: 'not_found',
        message: 'Quote not found',
        param: 'id',
      })
    }
  })
})
