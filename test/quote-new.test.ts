/** New quotes: numbers, catalog prices, company defaults, copies, and the calls of the application. */
import { describe, expect, it } from 'vitest'
import type { QuoteEditAnswer } from '../src/console/quote-edit.ts'
import type { QuoteListAnswer } from '../src/console/quotes.ts'
import type { ContactChoicesAnswer, NewQuoteAnswer } from '../src/console/quote-new.ts'
import type { QuoteChoices } from '../src/core/quotes/quote-choices.ts'
import { callConsole, signedIn } from './support/console.ts'
import { createDatabase } from './support/database.ts'
import { startServer } from './support/server.ts'
import { MINIMAL, importValid } from './support/world.ts'

const database = await createDatabase()
const { pool, connection } = database
const record = (object: string, id: string, rest: object) => ({ object, id, companyId: 'c', ...rest })
const usd = (unitPriceCents: number) => ({ prices: [{ currency: 'USD', unitPriceCents }] })
await importValid(connection, [
  MINIMAL.company,
  MINIMAL.apiKey,
  MINIMAL.location,
  MINIMAL.eventType,
  MINIMAL.paymentTerms,
  MINIMAL.contract,
  MINIMAL.taxRate,
  record('lead', 'ada', {
    firstName: 'Ada',
    lastName: 'Noor',
    email: 'ada@example.com',
    phone: '+1 555 0100',
  }),
  record('lead', 'bob', { firstName: 'Bob', companyName: 'Noor Catering' }),
  record('lead', 'old', { firstName: 'Eve', archivedAt: '2026-01-01T00:00:00Z' }),
  record('location', 'shut', { name: 'Barn', timeZone: 'UTC', archivedAt: '2026-01-01T00:00:00Z' }),
  record('service', 'bar', { name: 'Bar', ...usd(10_000), unit: 'HOUR' }),
  record('service', 'dinner', { name: 'Dinner', ...usd(4_000), unit: 'GUEST' }),
  record('service', 'band', { name: 'Band', prices: [{ currency: 'EUR', unitPriceCents: 5 }] }),
  record('addon', 'tent', { name: 'Tent', ...usd(50_000), unit: 'DAY', taxable: false }),
  record('addon', 'chairs', { name: 'Chairs', ...usd(300) }),
  record('serviceCharge', 'fifth', { name: 'Service', type: 'PERCENT', percentage: 20 }),
  record('serviceCharge', 'euros', { name: 'Euros', type: 'AMOUNT', amountCents: 100, currency: 'EUR' }),
])
const server = await startServer(connection)
const { cookie } = await signedIn(server, database, 'c')
const call = (method: string, path: string, body?: object) => callConsole(server, cookie, method, path, body)

const DAYS = [
  { serviceStartTime: '2027-06-05T20:00:00Z', serviceEndTime: '2027-06-06T01:30:00Z' },
  { serviceStartTime: '2027-06-06T20:00:00Z', serviceEndTime: '2027-06-06T22:00:00Z' },
]
const QUOTE = { leadId: 'ada', locationId: 'loc', eventAddress: 'Pier 4' }

async function create(body: object): Promise<string> {
  const answer = await call('POST', 'quotes', body)
  expect(answer.status, answer.text).toBe(200)
  return (answer.body as NewQuoteAnswer).id
}

async function edit(id: string): Promise<QuoteEditAnswer> {
  const { status, body } = await call('GET', `quotes/${encodeURIComponent(id)}/edit`)
  expect(status).toBe(200)
  return body as QuoteEditAnswer
}

const post = (body: object) =>
  server.call('/api/quotes', {
    method: 'POST',
    headers: { 'x-api-key': MINIMAL.apiKey.key, 'content-type': 'application/json' },
    body: JSON.stringify({ ...QUOTE, ...body }),
  })
const numberOf = async (id: string) => (await edit(id)).number

