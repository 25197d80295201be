import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { priceQuote } from '../src/core/pricing/price-quote.ts'
import type { PricingInput } from '../src/core/pricing/price-total.ts'
import { pricingInputOf } from '../src/core/quotes/quote-edit.ts'
import { findQuoteForEdit } from '../src/records/quote/edit.ts'
import { RUNS } from './support/property-runs.ts'
import { ALL_PATHS, expandQuery, plantMany } from './support/quotes.ts'
import type { QuoteObject, Row } from './support/quotes.ts'
import { createPricedQuotes } from './support/quotes-totals.ts'

const { pool, list, get } = await createPricedQuotes()

// ---------------------------------------------------------------------------------------------------------------
// Small amounts make ties and exact halves likely. Every reference can be missing, or exist in the other company only,
// which has definitions of the same ids with other values.

const SEED = Number(process.env['TOTALS_SEED'] ?? Math.trunc(Math.random() * 2 ** 31))
const QUOTES = Math.min(1_000, 4 * RUNS)

const currency = fc.constantFrom('USD', 'EUR', 'JPY')
const cents = fc.oneof(fc.nat(9), fc.nat(100_000), fc.integer({ min: 0, max: 100_000_000_000 }))
const percentage = fc.oneof(
  fc.constantFrom('0', '100', '50', '12.5', '33.333333', '0.000001', '99.999999', '8.875'),
  fc.integer({ min: 0, max: 100_000_000 }).map((millionths) => (millionths / 1e6).toFixed(6)),
)
const archivedAt = fc.constantFrom(null, null, null, '2026-01-01T00:00:00Z')
const mostly = fc.constantFrom(true, true, true, false)

/** Ids of definitions: most exist in the company, some in the other one only, some nowhere. */
const reference = (kind: string, own: number) =>
  fc.constantFrom(
    ...Array.from({ length: own }, (_, i) => `${kind}_${i}`),
    `${kind}_foreign`,
    `${kind}_nowhere`,
  )
const rarely = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 2 })

const percentOrAmount = (percent: string, amount: string) =>
  fc.oneof(
    fc.record({
      type: fc.constant('PERCENT'),
      [percent]: percentage,
      [amount]: fc.constant(null),
      currency: fc.constant(null),
    }),
    fc.record({ type: fc.constant('AMOUNT'), [percent]: fc.constant(null), [amount]: cents, currency }),
  )

const line = fc.record({
  item: fc.oneof(
    fc.record({
      kind: fc.constant('SERVICE'),
      service_id: reference('service', 5),
      addon_id: fc.constant(null),
    }),
    fc.record({ kind: fc.constant('ADDON'), service_id: fc.constant(null), addon_id: reference('addon', 5) }),
    fc.constant({ kind: 'CUSTOM', service_id: null, addon_id: null }),
  ),
  price_cents: cents,
  taxable: mostly,
  discount_id: rarely(reference('discount', 20)),
  deleted_at: archivedAt,
  quantity: fc.nat(10),
  unit_price_cents: fc.option(cents),
})

const quote = fc.record({
  row: fc.record({
    currency,
    base_fee_cents: cents,
    base_fee_taxable: mostly,
    travel_fee_cents: cents,
    travel_fee_taxable: mostly,
    discount_id: rarely(reference('discount', 20)),
    tax_rate_id: rarely(reference('tax', 8)),
    service_charge_ids: fc.uniqueArray(reference('charge', 16), { maxLength: 5 }),
  }),
  lines: fc.array(line, { maxLength: 7 }),
})

const sample = <T>(arbitrary: fc.Arbitrary<T>, count: number, salt: number): T[] =>
  fc.sample(arbitrary, { numRuns: count, seed: SEED + salt })

