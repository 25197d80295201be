/** The calls of the console that edit quotes. */
import { describe, expect, it } from 'vitest'
import type { QuoteContent, QuoteLine } from '../src/core/quotes/quote-edit.ts'
import type { QuoteChangeAnswer, QuoteEditAnswer } from '../src/console/quote-edit.ts'
import { signedIn } from './support/console.ts'
import { KEY, createQuoteApi, plant, plantMany } from './support/quotes.ts'
import type { Row } from './support/quotes.ts'

const { pool, connection, server, get } = await createQuoteApi()
const database = { pool, connection }
const [admin, member, foreigner] = [
  await signedIn(server, database, 'co_1'),
  await signedIn(server, database, 'co_1', 'MEMBER'),
  await signedIn(server, database, 'co_2'),
]

await plant(pool, 'services', 'co_1', 'bar')
await plant(pool, 'services', 'co_2', 'foreign bar')
await plant(pool, 'tax_rates', 'co_1', 'tax')
await plant(pool, 'leads', 'co_1', 'lead_1', { first_name: 'Ada', last_name: 'Lindqvist' })

let planted = 0
async function plantQuote(row: Row = {}): Promise<string> {
  const id = `quote/${++planted} ü`
  await plant(pool, 'quotes', 'co_1', id, row)
  await plant(pool, 'service_days', 'co_1', `${id} day`, { quote_id: id })
  await plantMany(pool, 'line_items', 'co_1', [{ id: `${id} line`, quote_id: id, price_cents: 20_000 }])
  return id
}

const NEW_LINE: QuoteLine = {
  id: null,
  serviceDayId: null,
  kind: 'SERVICE',
  serviceId: 'bar',
  addonId: null,
  description: null,
  quantity: '2.50',
  unitPriceCents: 1_000,
  priceCents: 2_500,
  taxable: true,
  discountId: null,
  optional: false,
  selected: true,
  optionGroup: null,
}

type Edit = (content: QuoteContent) => Partial<QuoteContent>

const editLine: Edit = ({ lines }) => ({
  lines: lines.map((line) => ({ ...line, quantity: '1.3', unitPriceCents: 20_000, priceCents: 26_000 })),
})

const editDay: Edit = ({ serviceDays }) => ({
  serviceDays: serviceDays.map((day) => ({ ...day, serviceEndTime: '2026-06-01T23:30:00.000Z' })),
})

const pathOf = (id: string, rest = '') => `quotes/${encodeURIComponent(id)}${rest}`

async function edit(id: string): Promise<QuoteEditAnswer> {
  const { status, body } = await admin.call('GET', pathOf(id, '/edit'))
  expect(status).toBe(200)
  return body as QuoteEditAnswer
}

const put = (id: string, version: string, content: unknown, user = admin) =>
  user.call('PUT', pathOf(id), { version, content })

const VERSION_CONFLICT = {
  error: expect.objectContaining({ code: 'conflict', details: { version: expect.anything() } }),
}

describe('GET /console/quotes/:id/edit', () => {
  it('returns the quote and the catalog', async () => {
    const id = await plantQuote()
    const answer = await edit(id)
    expect(answer).toMatchObject({
      id,
      currency: 'USD',
      totalCents: 20_000,
      standing: 'draft',
      client: 'Ada Lindqvist',
      number: null,
      validDays: 30,
      content: { serviceDays: [{ id: `${id} day`, serviceStartTime: '2026-06-01T16:00:00.000Z' }] },
      catalog: { services: [{ id: 'bar', name: 'Bar', isArchived: false }] },
    })
    expect(answer.version).toMatch(/^[0-9a-f]{64}$/)
  })

  it('answers 401 without a session, and 404 for a foreign, unknown or deleted quote', async () => {
    const id = await plantQuote()
    const deleted = await plantQuote({ deleted_at: '2026-01-01T00:00:00Z' })
    expect((await server.call(`/console/${pathOf(id, '/edit')}`)).status).toBe(401)
    expect((await foreigner.call('GET', pathOf(id, '/edit'))).status).toBe(404)
    for (const unknown of ['nowhere', deleted, '%00', 'x'.repeat(300)]) {
      expect((await admin.call('GET', pathOf(unknown, '/edit'))).status).toBe(404)
    }
  })
})

