/** Editing quotes on a real database: what is written, what is refused, and who wins when two do it at once. */
import { describe, expect, it } from 'vitest'
import { priceQuote } from '../src/core/pricing/price-quote.ts'
import { pricingInputOf } from '../src/core/quotes/quote-edit.ts'
import type { QuoteContent, QuoteLine } from '../src/core/quotes/quote-edit.ts'
import { createDiscount, createServiceCharge, createTaxRate } from '../src/actions/create-definition.ts'
import { bookQuote } from '../src/actions/book-quote.ts'
import { findQuoteForEdit } from '../src/records/quote/edit.ts'
import type { ChangeOutcome, EditableQuote } from '../src/records/quote/edit.ts'
import { markLost, markSent, reopenQuote } from '../src/actions/mark-quote.ts'
import { saveQuote } from '../src/actions/save-quote.ts'
import { pricingInput } from '../src/records/quote/row.ts'
import { findQuote } from '../src/records/quote/queries.ts'
import { DEMO_WORLD, generateWorld } from '../src/world/demo/demo-world.ts'
import { createDatabase } from './support/database.ts'
import { createQuoteApi, plant, plantMany } from './support/quotes.ts'
import type { Row } from './support/quotes.ts'
import { exportRecords, exportText, importRecords, importValid } from './support/world.ts'
import type { TestRecord } from './support/world.ts'

const { pool, connection, get } = await createQuoteApi()

for (const [companyId, mark] of [
  ['co_1', ''],
  ['co_2', '_foreign'],
] as const) {
  await plant(pool, 'leads', companyId, `lead${mark}`, {
    first_name: 'Ada',
    last_name: 'Lindqvist',
    email: 'ada@example.com',
    phone: '+1 555 0100',
  })
  await plant(pool, 'event_types', companyId, `type${mark}`)
  await plant(pool, 'services', companyId, `bar${mark}`)
  await plant(pool, 'services', companyId, `old_bar${mark}`, { archived_at: '2026-01-01T00:00:00Z' })
  await plant(pool, 'addons', companyId, `ice${mark}`)
  await plant(pool, 'discounts', companyId, `tenth${mark}`)
  await plant(pool, 'discounts', companyId, `old${mark}`, { archived_at: '2026-01-01T00:00:00Z' })
  const amount = { type: 'AMOUNT', percent_off: null, amount_off: 500 }
  await plant(pool, 'discounts', companyId, `dollars${mark}`, { ...amount, currency: 'USD' })
  await plant(pool, 'discounts', companyId, `euros${mark}`, { ...amount, currency: 'EUR' })
  await plant(pool, 'service_charges', companyId, `fifth${mark}`)
  await plant(pool, 'service_charges', companyId, `euro_charge${mark}`, {
    type: 'AMOUNT',
    percentage: null,
    amount_cents: 700,
    currency: 'EUR',
  })
  await plant(pool, 'tax_rates', companyId, `tax${mark}`)
  await plant(pool, 'tax_rates', companyId, `old_tax${mark}`, { archived_at: '2026-01-01T00:00:00Z' })
}

let planted = 0

/** A quote with two days and three lines. */
async function plantQuote(row: Row = {}): Promise<string> {
  const id = `quote ${++planted}`
  await plant(pool, 'quotes', 'co_1', id, { lead_id: 'lead', ...row })
  await plant(pool, 'service_days', 'co_1', `${id} day 1`, { quote_id: id })
  await plant(pool, 'service_days', 'co_1', `${id} day 2`, {
    quote_id: id,
    service_start_time: '2026-06-02T16:00:00Z',
    service_end_time: '2026-06-02T22:00:00Z',
  })
  const times = { created_at: '2026-05-01T00:00:00Z', updated_at: '2026-05-01T00:00:00Z', quote_id: id }
  await plantMany(pool, 'line_items', 'co_1', [
    {
      id: `${id} line 1`,
      kind: 'SERVICE',
      service_id: 'bar',
      service_day_id: `${id} day 1`,
      price_cents: 20_000,
      ...times,
    },
  ])
  await plantMany(pool, 'line_items', 'co_1', [
    { id: `${id} line 2`, kind: 'ADDON', addon_id: 'ice', price_cents: 5_000, quantity: '2.5000', ...times },
  ])
  await plantMany(pool, 'line_items', 'co_1', [{ id: `${id} line 3`, price_cents: 1_000, ...times }])
  return id
}

