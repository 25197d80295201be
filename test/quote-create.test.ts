/** POST /quotes. */
import { describe, expect, it } from 'vitest'
import { findCalendarErrors } from '../src/records/quote/calendar.ts'
import { readChanges } from './support/actions.ts'
import { OTHER_KEY, createQuoteApi, plant } from './support/quotes.ts'
import type { QuoteObject } from './support/quotes.ts'
import { errorOf, poster } from './support/writes.ts'

const { pool, server, get, list } = await createQuoteApi()
const post = poster(server)

const ARCHIVED = { archived_at: '2026-01-01T00:00:00Z' }
for (const [table, id, row] of [
  ['leads', 'lead', { first_name: 'Ada' }],
  ['locations', 'loc', {}],
  ['event_types', 'type', {}],
  ['services', 'bar', {}],
  ['services', 'old_bar', ARCHIVED],
  ['addons', 'ice', {}],
  ['discounts', 'tenth', {}],
  ['discounts', 'old', ARCHIVED],
  ['discounts', 'euros', { type: 'AMOUNT', percent_off: null, amount_off: 500, currency: 'EUR' }],
  ['service_charges', 'fifth', {}],
  ['service_charges', 'yen', { type: 'AMOUNT', percentage: null, amount_cents: 9, currency: 'JPY' }],
  ['tax_rates', 'tax', {}],
  ['payment_terms', 'terms', {}],
  ['contracts', 'contract', {}],
] as const) {
  await plant(pool, table, 'co_1', id, row)
}
await plant(pool, 'leads', 'co_2', 'foreign')

const QUOTE = { leadId: 'lead', locationId: 'loc', eventAddress: 'Pier 4' }
const DAY = { serviceStartTime: '2027-06-01T16:00:00Z', serviceEndTime: '2027-06-01T22:00:00Z' }
const LINE = { kind: 'CUSTOM', priceCents: 100 }

const create = async (members: object = {}) => {
  const { status, body, text } = await post('/api/quotes', { ...QUOTE, ...members })
  expect(status, text).toBe(201)
  return body as QuoteObject
}
const counts = async () => {
  const { rows } = await pool.query<object>(
    `SELECT (SELECT count(*) FROM quotes) AS quotes, (SELECT count(*) FROM leads) AS leads,
      (SELECT count(*) FROM changes) AS changes`,
  )
  return rows[0]
}
const linesOf = async (id: string) => {
  const { rows } = await pool.query<Record<string, unknown>>(
    `SELECT service_day_id IS NOT NULL AS "ofDay", kind, service_id, addon_id, description, quantity::text,
      unit_price_cents::int, price_cents::int, taxable, discount_id
    FROM line_items WHERE company_id = 'co_1' AND quote_id = $1 ORDER BY created_at, id`,
    [id],
  )
  return rows
}

describe('Q16: POST /quotes', () => {
  it('Q16, W2: creates a quote with the defaults, as a get returns it', async () => {
    const quote = await create()
    expect(quote).toMatchObject({
      object: 'quote',
      leadId: 'lead',
      locationId: 'loc',
      eventAddress: 'Pier 4',
      eventTypeId: null,
      bookingId: null,
      sentAt: null,
      expiresAt: null,
      guestCount: 0,
      numberOfStaff: 0,
      currency: { isoCode: 'USD' },
      totalPriceCents: 0,
    })
    expect(await get(quote.id)).toEqual(quote)
    expect((await list('limit=1')).data).toEqual([quote])
    expect((await readChanges(pool)).at(-1)).toMatchObject({
      type: 'quote.created',
      subject: `quote ${quote.id}`,
      data: { object: quote },
      previous: {},
    })
  })

  it('Q16, W3: stores every member, and treats null as absent', async () => {
    const members = {
      eventTypeId: 'type',
      guestCount: 90,
      numberOfStaff: 4,
      numberOfResources: 2,
      eventDescription: 'By the water',
      siteContactName: 'Bo',
      siteContactPhone: '+1 555 0101',
      entityToInvoice: 'Lindqvist AB',
      discountId: 'tenth',
      taxRateId: 'tax',
      paymentTermsId: 'terms',
      contractId: 'contract',
    }
    const quote = await create({
      ...members,
      expiresAt: '2027-01-01T00:00:00.1239+01:00',
      currency: 'JPY',
      serviceChargeIds: ['fifth', 'yen'],
      baseFeeCents: 1_000,
      travelFeeCents: 500,
      serviceDays: null,
      lines: null,
      lead: null,
    })
    // 1500 less 10 %, plus 20 % and 9, plus 8.875 %.
    expect(quote).toMatchObject({
      ...members,
      expiresAt: '2026-12-31T23:00:00.123Z',
      currency: { isoCode: 'JPY' },
      totalPriceCents: 1_774,
    })
    expect(await create({ guestCount: null, serviceChargeIds: null })).toMatchObject({ guestCount: 0 })
  })

  it('Q16, F8: creates a lead, and records it before the quote', async () => {
    const { leadId: _, ...rest } = QUOTE
    const { status, body } = await post('/api/quotes', {
      ...rest,
      lead: { firstName: 'Nadia', email: null, phone: '+1 555 0102' },
    })
    expect(status).toBe(201)
    const { leadId, id } = body as { leadId: string; id: string }
    const lead = (await get(id, 'expand[]=lead'))['lead']
    expect(lead).toMatchObject({ id: leadId, name: 'Nadia', email: null })
    expect((await readChanges(pool)).slice(-2)).toMatchObject([
      { type: 'lead.created', data: { object: lead } },
      { type: 'quote.created', data: { object: body } },
    ])
  })

  it('W10: creates one quote per key', async () => {
    const headers = { 'idempotency-key': 'create' }
    const before = await counts()
    const answers = await Promise.all([1, 2, 3, 4].map(() => post('/api/quotes', QUOTE, { headers })))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(await counts()).not.toEqual(before)
    const ids = answers.map(({ body }) => (body as QuoteObject).id)
    expect((await readChanges(pool)).filter(({ subject }) => subject === `quote ${ids[0]}`).length).toBe(1)
  })

  it('A11: hides the quote from other companies', async () => {
    const { id } = await create()
    expect((await server.get(`/api/quotes/${id}`, OTHER_KEY)).status).toBe(404)
  })
})

