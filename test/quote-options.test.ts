/** Options of quotes in the API, and new quotes in the application. */
import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { draftOf } from '../console/src/quote-edit/draft.ts'
import { readDraft } from '../console/src/quote-edit/draft-read.ts'
import { priceQuote } from '../src/core/pricing/price-quote.ts'
import { pricingInputOf } from '../src/core/quotes/quote-edit.ts'
import { findQuotePricing } from '../src/records/quote/details.ts'
import { findQuoteForEdit } from '../src/records/quote/edit.ts'
import { findQuote } from '../src/records/quote/queries.ts'
import type { QuoteLine } from '../src/core/quotes/quote-edit.ts'
import { CUSTOM, createQuoteEditor, done } from './support/quote-edit.ts'
import { RUNS } from './support/property-runs.ts'
import { plantMany } from './support/quotes.ts'
import type { Row } from './support/quotes.ts'

vi.hoisted(() => vi.stubGlobal('navigator', { languages: ['en-US'] }))

const QUOTES = Math.min(1_000, RUNS)
const editor = await createQuoteEditor()
const { pool, get, save, find } = editor

/** Random lines with options, discounts and items, some of which do not exist. */
const line = fc.record({
  item: fc.constantFrom('bar', 'old_bar', 'gone', 'ice', 'custom'),
  price_cents: fc.nat(500_000),
  taxable: fc.boolean(),
  discount_id: fc.constantFrom(null, 'tenth', 'dollars', 'euros', 'gone'),
  optional: fc.boolean(),
  selected: fc.boolean(),
  option_group: fc.constantFrom(null, 'Bar', 'Tent'),
})
const terms = fc.record({
  discount_id: fc.constantFrom(null, 'tenth', 'dollars'),
  tax_rate_id: fc.constantFrom(null, 'tax', 'gone'),
  service_charge_ids: fc.constantFrom('{}', '{fifth}', '{fifth,gone}'),
  base_fee_cents: fc.nat(100_000),
  travel_fee_cents: fc.nat(100_000),
})

const KIND: Record<string, Row> = {
  bar: { kind: 'SERVICE', service_id: 'bar' },
  old_bar: { kind: 'SERVICE', service_id: 'old_bar' },
  gone: { kind: 'SERVICE', service_id: 'gone' },
  ice: { kind: 'ADDON', addon_id: 'ice' },
  custom: { kind: 'CUSTOM' },
}

describe('options', () => {
  it('P26: gives random quotes the same price in the editor, on the page and in the API', async () => {
    const quotes = fc.sample(fc.tuple(terms, fc.array(line, { maxLength: 6 })), { numRuns: QUOTES, seed: 26 })
    const ids = quotes.map((_, i) => `option ${i}`)
    await plantMany(
      pool,
      'quotes',
      'co_1',
      quotes.map(([members], i) => ({
        id: `option ${i}`,
        lead_id: 'lead',
        location_id: 'loc_1',
        ...members,
      })),
    )
    const rows = quotes.flatMap(([, lines], i) =>
      lines.map(({ item, ...rest }, n) => ({
        id: `option ${i} line ${n}`,
        quote_id: `option ${i}`,
        service_id: null,
        addon_id: null,
        ...KIND[item],
        ...rest,
      })),
    )
    await plantMany(pool, 'line_items', 'co_1', rows)
    for (const [i, id] of ids.entries()) {
      const edited = await findQuoteForEdit(pool, 'co_1', id)
      const row = await findQuote(pool, 'co_1', id)
      if (edited === null || row === null) throw new Error(`no ${id}`)
      const page = priceQuote(await findQuotePricing(pool, 'co_1', row))
      const { totalPriceCents, services, addons } = (await get(id, 'expand=services,addons')) as unknown as {
        totalPriceCents: number
        services: { id: string }[]
        addons: { id: string }[]
      }
      const { content, catalog } = edited
      const draft = draftOf(content, { currency: 'USD', timeZone: 'UTC', catalog })
      const opened = readDraft(draft).content
      expect(opened.lines).toEqual(content.lines)
      const live = priceQuote(pricingInputOf(opened, catalog, 'USD'))
      expect([edited.price.totalCents, page.totalCents, live.totalCents]).toEqual([
        totalPriceCents,
        totalPriceCents,
        totalPriceCents,
      ])
      expect(page.lines.length).toBe(live.lines.length)
      const selected = new Set((quotes[i]?.[1] ?? []).flatMap((one) => (one.selected ? one.item : [])))
      // Archived services are not related, and missing ones cannot be.
      expect(services.map((one) => one.id)).toEqual(selected.has('bar') ? ['bar'] : [])
      expect(addons.map((one) => one.id)).toEqual(selected.has('ice') ? ['ice'] : [])
    }
  })

  it('P27: saves imported lines that break the rules unchanged, until their options change', async () => {
    const id = 'imported options'
    await plantMany(pool, 'quotes', 'co_1', [{ id, lead_id: 'lead', location_id: 'loc_1' }])
    const row = { quote_id: id, optional: false, price_cents: 100 }
    await plantMany(pool, 'line_items', 'co_1', [
      { ...row, id: 'left out', selected: false, option_group: null },
      { ...row, id: 'one', selected: true, option_group: 'Bar' },
      { ...row, id: 'two', selected: true, option_group: 'Bar' },
    ])
    const before = await find(id)
    const quote = done(await save(before, { baseFeeCents: 5 }))
    expect(quote.content).toEqual({ ...before.content, baseFeeCents: 5 })
    const [out, one, two] = quote.content.lines as [QuoteLine, QuoteLine, QuoteLine]
    // The price of an invalid line can change, too.
    const priced = done(await save(quote, { lines: [{ ...out, priceCents: 7 }, one, two] }))
    const added = { ...CUSTOM, selected: false }
    for (const [lines, field] of [
      [[out, one, { ...two, selected: false }, added], 'lines.3.selected'],
      [[out, { ...one, optionGroup: null }, { ...two, selected: false }], 'lines.2.selected'],
      [[out, one, two, { ...CUSTOM, optionGroup: 'Bar' }], 'lines.3.selected'],
    ] as const) {
      expect(await save(priced, { lines: [...lines] })).toMatchObject({
        kind: 'invalid',
        details: { [field]: expect.anything() },
      })
    }
  })
})