async function find(id: string, companyId = 'co_1'): Promise<EditableQuote> {
  const quote = await findQuoteForEdit(pool, companyId, id)
  if (quote === null) throw new Error(`no quote ${id}`)
  return quote
}

const CUSTOM: QuoteLine = {
  id: null,
  serviceDayId: null,
  kind: 'CUSTOM',
  serviceId: null,
  addonId: null,
  description: 'Late hour',
  quantity: '1',
  unitPriceCents: null,
  priceCents: 7_000,
  taxable: true,
  discountId: null,
}

function done(outcome: ChangeOutcome): EditableQuote {
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome))
  return outcome.quote
}

const save = (quote: EditableQuote, content: Partial<QuoteContent>, companyId = 'co_1') =>
  saveQuote(pool, companyId, quote.id, quote.version, { ...quote.content, ...content })

async function rowsOf(sql: string, ...values: unknown[]): Promise<Row[]> {
  return (await pool.query<Row>(sql, values)).rows
}

const linesOf = (id: string) => rowsOf('SELECT * FROM line_items WHERE quote_id = $1 ORDER BY id', id)

describe('a quote to edit', () => {
  it('has what is stored, and a version that stays while nothing changes', async () => {
    const id = await plantQuote({
      tax_rate_id: 'tax',
      discount_id: 'tenth',
      service_charge_ids: ['fifth', 'gone'],
    })
    const quote = await find(id)
    expect(quote.content).toEqual({
      lines: [
        {
          ...CUSTOM,
          id: `${id} line 1`,
          kind: 'SERVICE',
          serviceId: 'bar',
          serviceDayId: `${id} day 1`,
          description: null,
          priceCents: 20_000,
        },
        {
          ...CUSTOM,
          id: `${id} line 2`,
          kind: 'ADDON',
          addonId: 'ice',
          description: null,
          quantity: '2.5',
          priceCents: 5_000,
        },
        { ...CUSTOM, id: `${id} line 3`, description: null, priceCents: 1_000 },
      ],
      discountId: 'tenth',
      serviceChargeIds: ['fifth', 'gone'],
      taxRateId: 'tax',
      baseFeeCents: 0,
      baseFeeTaxable: true,
      travelFeeCents: 0,
      travelFeeTaxable: true,
    })
    expect(quote.serviceDays.map((day) => day.serviceStartTime)).toEqual([
      '2026-06-01T16:00:00.000Z',
      '2026-06-02T16:00:00.000Z',
    ])
    expect((await find(id)).version).toBe(quote.version)
    expect(quote.price.totalCents).toBe((await get(id)).totalPriceCents)
  })

  it('offers what is not archived, what it has already, and nothing of another company', async () => {
    const id = await plantQuote({ discount_id: 'old', tax_rate_id: 'tax_foreign' })
    const { catalogue } = await find(id)
    const ids = Object.fromEntries(
      Object.entries(catalogue).map(([kind, items]) => [kind, items.map((item: { id: string }) => item.id)]),
    )
    expect(ids).toEqual({
      services: ['bar'],
      addons: ['ice'],
      discounts: ['old', 'dollars', 'euros', 'tenth'],
      serviceCharges: ['euro_charge', 'fifth'],
      taxRates: ['tax'],
    })
    expect(catalogue.discounts.map(({ isArchived }) => isArchived)).toEqual([true, false, false, false])
  })

  it('is not found when it is foreign, deleted or of an impossible id', async () => {
    const id = await plantQuote()
    const deleted = await plantQuote({ deleted_at: '2026-01-01T00:00:00Z' })
    const { version, content } = await find(id)
    for (const [companyId, quoteId] of [
      ['co_2', id],
      ['co_1', deleted],
      ['co_1', 'nowhere'],
      ['co_1', '\0'],
      ['co_1', 'x'.repeat(300)],
    ] as const) {
      expect(await findQuoteForEdit(pool, companyId, quoteId)).toBeNull()
      expect(await saveQuote(pool, companyId, quoteId, version, content)).toEqual({ kind: 'not_found' })
      expect(await bookQuote(pool, companyId, quoteId, version)).toEqual({ kind: 'not_found' })
    }
  })
})

