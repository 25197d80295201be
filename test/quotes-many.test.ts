/** Filters on enough quotes for the other ways to read a page, which do not check quotes one by one. */
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { openPool } from '../src/db/connect.ts'
import { atEnd } from './support/at-end.ts'
import { OTHER_KEY, createQuoteApi, idsOf, plant, plantMany } from './support/quotes.ts'
import type { Row } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'
import { startServer } from './support/server.ts'

const { pool, list, get, connection } = await createQuoteApi()

/** More than the largest number of quotes that are checked one by one: that of filters by days. */
const COUNT = 5_200
const MINUTE = 60_000
const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1)
const iso = (time: number) => new Date(time).toISOString()

/** Newest first, like the list. Some share their creation time. Updates and days are in another order. */
const quotes = Array.from({ length: COUNT }, (_, i) => {
  const number = COUNT - i
  return {
    id: `q_${String(number).padStart(5, '0')}`,
    createdAt: START + Math.floor(number / 3) * MINUTE,
    updatedAt: START + ((number * 7_919) % COUNT) * MINUTE,
    locationId: `loc_${number % 3}`,
    days: Array.from(
      { length: number % 4 },
      (__, day) => START + ((number * 31 + day * 13) % 700) * (DAY / 2),
    ),
  }
})

await plantMany(
  pool,
  'quotes',
  'co_1',
  quotes.map(({ id, createdAt, updatedAt, locationId }) => ({
    id,
    created_at: iso(createdAt),
    updated_at: iso(updatedAt),
    location_id: locationId,
  })),
)
await plantMany(
  pool,
  'service_days',
  'co_1',
  quotes.flatMap(({ id, days }) =>
    days.map((start, i) => ({ id: `${id}_${i}`, quote_id: id, service_start_time: iso(start) })),
  ),
)

const range = (unit: number, most: number) =>
  fc
    .tuple(fc.integer({ min: -1, max: most }), fc.integer({ min: 0, max: most }))
    .map(([from, length]) => ({ from: START + from * unit, before: START + (from + length) * unit }))

const NEARLY_ALL = { from: START, before: START + (COUNT - 100) * MINUTE }

const requests = fc.record({
  created: fc.option(range(MINUTE, Math.ceil(COUNT / 3)), { freq: 3 }),
  updated: fc.option(fc.oneof(range(MINUTE, COUNT), range(MINUTE, 2_000), fc.constant(NEARLY_ALL))),
  served: fc.option(range(DAY / 2, 700)),
  location: fc.option(fc.integer({ min: 0, max: 2 }), { freq: 2 }),
  cursor: fc.option(fc.integer({ min: 0, max: COUNT - 1 })),
  limit: fc.constantFrom(1, 10, 100),
})

it('every combination of filters returns the expected page', async () => {
  await fc.assert(
    fc.asyncProperty(requests, async ({ created, updated, served, location, cursor, limit }) => {
      const isInside = (time: number, bounds: { from: number; before: number } | null) =>
        bounds === null || (time >= bounds.from && time < bounds.before)
      const matching = quotes.filter(
        (quote) =>
          isInside(quote.createdAt, created) &&
          isInside(quote.updatedAt, updated) &&
          (served === null || quote.days.some((day) => isInside(day, served))) &&
          (location === null || quote.locationId === `loc_${location}`),
      )
      const after = cursor === null ? null : (quotes[cursor]?.id ?? '')
      const start = after === null ? 0 : matching.findIndex(({ id }) => id === after) + 1
      const rest = after !== null && start === 0 ? [] : matching.slice(start)
      const query = new URLSearchParams({ limit: String(limit) })
      for (const [name, bounds] of Object.entries({
        created_at: created,
        updated_at: updated,
        service_start_time: served,
      })) {
        if (bounds === null) continue
        query.set(`${name}[gte]`, iso(bounds.from))
        query.set(`${name}[lt]`, iso(bounds.before))
      }
      if (location !== null) query.set('location_id', `loc_${location}`)
      if (after !== null) query.set('starting_after', after)
      const page = await list(query.toString())
      expect(idsOf(page)).toEqual(rest.slice(0, limit).map(({ id }) => id))
      expect(page.hasMore).toBe(rest.length > limit)
    }),
    { numRuns: 150 },
  )
})