describe('PUT /console/quotes/:id', () => {
  it('saves for every role and returns the same total as the API', async () => {
    const id = await plantQuote()
    for (const user of [admin, member]) {
      const { version, content } = await edit(id)
      const lines = [...content.lines, NEW_LINE]
      const { status, body } = await put(id, version, { ...content, lines, taxRateId: 'tax' }, user)
      const answer = body as QuoteChangeAnswer
      expect(status).toBe(200)
      expect((await get(id)).totalPriceCents).toBe(answer.totalCents)
      expect((await edit(id)).version).toBe(answer.version)
    }
    const { content } = await edit(id)
    expect(content.lines).toMatchObject([{}, { quantity: '2.5', unitPriceCents: 1_000 }, { quantity: '2.5' }])
  })

  it.each<[what: string, change: Edit, total: number, previous: object]>([
    ['a line', editLine, 26_000, { totalPriceCents: 20_000 }],
    ['a day', editDay, 20_000, {}],
    [
      'a line and a day',
      (content) => ({ ...editLine(content), ...editDay(content) }),
      26_000,
      { totalPriceCents: 20_000 },
    ],
  ])('F1, F6: records one change with the previous total for %s', async (_, change, total, previous) => {
    const id = await plantQuote()
    const { version, content } = await edit(id)
    expect((await put(id, version, { ...content, ...change(content) })).status).toBe(200)
    const saved = await get(id)
    expect(saved.totalPriceCents).toBe(total)
    const changes = await server.get(`/api/changes?object_id=${encodeURIComponent(id)}`, KEY)
    expect((changes.body as { data: object[] }).data).toEqual([
      expect.objectContaining({
        type: 'quote.updated',
        actor: { type: 'user', id: 'user_ADMIN', name: 'The ADMIN' },
        subject: { object: 'quote', id },
        data: { object: saved },
        previous,
      }),
    ])
  })

  it('answers 409 after another user saved', async () => {
    const id = await plantQuote()
    const { version, content } = await edit(id)
    expect((await put(id, version, { ...content, baseFeeCents: 1 }, member)).status).toBe(200)
    const { status, body } = await put(id, version, { ...content, lines: [] })
    expect(status).toBe(409)
    expect(body).toEqual(VERSION_CONFLICT)
    expect((await edit(id)).content).toEqual({ ...content, baseFeeCents: 1 })
  })

  it('answers 409 quote_booked for a booked quote', async () => {
    const id = await plantQuote({ booked_at: '2026-05-01T00:00:00Z' })
    const { version, content } = await edit(id)
    const { status, body } = await put(id, version, content)
    expect(status).toBe(409)
    expect(body).toEqual({
      error: expect.objectContaining({ code: 'quote_booked', message: expect.stringContaining('is booked') }),
    })
    expect(body).not.toEqual(VERSION_CONFLICT)
  })

  it.each<[what: string, change: (content: QuoteContent) => unknown, field: string]>([
    ['no content', () => undefined, 'content'],
    ['an unknown member', (content) => ({ ...content, total: 1 }), 'content'],
    ['a fraction', (content) => ({ ...content, baseFeeCents: 0.5 }), 'content.baseFeeCents'],
    [
      'a price beyond the limit',
      (content) => ({ ...content, lines: [{ ...NEW_LINE, priceCents: 100_000_000_001 }] }),
      'content.lines.0.priceCents',
    ],
    [
      'a service of another company',
      (content) => ({ ...content, lines: [{ ...NEW_LINE, serviceId: 'foreign bar' }] }),
      'content.lines.0.serviceId',
    ],
    [
      'a line of another quote',
      (content) => ({ ...content, lines: [...content.lines, { ...NEW_LINE, id: 'quote/1 ü line' }] }),
      'content.lines.1.id',
    ],
    ['an unknown tax rate', (content) => ({ ...content, taxRateId: 'nowhere' }), 'content.taxRateId'],
  ])('answers 400 to %s and names the field', async (_, change, field) => {
    const id = await plantQuote()
    const { version, content } = await edit(id)
    const { status, body } = await put(id, version, change(content))
    expect(status).toBe(400)
    expect(Object.keys((body as { error: { details: object } }).error.details)).toEqual([field])
    expect((await edit(id)).version).toBe(version)
  })

  it('answers 400 without a version, and 404 for a foreign or unknown quote', async () => {
    const id = await plantQuote()
    const { version, content } = await edit(id)
    expect((await put(id, '', content)).status).toBe(400)
    expect((await put(id, version, content, foreigner)).status).toBe(404)
    expect((await put('nowhere', version, content)).status).toBe(404)
  })

  it('rejects requests from another site', async () => {
    const id = await plantQuote()
    const { version, content } = await edit(id)
    const { status } = await server.call(`/console/${pathOf(id)}`, {
      method: 'PUT',
      headers: {
        cookie: admin.cookie,
        origin: 'https://elsewhere.example',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ version, content }),
    })
    expect(status).toBe(403)
    expect((await edit(id)).version).toBe(version)
  })

  it('accepts 1,000 lines with descriptions, and rejects more', async () => {
    const id = await plantQuote()
    const { version, content } = await edit(id)
    const lines = Array.from({ length: 999 }, (_, i) => ({
      ...NEW_LINE,
      serviceDayId: `${id} day`,
      description: `Line ${i}: ${'with a description '.repeat(20)}`,
    }))
    const { status } = await put(id, version, { ...content, lines: [...content.lines, ...lines] })
    expect(status).toBe(200)
    const full = await edit(id)
    expect(full.content.lines).toHaveLength(1_000)
    expect(
      (await put(id, full.version, { ...full.content, lines: [...full.content.lines, NEW_LINE] })).status,
    ).toBe(400)
  })
})