describe('the price while editing', () => {
  it('is the one of the API, for every quote of the demo world', async () => {
    const { connection: own, pool: demo } = await createDatabase()
    await importValid(own, [...generateWorld(DEMO_WORLD)] as unknown as TestRecord[])
    const { rows } = await demo.query<{ company_id: string; id: string }>(
      'SELECT company_id, id FROM quotes WHERE deleted_at IS NULL ORDER BY md5(id) LIMIT 300',
    )
    expect(rows.length).toBeGreaterThan(100)
    for (const { company_id: companyId, id } of rows) {
      const quote = await findQuoteForEdit(demo, companyId, id)
      const read = await findQuote(demo, companyId, id)
      if (quote === null || read === null) throw new Error(id)
      const edited = priceQuote(pricingInputOf(quote.content, quote.catalogue, quote.facts.currency))
      const { lines, excluded, ...figures } = priceQuote(pricingInput(read))
      expect(edited).toMatchObject(figures)
      expect(edited.lines).toHaveLength(lines.length)
      expect(edited.excluded).toHaveLength(excluded.length)
    }
  }, 120_000)
})

describe('saving', () => {
  it('adds, changes and removes lines, and leaves the others alone', async () => {
    const id = await plantQuote()
    const quote = await find(id)
    const [first, second, third] = quote.content.lines as [QuoteLine, QuoteLine, QuoteLine]
    const saved = done(
      await save(quote, {
        lines: [
          first,
          {
            ...second,
            quantity: '3',
            unitPriceCents: 2_000,
            priceCents: 6_000,
            taxable: false,
            discountId: 'dollars',
            description: "It's ${cold} \\ \u{1F9CA}",
          },
          { ...CUSTOM, serviceDayId: `${id} day 2` },
          { ...CUSTOM, kind: 'SERVICE', serviceId: 'bar', priceCents: 1 },
        ],
      }),
    )
    const [newest, newer, ...stored] = await linesOf(id)
    expect([newest, newer]).toMatchObject([
      { service_day_id: `${id} day 2`, description: 'Late hour', price_cents: '7000' },
      { kind: 'SERVICE', service_id: 'bar', price_cents: '1' },
    ])
    expect(String(newest?.['id'])).toMatch(/^line_[0-9a-f-]{36}$/)
    expect(stored).toMatchObject([
      { id: first.id, updated_at: '2026-05-01 00:00:00+00', deleted_at: null },
      {
        id: second.id,
        quantity: '3.0000',
        unit_price_cents: '2000',
        price_cents: '6000',
        taxable: false,
        discount_id: 'dollars',
        description: "It's ${cold} \\ \u{1F9CA}",
        created_at: '2026-05-01 00:00:00+00',
        deleted_at: null,
      },
      { id: third.id, price_cents: '1000', deleted_at: expect.any(String) },
    ])
    expect(stored[1]?.['updated_at']).not.toBe('2026-05-01 00:00:00+00')
    expect(saved.version).not.toBe(quote.version)
    expect((await find(id)).version).toBe(saved.version)
    const total = 20_000 + 6_000 - 500 + 7_000 + 1
    expect(saved.price.totalCents).toBe(total)
    expect((await get(id)).totalPriceCents).toBe(total)
  })

  it('changes discount, charges, tax and fees, and the time of the change', async () => {
    const id = await plantQuote({ updated_at: '2026-05-01T00:00:00Z' })
    const quote = await find(id)
    const content = {
      discountId: 'tenth',
      serviceChargeIds: ['fifth'],
      taxRateId: 'tax',
      baseFeeCents: 1_500,
      baseFeeTaxable: false,
      travelFeeCents: 2_500,
      travelFeeTaxable: false,
    }
    const saved = done(await save(quote, content))
    expect(saved.content).toEqual({ ...quote.content, ...content })
    const api = await get(id)
    expect(api).toMatchObject({
      discountId: 'tenth',
      taxRateId: 'tax',
      totalPriceCents: saved.price.totalCents,
    })
    const input = pricingInputOf({ ...quote.content, ...content }, quote.catalogue, 'USD')
    expect(api.totalPriceCents).toBe(priceQuote(input).totalCents)
    expect(api['updatedAt']).not.toBe('2026-05-01T00:00:00.000Z')
    const again = done(await save(saved, { ...quote.content }))
    expect(again.content).toEqual(quote.content)
  })

  it('keeps what was attached before, whatever has become of it', async () => {
    const id = await plantQuote({
      discount_id: 'old',
      tax_rate_id: 'nowhere',
      service_charge_ids: ['euro_charge', 'fifth_foreign'],
    })
    await plantMany(pool, 'line_items', 'co_1', [
      {
        id: `${id} line 4`,
        quote_id: id,
        kind: 'SERVICE',
        service_id: 'old_bar',
        service_day_id: 'nowhere',
        discount_id: 'euros',
        price_cents: 100,
      },
    ])
    const quote = await find(id)
    const saved = done(await save(quote, { baseFeeCents: 5 }))
    expect(saved.content).toEqual({ ...quote.content, baseFeeCents: 5 })
  })

  it.each<[what: string, field: string, change: Partial<QuoteContent> | Partial<QuoteLine>]>([
    ['an unknown service', 'lines.3.serviceId', { kind: 'SERVICE', serviceId: 'nowhere' }],
    ['a foreign service', 'lines.3.serviceId', { kind: 'SERVICE', serviceId: 'bar_foreign' }],
    ['an archived service', 'lines.3.serviceId', { kind: 'SERVICE', serviceId: 'old_bar' }],
    ['a foreign add-on', 'lines.3.addonId', { kind: 'ADDON', addonId: 'ice_foreign' }],
    ['a foreign line discount', 'lines.3.discountId', { discountId: 'tenth_foreign', quantity: '1' }],
    ['an archived line discount', 'lines.3.discountId', { discountId: 'old', quantity: '1' }],
    ['a line discount in euros', 'lines.3.discountId', { discountId: 'euros', quantity: '1' }],
    ['an unknown day', 'lines.3.serviceDayId', { serviceDayId: 'nowhere' }],
    ['a line of another quote', 'lines.3.id', { id: 'a line of another quote' }],
    ['a foreign discount', 'discountId', { discountId: 'tenth_foreign', lines: [] }],
    ['an archived discount', 'discountId', { discountId: 'old', lines: [] }],
    ['a discount in euros', 'discountId', { discountId: 'euros', lines: [] }],
    ['a foreign charge', 'serviceChargeIds.1', { serviceChargeIds: ['fifth', 'fifth_foreign'], lines: [] }],
    ['a charge in euros', 'serviceChargeIds.0', { serviceChargeIds: ['euro_charge'], lines: [] }],
    ['a foreign tax rate', 'taxRateId', { taxRateId: 'tax_foreign', lines: [] }],
    ['an archived tax rate', 'taxRateId', { taxRateId: 'old_tax', lines: [] }],
  ])('refuses %s, and writes nothing', async (_, field, change) => {
    const id = await plantQuote()
    const quote = await find(id)
    const content = field.startsWith('lines.')
      ? { lines: [...quote.content.lines, { ...CUSTOM, ...(change as QuoteLine) }] }
      : change
    const outcome = await save(quote, { baseFeeCents: 1, ...(content as Partial<QuoteContent>) })
    expect(outcome).toEqual({ kind: 'invalid', details: { [field]: { _errors: [expect.any(String)] } } })
    expect(await find(id)).toEqual(quote)
  })

  it('refuses a quote that is booked, but not one that is lost', async () => {
    const booked = await find(await plantQuote({ booked_at: '2026-05-01T00:00:00Z' }))
    expect(await save(booked, { baseFeeCents: 1 })).toEqual({
      kind: 'refused',
      message: 'This quote is booked, so it can no longer change.',
    })
    const lost = await find(await plantQuote({ lost_at: '2026-05-01T00:00:00Z', lost_reason: 'PRICE' }))
    expect(done(await save(lost, { baseFeeCents: 1 })).facts.standing).toBe('lost')
  })

  it('never lets a quote have more than 1,000 lines with the deleted ones, so that an export can be imported', async () => {
    const id = await plantQuote()
    const many = Array.from({ length: 996 }, (_, i) => ({ ...CUSTOM, priceCents: i }))
    const full = done(await save(await find(id), { lines: [...(await find(id)).content.lines, ...many] }))
    expect(await linesOf(id)).toHaveLength(999)
    const fewer = done(await save(full, { lines: full.content.lines.slice(0, 10) }))
    const changed = done(await save(fewer, { lines: [...fewer.content.lines, CUSTOM, CUSTOM, CUSTOM] }))
    expect(changed.content.lines).toHaveLength(13)
    const rows = await linesOf(id)
    expect(rows).toHaveLength(1_000)
    expect(rows.filter((row) => row['deleted_at'] === null)).toHaveLength(13)
    const { errors } = await importRecords(connection, await exportRecords(connection, { quoteId: id }))
    expect(errors).toEqual([])
    expect((await find(id)).version).toBe(changed.version)
  })
})