async function plantCompany(companyId: string, salt: number): Promise<void> {
  const ids = (kind: string, own: number) => [
    ...Array.from({ length: own }, (_, i) => `${kind}_${i}`),
    ...(companyId === 'co_2' ? [`${kind}_foreign`] : []),
  ]
  const define = async (
    table: string,
    kind: string,
    own: number,
    values: fc.Arbitrary<Row>,
    tableSalt: number,
  ) => {
    const rows = sample(values, own + 1, salt + tableSalt)
    await plantMany(
      pool,
      table,
      companyId,
      ids(kind, own).map((id, i) => ({ id, ...rows[i] })),
    )
  }
  await define('services', 'service', 5, fc.record({ archived_at: archivedAt }), 1)
  await define('addons', 'addon', 5, fc.record({ archived_at: archivedAt }), 2)
  await define('discounts', 'discount', 20, withArchive(percentOrAmount('percent_off', 'amount_off')), 3)
  await define('tax_rates', 'tax', 8, fc.record({ rate: percentage, archived_at: archivedAt }), 4)
  const charge = fc
    .tuple(percentOrAmount('percentage', 'amount_cents'), fc.boolean())
    .map(([values, taxable]) => ({ ...values, taxable }))
  await define('service_charges', 'charge', 16, withArchive(charge), 5)
  const quotes = sample(quote, QUOTES, salt + 6)
  await plantMany(
    pool,
    'quotes',
    companyId,
    quotes.map(({ row }, i) => ({ id: `q_${i}`, booking_id: `b_${i % 50}`, ...row })),
  )
  await plantMany(
    pool,
    'line_items',
    companyId,
    quotes.flatMap(({ lines }, i) =>
      lines.map(({ item, ...row }, n) => ({ id: `q_${i}_${n}`, quote_id: `q_${i}`, ...item, ...row })),
    ),
  )
  await plantMany(
    pool,
    'bookings',
    companyId,
    Array.from({ length: 50 }, (_, i) => ({ id: `b_${i}`, gratuity_amount_cents: 1_000 })),
  )
  await plantMany(
    pool,
    'events',
    companyId,
    Array.from({ length: 50 }, (_, i) => ({ id: `e_${i}`, booking_id: `b_${i}` })),
  )
}

function withArchive(values: fc.Arbitrary<Row>): fc.Arbitrary<Row> {
  return fc.tuple(values, archivedAt).map(([row, archived]) => ({ ...row, archived_at: archived }))
}

await plantCompany('co_1', 0)
await plantCompany('co_2', 100)

// ---------------------------------------------------------------------------------------------------------------
// The expected totals: one plain SELECT per table, joined here, priced by the breakdown.

interface DiscountRow {
  id: string
  type: 'PERCENT' | 'AMOUNT'
  percent_off: string | null
  amount_off: string | null
  currency: string | null
}

interface ChargeRow {
  id: string
  type: 'PERCENT' | 'AMOUNT'
  percentage: string | null
  amount_cents: string | null
  currency: string | null
  taxable: boolean
}

interface LineRow {
  id: string
  quote_id: string
  kind: 'SERVICE' | 'ADDON' | 'CUSTOM'
  service_id: string | null
  addon_id: string | null
  price_cents: string
  taxable: boolean
  discount_id: string | null
  deleted_at: string | null
}

interface QuoteRow {
  id: string
  currency: string
  base_fee_cents: string
  base_fee_taxable: boolean
  travel_fee_cents: string
  travel_fee_taxable: boolean
  discount_id: string | null
  tax_rate_id: string | null
  service_charge_ids: string[]
}

async function tableOf<R extends { id: string }>(table: string, companyId: string): Promise<Map<string, R>> {
  const { rows } = await pool.query<R>(`SELECT * FROM ${table} WHERE company_id = $1`, [companyId])
  return new Map(rows.map((row) => [row.id, row]))
}

const numberOrNull = (text: string | null) => (text === null ? null : Number(text))

async function pricingInputs(companyId: string): Promise<Map<string, PricingInput>> {
  const quotes = await tableOf<QuoteRow>('quotes', companyId)
  const lines = await tableOf<LineRow>('line_items', companyId)
  const services = await tableOf('services', companyId)
  const addons = await tableOf('addons', companyId)
  const discounts = await tableOf<DiscountRow>('discounts', companyId)
  const charges = await tableOf<ChargeRow>('service_charges', companyId)
  const taxRates = await tableOf<{ id: string; rate: string }>('tax_rates', companyId)

  const discountOf = (id: string | null): PricingInput['discount'] => {
    const found = id === null ? undefined : discounts.get(id)
    if (id === null) return null
    if (found === undefined) return { id, found: false }
    const { type, percent_off: percentOff, amount_off: amountOff } = found
    return { id, found: true, type, percentOff, amountOff: numberOrNull(amountOff), currency: found.currency }
  }
  const chargeOf = (id: string): PricingInput['serviceCharges'][number] => {
    const found = charges.get(id)
    if (found === undefined) return { id, found: false }
    const { type, percentage: percent, amount_cents: amount, taxable } = found
    return {
      id,
      found: true,
      type,
      percentage: percent,
      amountCents: numberOrNull(amount),
      currency: found.currency,
      taxable,
    }
  }
  const taxRateOf = (id: string | null): PricingInput['taxRate'] => {
    const found = id === null ? undefined : taxRates.get(id)
    if (id === null) return null
    return found === undefined ? { id, found: false } : { id, found: true, rate: found.rate }
  }
  const itemFound = ({ kind, service_id: serviceId, addon_id: addonId }: LineRow): boolean | null => {
    if (kind === 'CUSTOM') return null
    return kind === 'SERVICE' ? services.has(serviceId ?? '') : addons.has(addonId ?? '')
  }

  const linesOf = new Map([...quotes.keys()].map((id) => [id, [] as LineRow[]]))
  for (const lineRow of lines.values()) linesOf.get(lineRow.quote_id)?.push(lineRow)
  return new Map(
    [...quotes.values()].map((row) => [
      row.id,
      {
        currency: row.currency,
        baseFeeCents: Number(row.base_fee_cents),
        baseFeeTaxable: row.base_fee_taxable,
        travelFeeCents: Number(row.travel_fee_cents),
        travelFeeTaxable: row.travel_fee_taxable,
        lines: (linesOf.get(row.id) ?? []).map((lineRow) => ({
          id: lineRow.id,
          kind: lineRow.kind,
          itemFound: itemFound(lineRow),
          priceCents: Number(lineRow.price_cents),
          taxable: lineRow.taxable,
          deleted: lineRow.deleted_at !== null,
          discount: discountOf(lineRow.discount_id),
        })),
        discount: discountOf(row.discount_id),
        serviceCharges: row.service_charge_ids.map(chargeOf),
        taxRate: taxRateOf(row.tax_rate_id),
      },
    ]),
  )
}