describe('POST /quotes with prices of the catalog', () => {
  it.each([
    ['price times quantity', { kind: 'ADDON', addonId: 'chairs', quantity: 2.5 }, 750],
    ['price times hours of all days', { kind: 'SERVICE', serviceId: 'bar' }, 75_000],
    ['price times guests', { kind: 'SERVICE', serviceId: 'dinner' }, 320_000],
    ['price times days and quantity', { kind: 'ADDON', addonId: 'tent', quantity: 2 }, 200_000],
    ['the price that is sent', { kind: 'SERVICE', serviceId: 'dinner', priceCents: 7 }, 7],
    [
      'the unit price that is sent, times quantity',
      { kind: 'SERVICE', serviceId: 'dinner', unitPriceCents: 7, quantity: 3 },
      21,
    ],
  ])('Q20: uses %s', async (_, line, total) => {
    const { status, body, text } = await post({ guestCount: 80, serviceDays: DAYS, lines: [line] })
    expect(status, text).toBe(201)
    expect(body).toMatchObject({ totalPriceCents: total })
  })

  it('Q20: a line of a day counts the hours of that day, and is taxable like its service or add-on', async () => {
    const lines = [
      { kind: 'SERVICE', serviceId: 'bar' },
      { kind: 'ADDON', addonId: 'tent' },
    ]
    const serviceDays = [{ ...DAYS[0], lines }, DAYS[1]]
    const { body } = await post({ serviceDays, taxRateId: 'tax' })
    const { content } = await edit((body as { id: string }).id)
    expect(content.lines).toMatchObject([
      { quantity: '5.5', unitPriceCents: 10_000, priceCents: 55_000, taxable: true },
      { quantity: '1', unitPriceCents: 50_000, priceCents: 50_000, taxable: false },
    ])
  })

  it('Q20: rejects a line without a price in the currency', async () => {
    const lines = [
      { kind: 'ADDON', addonId: 'chairs' },
      { kind: 'SERVICE', serviceId: 'band' },
    ]
    const { status, body } = await post({ lines })
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: { param: 'lines[1].priceCents', code: 'invalid_parameter' } })
    const inYen = await post({ currency: 'JPY', serviceDays: [{ ...DAYS[0], lines: lines.slice(0, 1) }] })
    expect(inYen.body).toMatchObject({ error: { param: 'serviceDays[0].lines[0].priceCents' } })
  })
})

describe('quote numbers', () => {
  const find = async (search: string) => {
    const { body } = await call('GET', `quotes?${String(new URLSearchParams({ search }))}`)
    return (body as QuoteListAnswer).quotes.map((quote) => quote.id)
  }

  it('Q21: are consecutive across application and API, and skip numbers in use', async () => {
    const first = Number((await numberOf(await create(QUOTE)))?.slice(2))
    const { body } = await post({})
    expect(await numberOf((body as { id: string }).id)).toBe(`Q-${first + 1}`)
    await pool.query(`UPDATE quotes SET number = $1 WHERE id = $2`, [`q-${first + 2}`, await create(QUOTE)])
    expect(await numberOf(await create(QUOTE))).toBe(`Q-${first + 3}`)
  })

  it('Q21: are different for concurrent creations', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => create(QUOTE)))
    const numbers = await Promise.all(ids.map(numberOf))
    expect(new Set(numbers).size).toBe(6)
  })

  it('Q21: creation is rejected with 409 if no number is left', async () => {
    const setNext = (next: number) =>
      pool.query(`UPDATE companies SET next_quote_number = $1 WHERE id = 'c'`, [next])
    const { rows } = await pool.query<{ next: number }>(
      `SELECT next_quote_number AS next FROM companies WHERE id = 'c'`,
    )
    await setNext(999_999_998)
    expect(await numberOf(await create(QUOTE))).toBe('Q-999999998')
    for (const next of [999_999_999, 999_999_998]) {
      await setNext(next)
      const [byApi, byUser] = [await post({}), await call('POST', 'quotes', QUOTE)]
      expect(byApi.status).toBe(409)
      expect(byApi.body).toMatchObject({
        error: { message: expect.stringContaining('no quote number left') },
      })
      expect(byUser.status).toBe(409)
    }
    await setNext(rows[0]?.next ?? 1)
  })

  it('Q21: search finds them by prefix in any case, and quotes by their complete id', async () => {
    const id = await create(QUOTE)
    await pool.query(`UPDATE quotes SET number = 'Äb-77123' WHERE id = $1`, [id])
    for (const search of ['Äb-77123', 'äB-771', ' äb ', id]) expect(await find(search)).toEqual([id])
    for (const search of ['b-77', '77123', id.slice(0, -1)]) expect(await find(search)).toEqual([])
    const byCustomer = await find('noor ada')
    expect(byCustomer).toContain(id)
    expect(new Set(byCustomer).size).toBe(byCustomer.length)
  })

  it('Q21: search finds them without the prefix of the company, which can change', async () => {
    const [current, imported, old] = [await create(QUOTE), await create(QUOTE), await create(QUOTE)]
    const setPrefix = (prefix: string) =>
      pool.query(`UPDATE companies SET quote_prefix = $1 WHERE id = 'c'`, [prefix])
    const numbers = { [current]: 'Ä/2026-88310', [imported]: '88310-B', [old]: 'Old-88310' }
    for (const [id, number] of Object.entries(numbers))
      await pool.query(`UPDATE quotes SET number = $2 WHERE id = $1`, [id, number])
    await setPrefix('ä/2026-')
    for (const search of ['88310', ' 8831 '])
      expect((await find(search)).toSorted()).toEqual([current, imported].toSorted())
    expect(await find('88310-')).toEqual([imported])
    expect(await find('Ä/2026-88310')).toEqual([current])
    expect(await find('/2026-88310')).toEqual([])
    await setPrefix('')
    expect(await find('88310')).toEqual([imported])
    await setPrefix('Q-')
  })

  it('Q21: are in the history of the quote', async () => {
    const id = await create(QUOTE)
    const { body } = await call('GET', `timeline?${String(new URLSearchParams({ object: 'quote', id }))}`)
    expect(body).toMatchObject({ entries: [{ subject: { id, name: await numberOf(id) } }] })
  })
})