describe('somebody else', () => {
  it('who saved first is not overwritten', async () => {
    const id = await plantQuote()
    const [mine, theirs] = [await find(id), await find(id)]
    const saved = done(await save(theirs, { baseFeeCents: 900 }))
    expect(await save(mine, { travelFeeCents: 100 })).toEqual({ kind: 'conflict' })
    expect(await markSent(pool, 'co_1', id, mine.version, null)).toEqual({ kind: 'conflict' })
    expect(await markLost(pool, 'co_1', id, mine.version, 'PRICE')).toEqual({ kind: 'conflict' })
    expect(await bookQuote(pool, 'co_1', id, mine.version)).toEqual({ kind: 'conflict' })
    expect(await find(id)).toEqual({ ...saved, catalogue: (await find(id)).catalogue })
  })

  it.each<[what: string, sql: string]>([
    ['changes a line', "UPDATE line_items SET description = 'x' WHERE id = '$ line 1'"],
    ['removes a line', "UPDATE line_items SET deleted_at = now() WHERE id = '$ line 1'"],
    ['sends it', "UPDATE quotes SET sent_at = now() WHERE id = '$'"],
    ['gives it an expiry', "UPDATE quotes SET expires_at = now() WHERE id = '$'"],
    ['loses it', "UPDATE quotes SET lost_at = now() WHERE id = '$'"],
    ['touches it', "UPDATE quotes SET updated_at = now() + interval '1 s' WHERE id = '$'"],
    ['moves a day', "UPDATE service_days SET service_end_time = '2026-06-03T00:00Z' WHERE id = '$ day 1'"],
    ['changes what its tax rate is', "UPDATE tax_rates SET rate = 9 WHERE id = 'tax of $'"],
    ['removes its tax rate', "DELETE FROM tax_rates WHERE id = 'tax of $'"],
  ])('who %s is noticed', async (_, sql) => {
    const id = await plantQuote()
    await plant(pool, 'tax_rates', 'co_1', `tax of ${id}`)
    await pool.query('UPDATE quotes SET tax_rate_id = $1 WHERE id = $2', [`tax of ${id}`, id])
    const quote = await find(id)
    const { rowCount } = await pool.query(sql.replaceAll('$', () => id))
    expect(rowCount).toBe(1)
    expect((await find(id)).version).not.toBe(quote.version)
    expect(await save(quote, { baseFeeCents: 1 })).toEqual({ kind: 'conflict' })
  })

  it('who imports the quote in between is noticed', async () => {
    const id = await plantQuote()
    const quote = await find(id)
    const records = await exportRecords(connection, { object: 'quote', id })
    await importValid(
      connection,
      records.map((record) => ({ ...record, travelFeeCents: 4_200 })),
    )
    expect(await save(quote, { baseFeeCents: 1 })).toEqual({ kind: 'conflict' })
    expect((await find(id)).content).toMatchObject({ baseFeeCents: 0, travelFeeCents: 4_200 })
  })

  it('who saves at the same moment: exactly one of them wins', async () => {
    const id = await plantQuote()
    const quote = await find(id)
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        save(quote, { baseFeeCents: i + 1, lines: [...quote.content.lines, { ...CUSTOM, priceCents: i }] }),
      ),
    )
    const winners = outcomes.flatMap((outcome, i) => (outcome.kind === 'done' ? i : []))
    expect(winners).toHaveLength(1)
    expect(outcomes.filter(({ kind }) => kind === 'conflict')).toHaveLength(7)
    const { content } = await find(id)
    expect(content.baseFeeCents).toBe((winners[0] ?? 0) + 1)
    expect(content.lines).toHaveLength(4)
  })

  it('who imports at the same time is never in the way, nor stopped', async () => {
    const id = await plantQuote()
    const records = await exportRecords(connection)
    const own = records.filter((record) => record['id'] === id || record['quoteId'] === id)
    const progress = { isOver: false }
    const importing = (async () => {
      for (let i = 0; i < 12; i++) {
        const lines = own.map((record) => ({
          ...record,
          ...(record['object'] === 'lineItem' ? { priceCents: i, deletedAt: null } : {}),
          ...(record['object'] === 'serviceDay' ? { serviceEndTime: `2026-06-03T00:00:${10 + i}Z` } : {}),
        }))
        await importValid(connection, i % 2 === 0 ? lines : lines.toReversed())
      }
    })().finally(() => (progress.isOver = true))
    const kinds = new Set<string>()
    while (!progress.isOver) {
      const quote = await find(id)
      const lines = quote.content.lines.map((line) => ({ ...line, priceCents: 500 }))
      kinds.add((await save(quote, { lines: kinds.size % 2 === 0 ? lines : lines.toReversed() })).kind)
    }
    await importing
    expect(['done', 'conflict', 'busy']).toEqual(expect.arrayContaining([...kinds]))
    expect(kinds).toContain('done')
    expect((await find(id)).price.totalCents).toBe((await get(id)).totalPriceCents)
  })

  it('who holds the quote for long is not waited for', async () => {
    const id = await plantQuote()
    const quote = await find(id)
    const client = await pool.connect()
    try {
      await client.query('BEGIN')
      await client.query('UPDATE quotes SET guest_count = 5 WHERE id = $1', [id])
      const begun = performance.now()
      expect(await save(quote, { baseFeeCents: 1 })).toEqual({ kind: 'busy' })
      expect(performance.now() - begun).toBeLessThan(5_000)
    } finally {
      await client.query('ROLLBACK')
      client.release()
    }
    expect((await save(quote, { baseFeeCents: 1 })).kind).toBe('done')
  })
})