it('counts lines of services and add-ons at any position in a long catalog', async () => {
  const items = Array.from({ length: 1_100 }, (_, i) => ({ id: `item_${String(i).padStart(5, '0')}` }))
  await plantMany(pool, 'services', 'co_2', items)
  await plantMany(pool, 'addons', 'co_2', items)
  await plant(pool, 'quotes', 'co_2', 'q')
  for (const [i, id] of ['item_00000', 'item_00550', 'item_01099', 'missing'].entries()) {
    const line = { quote_id: 'q', price_cents: 10 ** i }
    await plant(pool, 'line_items', 'co_2', `s${i}`, { ...line, kind: 'SERVICE', service_id: id })
    await plant(pool, 'line_items', 'co_2', `a${i}`, { ...line, kind: 'ADDON', addon_id: id })
  }
  const page = await list('', OTHER_KEY)
  expect(page.data.map(({ totalPriceCents }) => totalPriceCents)).toEqual([222])
})

const totalsOfPage = async (key: string) =>
  (await list('', key)).data.map(({ totalPriceCents }) => totalPriceCents)
const totalsOneByOne = async (key: string) =>
  Promise.all(['q3', 'q2', 'q1', 'q0'].map(async (id) => (await get(id, '', key)).totalPriceCents))

// Pages read all definitions of the company until one page has found too many.
it.each([
  ['on a page', 'co_3', [totalsOfPage, totalsOfPage, totalsOneByOne]],
  ['one by one', 'co_4', [totalsOneByOne, totalsOfPage]],
])(
  'applies discounts, service charges and tax rates of a company with many, first read %s',
  async (_, company, ways) => {
    const key = `key-of-${company}`
    await insertCompany(pool, company, { key })
    const ids = Array.from({ length: 300 }, (__, i) => `def_${String(i).padStart(5, '0')}`)
    const each = (values: Row) => ids.map((id) => ({ id, ...values }))
    await plantMany(pool, 'discounts', company, each({ type: 'PERCENT', percent_off: 10 }))
    await plantMany(pool, 'service_charges', company, each({ type: 'PERCENT', percentage: 50 }))
    await plantMany(pool, 'tax_rates', company, each({ rate: 20 }))
    for (const [i, id] of ['def_00000', 'def_00150', 'def_00299', 'missing'].entries()) {
      const terms = { discount_id: id, service_charge_ids: [id], tax_rate_id: id, base_fee_cents: 0 }
      await plant(pool, 'quotes', company, `q${i}`, { ...terms, created_at: iso(START + i) })
      await plant(pool, 'line_items', company, `l${i}`, {
        quote_id: `q${i}`,
        price_cents: 1_000,
        discount_id: id,
      })
    }
    // 1,000 less 100 less 90, and 405 of charge, and 243 of tax on both.
    for (const way of ways) expect(await way(key)).toEqual([1_000, 1_458, 1_458, 1_458])
  },
)

it('does not list a deleted quote with a remaining row in quote_stretches', async () => {
  await plant(pool, 'quotes', 'co_2', 'deleted', { deleted_at: iso(START), created_at: iso(START) })
  await pool.query(
    `INSERT INTO quote_stretches SELECT 'co_2', s, '${iso(START)}', 'deleted'
     FROM unnest(stretches_of('${iso(START)}')) AS s`,
  )
  const day = `service_start_time[gte]=${iso(START)}&service_start_time[lt]=${iso(START + DAY)}`
  expect(idsOf(await list(day, OTHER_KEY))).toEqual([])
})

it('prepares only statements with up to two filters, which limits the memory of the database', async () => {
  const prepared: string[] = []
  const data = openPool(connection, 'data', () => undefined, 1)
  atEnd(() => data.end())
  const other = await startServer(connection, { data })
  for (const filters of [
    'lead_id=a',
    'lead_id=a&location_id=b',
    'lead_id=a&location_id=b&booking_id=c',
    `lead_id=a&location_id=b&created_at[gte]=${iso(START)}`,
  ]) {
    await other.get(`/api/quotes?${filters}`, OTHER_KEY)
    const { rows } = await data.query<{ count: string }>(
      `SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%FROM line_items%'`,
    )
    prepared.push(rows[0]?.count ?? '')
  }
  expect(prepared).toEqual(['1', '2', '2', '2'])
})
