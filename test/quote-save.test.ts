import { describe, expect, it } from 'vitest'
import { priceQuote } from '../src/core/pricing/price-quote.ts'
import { pricingInputOf } from '../src/core/quotes/quote-edit.ts'
import type { QuoteContent, QuoteLine } from '../src/core/quotes/quote-edit.ts'
import { findQuoteForEdit } from '../src/records/quote/edit.ts'
import { bookQuote, saveQuote } from './support/quote-actions.ts'
import { pricingInput } from '../src/records/quote/row.ts'
import { findQuote } from '../src/records/quote/queries.ts'
import { DEMO_WORLD, generateWorld } from '../src/world/demo/demo-world.ts'
import { createDatabase } from './support/database.ts'
import { plantMany } from './support/quotes.ts'
import { exportRecords, importRecords, importValid } from './support/world.ts'
import { CUSTOM, createQuoteEditor, done, expectRoundTrip } from './support/quote-edit.ts'

const { pool, connection, get, plantQuote, find, save, rowsOf } = await createQuoteEditor()

const linesOf = (id: string) => rowsOf('SELECT * FROM line_items WHERE quote_id = $1 ORDER BY id', id)

describe('findQuoteForEdit', () => {
  it('returns the stored content, and the same version until it changes', async () => {
    const id = await plantQuote({
      tax_rate_id: 'tax',
      discount_id: 'tenth',
      service_charge_ids: ['fifth', 'gone'],
    })
    const quote = await find(id)
    expect(quote.content).toMatchObject({
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
    expect(quote.content.serviceDays.map((day) => day.serviceStartTime)).toEqual([
      '2026-06-01T16:00:00.000Z',
      '2026-06-02T16:00:00.000Z',
    ])
    expect((await find(id)).version).toBe(quote.version)
    expect(quote.price.totalCents).toBe((await get(id)).totalPriceCents)
  })

  it('offers definitions that are not archived or already attached, and none of another company', async () => {
    const id = await plantQuote({ discount_id: 'old', tax_rate_id: 'tax_foreign' })
    const { catalog } = await find(id)
    const ids = Object.fromEntries(
      Object.entries(catalog).map(([kind, items]) => [kind, items.map((item: { id: string }) => item.id)]),
    )
    expect(ids).toEqual({
      services: ['bar'],
      addons: ['ice'],
      discounts: ['old', 'dollars', 'euros', 'tenth'],
      serviceCharges: ['euro_charge', 'fifth'],
      taxRates: ['tax'],
    })
    expect(catalog.discounts.map(({ isArchived }) => isArchived)).toEqual([true, false, false, false])
  })

  it('finds no quote of another company, no deleted quote, and none for an invalid id', async () => {
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

describe('the live total of the editor', () => {
  it('equals the total of the API for every quote of the demo world', async () => {
    const { connection: own, pool: demo } = await createDatabase()
    await importValid(own, [...generateWorld(DEMO_WORLD)])
    const { rows } = await demo.query<{ company_id: string; id: string }>(
      'SELECT company_id, id FROM quotes WHERE deleted_at IS NULL ORDER BY md5(id) LIMIT 300',
    )
    expect(rows.length).toBeGreaterThan(100)
    for (const { company_id: companyId, id } of rows) {
      const quote = await findQuoteForEdit(demo, companyId, id)
      const read = await findQuote(demo, companyId, id)
      if (quote === null || read === null) throw new Error(id)
      const edited = priceQuote(pricingInputOf(quote.content, quote.catalog, quote.facts.currency))
      const { lines, excluded, ...figures } = priceQuote(pricingInput(read))
      expect(edited).toMatchObject(figures)
      expect(edited.lines).toHaveLength(lines.length)
      expect(edited.excluded).toHaveLength(excluded.length)
    }
  }, 120_000)
})

describe('saveQuote', () => {
  it('adds, changes and deletes lines, and does not touch the others', async () => {
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

  it('changes discount, service charges, tax, fees and updatedAt', async () => {
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
    const input = pricingInputOf({ ...quote.content, ...content }, quote.catalog, 'USD')
    expect(api.totalPriceCents).toBe(priceQuote(input).totalCents)
    expect(api['updatedAt']).not.toBe('2026-05-01T00:00:00.000Z')
    const again = done(await save(saved, { ...quote.content }))
    expect(again.content).toEqual(quote.content)
  })

  it('keeps stored references to archived, foreign and missing definitions', async () => {
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

  it.each<[reference: string, field: string, change: Partial<QuoteContent> | Partial<QuoteLine>]>([
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
  ])('rejects %s, and writes nothing', async (_, field, change) => {
    const id = await plantQuote()
    const quote = await find(id)
    const content = field.startsWith('lines.')
      ? { lines: [...quote.content.lines, { ...CUSTOM, ...(change as QuoteLine) }] }
      : change
    const outcome = await save(quote, { baseFeeCents: 1, ...(content as Partial<QuoteContent>) })
    expect(outcome).toEqual({ kind: 'invalid', details: { [field]: { _errors: [expect.any(String)] } } })
    expect(await find(id)).toEqual(quote)
  })

  it('rejects changes of a booked quote, but not of a lost one', async () => {
    const booked = await find(await plantQuote({ booked_at: '2026-05-01T00:00:00Z' }))
    expect(await save(booked, { baseFeeCents: 1 })).toEqual({
      kind: 'rejected',
      message: 'This quote is booked, so it can no longer change.',
    })
    const lost = await find(await plantQuote({ lost_at: '2026-05-01T00:00:00Z', lost_reason: 'PRICE' }))
    expect(done(await save(lost, { baseFeeCents: 1 })).facts.standing).toBe('lost')
  })

  it('keeps at most 1,000 lines including deleted ones, so that an export can be imported', async () => {
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

it('creates data that survives export and import', () => expectRoundTrip(connection))