describe('where a quote stands', () => {
  it('is sent, for thirty days or until a given time, and again', async () => {
    const id = await plantQuote()
    const sent = done(await markSent(pool, 'co_1', id, (await find(id)).version, null))
    const { sentAt, expiresAt } = sent.facts
    expect(Date.parse(expiresAt ?? '') - Date.parse(sentAt ?? '')).toBe(30 * 86_400_000)
    const again = done(await markSent(pool, 'co_1', id, sent.version, '2027-01-01T00:00:00.000Z'))
    expect(again.facts.expiresAt).toBe('2027-01-01T00:00:00.000Z')
    expect(await get(id)).toMatchObject({ sentAt: again.facts.sentAt, expiresAt: '2027-01-01T00:00:00.000Z' })
  })

  it('is lost with a reason, and open again', async () => {
    const id = await plantQuote({ sent_at: '2026-05-01T00:00:00Z' })
    const lost = done(await markLost(pool, 'co_1', id, (await find(id)).version, 'WENT_SILENT'))
    expect(await get(id)).toMatchObject({ lostReason: 'WENT_SILENT', lostAt: lost.facts.lostAt })
    for (const outcome of [
      await markLost(pool, 'co_1', id, lost.version, 'PRICE'),
      await markSent(pool, 'co_1', id, lost.version, null),
      await bookQuote(pool, 'co_1', id, lost.version),
    ]) {
      expect(outcome).toMatchObject({ kind: 'refused', message: expect.stringContaining('lost') })
    }
    const open = done(await reopenQuote(pool, 'co_1', id, lost.version))
    expect(open.facts).toMatchObject({ standing: 'sent', lostAt: null, lostReason: null })
    expect(await reopenQuote(pool, 'co_1', id, open.version)).toEqual({
      kind: 'refused',
      message: 'Only a lost quote can be reopened.',
    })
  })
})