describe('PUT /console/quotes/:id with a large body', () => {
  it('answers 413 with the limit', async () => {
    const { status, body } = await admin.call('PUT', pathOf(await plantQuote()), {
      content: 'x'.repeat(1024 * 1024),
    })
    expect(status).toBe(413)
    expect(body).toMatchObject({ error: { message: 'The request body is too large. Send at most 1 MiB.' } })
  })

  it('does not change the limit of other calls', async () => {
    const { status, body } = await admin.call('POST', 'definitions/discounts', {
      name: 'x'.repeat(64 * 1024),
    })
    expect(status).toBe(413)
    expect(body).toMatchObject({ error: { message: 'The request body is too large. Send at most 64 KiB.' } })
  })
})

describe('POST /console/quotes/:id/…', () => {
  it('sends, marks as lost, reopens and books the quote, also for the API', async () => {
    const id = await plantQuote()
    const act = async (action: string, body: object, user = admin) => {
      const { version } = await edit(id)
      const answer = await user.call('POST', pathOf(id, `/${action}`), { version, ...body })
      expect([action, answer.status]).toEqual([action, 200])
      return answer.body as QuoteChangeAnswer
    }
    await act('sent', { expiresAt: '2099-01-01T00:00:00+01:00' }, member)
    expect(await get(id)).toMatchObject({ sentAt: expect.any(String), expiresAt: '2098-12-31T23:00:00.000Z' })
    await act('lost', { reason: 'PRICE' })
    expect(await get(id)).toMatchObject({ lostAt: expect.any(String), lostReason: 'PRICE' })
    expect((await act('reopened', {})).standing).toBe('sent')
    expect(await get(id)).toMatchObject({ lostAt: null, lostReason: null })
    const { bookingId, totalCents } = await act('booked', {})
    expect(await get(id, 'expand[]=booking.events')).toMatchObject({
      bookingId,
      totalPriceCents: totalCents,
      booking: { totalPriceCents: totalCents, events: [{ eventAddress: '1 Quay Street' }] },
    })
    const { version } = await edit(id)
    const again = await admin.call('POST', pathOf(id, '/booked'), { version })
    expect(again.status).toBe(409)
    expect(again.body).toMatchObject({ error: { message: 'This quote is already booked.' } })
  })

  it.each(['sent', 'lost', 'booked'])(
    '%s: answers 409 to another version, and 404 to another company',
    async (action) => {
      const id = await plantQuote()
      const { version } = await edit(id)
      const body = { version, ...(action === 'lost' ? { reason: 'OTHER' } : {}) }
      expect((await foreigner.call('POST', pathOf(id, `/${action}`), body)).status).toBe(404)
      await pool.query('UPDATE line_items SET price_cents = 1 WHERE quote_id = $1', [id])
      const answer = await admin.call('POST', pathOf(id, `/${action}`), body)
      expect([answer.status, answer.body]).toEqual([409, VERSION_CONFLICT])
      expect(await get(id)).toMatchObject({ sentAt: null, lostAt: null, bookedAt: null })
    },
  )

  it.each<[action: string, body: object, field: string]>([
    ['sent', { expiresAt: 'tomorrow' }, 'expiresAt'],
    ['sent', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ['lost', {}, 'reason'],
    ['lost', { reason: 'RAIN' }, 'reason'],
  ])('%s: answers 400 to %o', async (action, body, field) => {
    const id = await plantQuote()
    const { version } = await edit(id)
    const answer = await admin.call('POST', pathOf(id, `/${action}`), { version, ...body })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ error: { details: { [field]: expect.anything() } } })
  })
})

describe('POST /console/definitions/…', () => {
  it.each<[kind: string, list: 'discounts' | 'serviceCharges' | 'taxRates', body: object]>([
    ['discounts', 'discounts', { name: 'Friends', type: 'PERCENT', percentOff: '12.5' }],
    ['discounts', 'discounts', { name: 'Voucher', type: 'AMOUNT', amountOff: 500, currency: 'USD' }],
    [
      'service-charges',
      'serviceCharges',
      { name: 'Venue', type: 'PERCENT', percentage: '5', taxable: false },
    ],
    ['tax-rates', 'taxRates', { name: 'City', rate: '3.25' }],
  ])('creates %s that only this company can choose', async (kind, list, body) => {
    const created = await member.call('POST', `definitions/${kind}`, body)
    expect(created.status).toBe(200)
    const { id, name } = created.body as { id: string; name: string }
    const { catalog } = await edit(await plantQuote())
    expect(catalog[list].find((definition) => definition.id === id)?.name).toBe(name)
    await plant(pool, 'quotes', 'co_2', `of ${id}`)
    const { body: foreign } = await foreigner.call('GET', pathOf(`of ${id}`, '/edit'))
    expect((foreign as QuoteEditAnswer).catalog[list].map((definition) => definition.id)).not.toContain(id)
  })

  it('answers 400 and names the invalid fields', async () => {
    const { status, body } = await admin.call('POST', 'definitions/discounts', {
      name: '',
      type: 'PERCENT',
      percentOff: '101',
    })
    expect(status).toBe(400)
    expect(Object.keys((body as { error: { details: object } }).error.details)).toEqual([
      'name',
      'percentOff',
    ])
  })
})