describe('creating quotes in the application', () => {
  it('Q22: applies the defaults of the company that are still usable', async () => {
    await pool.query(
      `UPDATE companies SET default_tax_rate_id = 'tax', default_payment_terms_id = 'terms',
        default_contract_id = 'gone', default_service_charge_ids = '{fifth,euros,gone}', quote_valid_days = 10`,
    )
    const { content, validDays, number, version } = await edit(await create({ ...QUOTE, guestCount: 5 }))
    expect(content).toMatchObject({
      guestCount: 5,
      taxRateId: 'tax',
      paymentTermsId: 'terms',
      contractId: null,
      serviceChargeIds: ['fifth'],
    })
    expect([validDays, typeof number, typeof version]).toEqual([10, 'string', 'string'])
    // The API applies no defaults.
    const { body } = await post({})
    expect(body).toMatchObject({ taxRateId: null, paymentTermsId: null })
  })

  it('Q22: rejects a contact that is null', async () => {
    const { leadId: _, ...rest } = QUOTE
    const { status, body } = await call('POST', 'quotes', { ...rest, lead: null })
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: { details: { lead: { _errors: ['must be an object'] } } } })
  })

  it.each([
    ['leadId', 'old', 'This contact is archived. Choose another one.'],
    ['locationId', 'shut', 'This location is archived. Choose another one.'],
    ['eventTypeId', 'gone', 'This event type does not exist. Choose another one.'],
  ])('Q22: rejects %s %s: "%s"', async (field, id, message) => {
    const { status, body } = await call('POST', 'quotes', { ...QUOTE, [field]: id })
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: { message, details: { [field]: { _errors: [message] } } } })
  })

  it('Q22: offers choices that are not archived, and finds contacts by name, email and phone', async () => {
    const { body } = await call('GET', 'quote-choices')
    expect((body as QuoteChoices).locations).toMatchObject([{ id: 'loc', isArchived: false }])
    const find = async (search: string) => {
      const answer = await call('GET', `contact-choices?${String(new URLSearchParams({ search }))}`)
      return (answer.body as ContactChoicesAnswer).contacts.map(({ id }) => id)
    }
    expect(await find('noo')).toEqual(['ada', 'bob'])
    expect(await find('ADA noor')).toEqual(['ada'])
    expect(await find('555 01')).toEqual(['ada'])
    expect(await find('example.com')).toEqual(['ada'])
    expect(await find('zzz')).toEqual([])
    expect((await find('')).toSorted()).toEqual(['ada', 'bob'])
  })

  it('Q22: duplicates days, lines, options and terms as a draft with a new number', async () => {
    const lines = [{ kind: 'CUSTOM', priceCents: 100 }]
    const id = await create({ ...QUOTE, serviceDays: [{ ...DAYS[0], lines }], lines })
    const stored = await edit(id)
    const [first, second] = stored.content.lines
    const content = {
      ...stored.content,
      lines: [
        { ...first, optional: true, selected: false },
        { ...second, optionGroup: 'Bar' },
      ],
    }
    const saved = await call('PUT', `quotes/${id}`, { version: stored.version, content })
    expect(saved.status, saved.text).toBe(200)
    await pool.query('UPDATE quotes SET sent_at = now(), lost_at = now() WHERE id = $1', [id])
    const { body } = await call('POST', `quotes/${id}/duplicate`, {})
    const copy = await edit((body as NewQuoteAnswer).id)
    expect(copy.standing).toBe('draft')
    expect(copy.number).not.toBe(stored.number)
    const [day] = copy.content.serviceDays
    expect(day?.id).not.toBe(stored.content.serviceDays[0]?.id)
    const plain = ({ id: _id, serviceDayId: _day, ...rest }: QuoteEditAnswer['content']['lines'][number]) =>
      rest
    expect(copy.content.lines.map(plain)).toEqual((await edit(id)).content.lines.map(plain))
    expect(copy.content.lines.map(({ serviceDayId }) => serviceDayId)).toEqual([day?.id, null])
  })
})