describe('booking', () => {
  it('makes the booking with the total of the quote, and one event a day', async () => {
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
      kind: 'refused',
      message: 'This quote is already booked.',
    })
  })

  it('copes with a lead and an event type that do not exist', async () => {
    const id = await plantQuote({ lead_id: 'lead_foreign', event_type_id: 'type_foreign' })
    const booked = done(await bookQuote(pool, 'co_1', id, (await find(id)).version))
    const api = await get(id, 'expand[]=booking.events')
    expect(api['booking']).toMatchObject({ leadId: 'lead_foreign', fullName: null, email: null, phone: null })
    expect(booked.facts.standing).toBe('booked')
    expect((api['booking'] as { events: Row[] }).events[0]).toMatchObject({ name: null, clientName: null })
  })

  it('is refused without service days, beyond what a booking can cost, and where there is a booking', async () => {
    await plant(pool, 'quotes', 'co_1', 'no days')
    const dear = await plantQuote({ base_fee_cents: 100_000_000_000 })
    const strange = await plantQuote({ booking_id: 'elsewhere' })
    for (const [id, message] of [
      ['no days', 'has no days'],
      [dear, 'too high'],
      [strange, 'already has a booking'],
    ] as const) {
      const outcome = await bookQuote(pool, 'co_1', id, (await find(id)).version)
      expect(outcome).toEqual({ kind: 'refused', message: expect.stringContaining(message) })
      expect(await rowsOf('SELECT 1 FROM bookings WHERE quote_id = $1', id)).toEqual([])
    }
  })

  it('happens once, however many try at the same moment', async () => {
    const id = await plantQuote()
    const { version } = await find(id)
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => bookQuote(pool, 'co_1', id, version)))
    expect(outcomes.filter(({ kind }) => kind === 'done')).toHaveLength(1)
    expect(outcomes.filter(({ kind }) => kind === 'refused')).toHaveLength(7)
    expect(await rowsOf('SELECT 1 FROM bookings WHERE quote_id = $1', id)).toHaveLength(1)
    const [count] = await rowsOf(
      'SELECT count(*)::int FROM events WHERE booking_id = (SELECT booking_id FROM quotes WHERE id = $1)',
      id,
    )
    expect(count).toEqual({ count: 2 })
  })

  it('leaves nothing behind when a part of it fails', async () => {
    const id = await plantQuote()
    const quote = await find(id)
    // The last thing that booking writes.
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

describe('new definitions', () => {
  it('can be attached at once', async () => {
    const percent = await createDiscount(pool, 'co_1', {
      name: 'Friends',
      type: 'PERCENT',
      percentOff: '12.5',
    })
    const amount = await createDiscount(pool, 'co_1', {
      name: 'Voucher',
      type: 'AMOUNT',
      amountOff: 1_000,
      currency: 'USD',
    })
    const charge = await createServiceCharge(pool, 'co_1', {
      name: 'Night',
      type: 'AMOUNT',
      amountCents: 300,
      currency: 'USD',
      taxable: false,
    })
    const rate = await createServiceCharge(pool, 'co_1', {
      name: 'Venue',
      type: 'PERCENT',
      percentage: '5',
      taxable: true,
    })
    const tax = await createTaxRate(pool, 'co_1', { name: 'City', rate: '3.25' })
    const id = await plantQuote()
    const quote = await find(id)
    expect(quote.catalogue.discounts).toContainEqual({ ...percent, percentOff: '12.500000' })
    expect(quote.catalogue.discounts).toContainEqual(amount)
    expect(quote.catalogue.serviceCharges).toContainEqual(charge)
    const [first, ...others] = quote.content.lines as [QuoteLine, ...QuoteLine[]]
    const saved = done(
      await save(quote, {
        lines: [{ ...first, discountId: amount.id }, ...others],
        discountId: percent.id,
        serviceChargeIds: [charge.id, rate.id],
        taxRateId: tax.id,
      }),
    )
    expect(saved.price.excluded).toEqual([])
    expect((await get(id)).totalPriceCents).toBe(saved.price.totalCents)
    expect((await find(id, 'co_1')).catalogue.taxRates.map(({ id: one }) => one)).toContain(tax.id)
    await plant(pool, 'quotes', 'co_2', 'of another company')
    expect(
      (await find('of another company', 'co_2')).catalogue.taxRates.map(({ id: one }) => one),
    ).not.toContain(tax.id)
  })
})

describe('after all this', () => {
  it('the world that is exported can be imported, and is the same again', async () => {
    const text = await exportText(connection)
    const { connection: empty } = await createDatabase()
    await importValid(
      empty,
      text.split('\n').filter((line) => line !== ''),
    )
    expect(await exportText(empty)).toBe(text)
  })
})