describe('Q17: days and lines', () => {
  it('Q17, Q18: stores lines of days and of the whole event in their order', async () => {
    const quote = await create({
      serviceDays: [
        { ...DAY, lines: [{ kind: 'SERVICE', serviceId: 'bar', quantity: '2.50', unitPriceCents: 333 }] },
        { serviceStartTime: '2027-06-02T16:00:00Z', serviceEndTime: '2027-06-02T22:00:00Z' },
      ],
      lines: [
        { kind: 'ADDON', addonId: 'ice', priceCents: 250, quantity: 3, unitPriceCents: 100, taxable: false },
        { kind: 'CUSTOM', priceCents: 7, description: 'Site visit', discountId: 'tenth', serviceId: null },
      ],
    })
    const line = { ofDay: false, service_id: null, addon_id: null, description: null, discount_id: null }
    expect(await linesOf(quote.id)).toEqual([
      {
        ...line,
        ofDay: true,
        kind: 'SERVICE',
        service_id: 'bar',
        quantity: '2.5000',
        unit_price_cents: 333,
        price_cents: 833,
        taxable: true,
      },
      {
        ...line,
        kind: 'ADDON',
        addon_id: 'ice',
        quantity: '3.0000',
        unit_price_cents: 100,
        price_cents: 250,
        taxable: false,
      },
      {
        ...line,
        kind: 'CUSTOM',
        description: 'Site visit',
        discount_id: 'tenth',
        quantity: '1.0000',
        unit_price_cents: null,
        price_cents: 7,
        taxable: true,
      },
    ])
    expect(quote.totalPriceCents).toBe(833 + 250 + 6)
    const { serviceDays } = await get(quote.id, 'expand[]=serviceDays')
    expect(serviceDays).toMatchObject([
      { serviceStartTime: '2027-06-01T16:00:00.000Z' },
      { serviceStartTime: '2027-06-02T16:00:00.000Z' },
    ])
  })

  it('Q2, Q17: lists find the quote by the start of its days', async () => {
    const { id } = await create({ serviceDays: [DAY] })
    const found = await list(
      'service_start_time[gte]=2027-06-01T16:00:00Z&service_start_time[lt]=2027-06-01T16:00:01Z',
    )
    expect(found.data.map((quote) => quote.id)).toContain(id)
    expect(await findCalendarErrors(pool, 'co_1')).toEqual({ stretches: [], startTimes: [] })
  })

  it('Q17: accepts 1,000 lines and 100 days', async () => {
    const days = Array.from({ length: 100 }, () => ({ ...DAY, lines: Array.from({ length: 9 }, () => LINE) }))
    const quote = await create({ serviceDays: days, lines: Array.from({ length: 100 }, () => LINE) })
    expect(quote.totalPriceCents).toBe(100_000)
    expect(await findCalendarErrors(pool, 'co_1')).toEqual({ stretches: [], startTimes: [] })
  })

  it('Q14: books the new quote', async () => {
    const { id } = await create({ serviceDays: [{ ...DAY, lines: [LINE] }] })
    expect((await post(`/api/quotes/${id}/book`)).status).toBe(200)
    const { booking } = await get(id, 'expand[]=booking.events')
    expect(booking).toMatchObject({ totalPriceCents: 100, events: [{ multiDay: false }] })
  })
})

const line = (members: object) => ({ lines: [LINE, { kind: 'CUSTOM', ...members }] })
const lines = (length: number) => Array.from({ length }, () => LINE)