describe('saving the event and its days', () => {
  it('Q23: saves details, days, lines and their order together, and derives the calendar', async () => {
    const lines = [
      { kind: 'CUSTOM', description: 'a', priceCents: 1 },
      { kind: 'CUSTOM', description: 'b', priceCents: 2 },
    ]
    const id = await create({ ...QUOTE, serviceDays: DAYS, lines })
    const stored = await edit(id)
    const [, kept] = stored.content.serviceDays
    const [a, b] = stored.content.lines
    const content = {
      ...stored.content,
      leadId: 'bob',
      guestCount: 12,
      eventAddress: 'Dock 9',
      eventDescription: 'Gala',
      serviceDays: [
        { ...kept, serviceEndTime: '2027-06-06T23:00:00.000Z' },
        { id: 'new', serviceStartTime: '2027-07-01T10:00:00Z', serviceEndTime: '2027-07-01T12:00:00Z' },
      ],
      lines: [{ ...b, serviceDayId: 'new' }, a, { ...a, id: null, description: 'c' }],
    }
    const saved = await call('PUT', `quotes/${id}`, { version: stored.version, content })
    expect(saved.status, saved.text).toBe(200)
    const after = await edit(id)
    expect(after.content).toMatchObject({
      leadId: 'bob',
      guestCount: 12,
      eventDescription: 'Gala',
      serviceDays: [{ id: kept?.id }, { serviceStartTime: '2027-07-01T10:00:00.000Z' }],
      lines: [{ description: 'b' }, { description: 'a' }, { description: 'c' }],
    })
    expect(after.content.lines[0]?.serviceDayId).toBe(after.content.serviceDays[1]?.id)
    const listed = await server.get(
      '/api/quotes?service_start_time[gte]=2027-07-01T00:00:00Z&service_start_time[lt]=2027-07-02T00:00:00Z',
      MINIMAL.apiKey.key,
    )
    expect(listed.body).toMatchObject({ data: [{ id }] })
    const { rows } = await pool.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM quote_stretches WHERE quote_id = $1 AND stretch = ANY(stretches_of('2027-06-05T20:00:00Z'))
         AND NOT stretch = ANY(stretches_of('2027-06-06T20:00:00Z') || stretches_of('2027-07-01T10:00:00Z'))`,
      [id],
    )
    expect(rows).toEqual([{ count: 0 }])
    expect((await call('PUT', `quotes/${id}`, { version: stored.version, content })).status).toBe(409)
  })

  it('Q23: writes no positions if the order does not change', async () => {
    const id = await create({ ...QUOTE, lines: [{ kind: 'CUSTOM', priceCents: 1 }] })
    await pool.query('UPDATE line_items SET position = NULL WHERE quote_id = $1', [id])
    const { version, content } = await edit(id)
    await call('PUT', `quotes/${id}`, { version, content: { ...content, guestCount: 3 } })
    const { rows } = await pool.query('SELECT position FROM line_items WHERE quote_id = $1', [id])
    expect(rows).toEqual([{ position: null }])
  })

  it.each([
    ['leadId', { leadId: 'nobody' }, 'content.leadId'],
    ['locationId', { locationId: 'nowhere' }, 'content.locationId'],
    ['contractId', { contractId: 'nothing' }, 'content.contractId'],
    [
      'a day that ends before it starts',
      {
        serviceDays: [
          { id: 'x', serviceStartTime: '2027-07-01T10:00:00Z', serviceEndTime: '2027-07-01T09:00:00Z' },
        ],
      },
      'content.serviceDays.0.serviceEndTime',
    ],
  ])('Q23: rejects %s, and writes nothing', async (_, changes, field) => {
    const id = await create(QUOTE)
    const { version, content } = await edit(id)
    const { status, body } = await call('PUT', `quotes/${id}`, {
      version,
      content: { ...content, ...changes },
    })
    expect(status).toBe(400)
    expect(Object.keys((body as { error: { details: object } }).error.details)).toEqual([field])
    expect((await edit(id)).version).toBe(version)
  })
})