const breakdowns = new Map([...(await pricingInputs('co_1'))].map(([id, input]) => [id, priceQuote(input)]))

/** Quotes whose total is not the one expected. */
const wrong = (quotes: readonly QuoteObject[]) =>
  quotes
    .map(({ id, totalPriceCents }) => ({
      id,
      total: totalPriceCents,
      expected: breakdowns.get(id)?.totalCents,
      seed: SEED,
    }))
    .filter(({ total, expected }) => total !== expected)

const somePaths = (count: number, salt: number, maxLength: number) =>
  sample(fc.shuffledSubarray([...ALL_PATHS], { maxLength }), count, salt)

describe('totalPriceCents of generated quotes equals the breakdown of independently loaded rows', () => {
  it('for every kind of exclusion, and prices that differ', () => {
    const all = [...breakdowns.values()]
    for (const subject of ['LINE', 'LINE_DISCOUNT', 'QUOTE_DISCOUNT', 'SERVICE_CHARGE', 'TAX_RATE']) {
      expect(
        all.filter(({ excluded }) => excluded.some((one) => one.subject === subject)).length,
      ).toBeGreaterThan(0.03 * QUOTES)
    }
    expect(
      all.filter(({ excluded }) => excluded.some(({ reason }) => reason === 'CURRENCY_MISMATCH')).length,
    ).toBeGreaterThan(0.03 * QUOTES)
    for (const figure of [
      'lineDiscountCents',
      'quoteDiscountCents',
      'serviceChargeCents',
      'taxCents',
    ] as const) {
      expect(all.filter((breakdown) => breakdown[figure] > 0).length).toBeGreaterThan(0.1 * QUOTES)
    }
    expect(new Set(all.map(({ totalCents }) => totalCents)).size).toBeGreaterThan(QUOTES / 2)
  })

  it('in the list, with any expansion', async () => {
    const seen: QuoteObject[] = []
    const [first = [], ...paths] = somePaths(20, 200, 20)
    let page = await list(`limit=100&${expandQuery(first, 'data.')}`)
    seen.push(...page.data)
    while (page.hasMore) {
      page = await list(
        `limit=100&starting_after=${seen.at(-1)?.id}&${expandQuery(paths.pop() ?? [], 'data.')}`,
      )
      seen.push(...page.data)
    }
    expect(seen).toHaveLength(QUOTES)
    expect(wrong(seen)).toEqual([])
  })

  it('in the editor, with every figure of the breakdown', async () => {
    for (const [id, expected] of breakdowns) {
      const edited = await findQuoteForEdit(pool, 'co_1', id)
      if (edited === null) throw new Error(`no quote ${id}`)
      const { content, catalog, facts, price } = edited
      expect(price).toEqual(expected)
      expect(priceQuote(pricingInputOf(content, catalog, facts.currency))).toEqual(expected)
    }
  }, 120_000)

  it('for a single quote, with any expansion', async () => {
    const paths = somePaths(QUOTES, 300, 2)
    const ids = [...breakdowns.keys()].entries()
    const seen: QuoteObject[] = []
    // Several take from the same iterator: each quote once, a few at a time.
    const readers = Array.from({ length: 4 }, async () => {
      for (const [i, id] of ids) seen.push(await get(id, expandQuery(paths[i] ?? [])))
    })
    await Promise.all(readers)
    expect(seen).toHaveLength(QUOTES)
    expect(wrong(seen)).toEqual([])
  })
})