describe('W4, W7: invalid quotes', () => {
  it.each<[object, string, string | RegExp]>([
    [{ leadId: null }, 'leadId', 'leadId is required'],
    [{ lead: { firstName: 'Nadia' } }, 'lead', /together with leadId/],
    [{ leadId: null, lead: {} }, 'lead', /at least one of firstName, /],
    [{ leadId: null, lead: { email: 'nadia' } }, 'lead.email', /email address/],
    [{ leadId: null, lead: { name: 'Nadia' } }, 'lead.name', /not a known/],
    [{ locationId: null }, 'locationId', 'locationId is required'],
    [{ eventAddress: ' ' }, 'eventAddress', /blank/],
    [{ currency: 'usd' }, 'currency', /ISO 4217/],
    [{ guestCount: -1 }, 'guestCount', /integer/],
    [{ baseFeeCents: 100_000_000_001 }, 'baseFeeCents', /integer/],
    [{ baseFeeTaxable: false }, 'baseFeeTaxable', /not a known/],
    [{ sentAt: DAY.serviceEndTime }, 'sentAt', /not a known/],
    [{ serviceChargeIds: ['fifth', 'fifth'] }, 'serviceChargeIds[1]', /twice/],
    [{ serviceChargeIds: Array.from({ length: 21 }, (_, i) => `c${i}`) }, 'serviceChargeIds', /at most 20/],
    [{ serviceDays: {} }, 'serviceDays', /array/],
    [
      { serviceDays: [{ serviceStartTime: DAY.serviceStartTime }] },
      'serviceDays[0].serviceEndTime',
      /required/,
    ],
    [
      { serviceDays: [DAY, { ...DAY, serviceEndTime: DAY.serviceStartTime }] },
      'serviceDays[1].serviceEndTime',
      /after/,
    ],
    [{ serviceDays: [{ ...DAY, lines: [{ priceCents: 5 }] }] }, 'serviceDays[0].lines[0].kind', /required/],
    [{ serviceDays: Array.from({ length: 101 }, () => DAY) }, 'serviceDays', /at most 100/],
    [{ lines: lines(1_001) }, 'lines', /1000/],
    [{ serviceDays: [{ ...DAY, lines: lines(600) }], lines: lines(401) }, 'lines', /1000/],
    [{ serviceDays: [600, 401].map((n) => ({ ...DAY, lines: lines(n) })) }, 'serviceDays', /1000/],
    [line({}), 'lines[1].priceCents', 'lines[1].priceCents is required'],
    [line({ priceCents: null, unitPriceCents: null }), 'lines[1].priceCents', /required/],
    [line({ kind: 'SERVICE', priceCents: 1 }), 'lines[1].serviceId', /required/],
    [line({ serviceId: 'bar', priceCents: 1 }), 'lines[1].serviceId', /only for/],
    [line({ kind: 'ADDON', serviceId: 'bar', priceCents: 1 }), 'lines[1].serviceId', /only for/],
    [line({ kind: 'BAR', serviceId: 'bar', priceCents: 1 }), 'lines[1].kind', /one of/],
    [line({ quantity: 1.00001, priceCents: 1 }), 'lines[1].quantity', /4 decimals/],
    [line({ quantity: 1_000_000, unitPriceCents: 100_000_000_000 }), 'lines[1].unitPriceCents', /at most/],
    [line({ priceCents: 1, deletedAt: null }), 'lines[1].deletedAt', /not a known/],
    [{ lines: [null] }, 'lines[0]', 'lines[0] must be an object'],
    [{ lines: [[]] }, 'lines[0]', /object/],
    [{ serviceDays: [5] }, 'serviceDays[0]', /object/],
    [{ leadId: null, lead: 'Ada' }, 'lead', /object/],
    [{ serviceDays: [{ ...DAY, serviceStartTime: '9999' }] }, 'serviceDays[0].serviceStartTime', /ISO/],
    [{ leadId: 'foreign' }, 'leadId', 'leadId is not the id of a lead'],
    [{ leadId: 'a\0' }, 'leadId', 'leadId is not the id of a lead'],
    [{ taxRateId: 'none', eventTypeId: 'none' }, 'taxRateId', /not the id of a tax rate/],
    [{ discountId: 'old' }, 'discountId', 'discountId is archived'],
    [{ discountId: 'euros' }, 'discountId', /an amount in EUR, but the quote is in USD/],
    [{ serviceChargeIds: ['fifth', 'yen'] }, 'serviceChargeIds[1]', /amount in JPY/],
    [line({ priceCents: 1, discountId: 'euros' }), 'lines[1].discountId', /amount in EUR/],
    [
      { serviceDays: [{ ...DAY, lines: [{ kind: 'SERVICE', serviceId: 'old_bar', priceCents: 1 }] }] },
      'serviceDays[0].lines[0].serviceId',
      /archived/,
    ],
    [{ locationId: 'none', guestCount: 'x' }, 'guestCount', /integer/],
  ])('rejects %j', async (members, param, message) => {
    const before = await counts()
    const error = errorOf(await post('/api/quotes', { ...QUOTE, ...members }))
    expect(error).toMatchObject({ status: 400, code: 'invalid_parameter', param })
    expect(error.message).toMatch(message)
    expect(await counts()).toEqual(before)
  })
})
