import { describe, expect, it } from 'vitest'
import { createDatabase } from './support/database.ts'
import { KEY, ALL_PATHS, expandQuery, plant, plantMany, quoteApi } from './support/quotes.ts'
import type { Row } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'
import { startServer } from './support/server.ts'
import { watchedPool } from './support/watched-pool.ts'

const { pool, connection } = await createDatabase()

const statements: string[] = []
const keyStatements: string[] = []
const server = await startServer(connection, {
  data: watchedPool(connection, 'data', (text) => statements.push(text)),
  keys: watchedPool(connection, 'keys', (text) => keyStatements.push(text)),
})
const { list, get } = quoteApi(server)

// A hundred quotes, each with two of everything.
const QUOTES = 110
const each = (make: (i: number) => Row[]): Row[] => Array.from({ length: QUOTES }, (_, i) => make(i)).flat()

await insertCompany(pool, 'co_1', { key: KEY })
for (const [table, kind] of [
  ['leads', 'lead'],
  ['locations', 'location'],
  ['event_types', 'type'],
  ['services', 'service'],
  ['addons', 'addon'],
  ['discounts', 'discount'],
  ['tax_rates', 'tax'],
  ['payment_terms', 'terms'],
  ['service_charges', 'charge'],
  ['contracts', 'contract'],
  ['staff', 'staff'],
  ['resources', 'resource'],
] as const) {
  await plantMany(
    pool,
    table,
    'co_1',
    each((i) => [{ id: `${kind}_${i}` }]),
  )
}
const bothOf = (kind: string, i: number) => [`${kind}_${i}`, `${kind}_${(i + 1) % QUOTES}`]
await plantMany(
  pool,
  'quotes',
  'co_1',
  each((i) => [
    {
      id: `q_${i}`,
      lead_id: `lead_${i}`,
      location_id: `location_${i}`,
      event_type_id: `type_${i}`,
      booking_id: `booking_${i}`,
      discount_id: `discount_${i}`,
      tax_rate_id: `tax_${i}`,
      payment_terms_id: `terms_${i}`,
      contract_id: `contract_${i}`,
      service_charge_ids: bothOf('charge', i),
    },
  ]),
)
await plantMany(
  pool,
  'line_items',
  'co_1',
  each((i) => [
    ...bothOf('service', i).map((id, n) => ({
      id: `s${n}_${i}`,
      quote_id: `q_${i}`,
      kind: 'SERVICE',
      service_id: id,
      addon_id: null,
      discount_id: `discount_${(i + 2) % QUOTES}`,
    })),
    ...bothOf('addon', i).map((id, n) => ({
      id: `a${n}_${i}`,
      quote_id: `q_${i}`,
      kind: 'ADDON',
      service_id: null,
      addon_id: id,
      discount_id: null,
    })),
  ]),
)
await plantMany(
  pool,
  'service_days',
  'co_1',
  each((i) => [1, 2].map((n) => ({ id: `d${n}_${i}`, quote_id: `q_${i}` }))),
)
await plantMany(
  pool,
  'bookings',
  'co_1',
  each((i) => [{ id: `booking_${i}`, lead_id: `lead_${i}`, event_type_id: `type_${i}` }]),
)
await plantMany(
  pool,
  'invoices',
  'co_1',
  each((i) => [1, 2].map((n) => ({ id: `i${n}_${i}`, booking_id: `booking_${i}` }))),
)
await plantMany(
  pool,
  'events',
  'co_1',
  each((i) =>
    [1, 2].map((n) => ({
      id: `e${n}_${i}`,
      booking_id: `booking_${i}`,
      location_id: `location_${i}`,
      service_ids: bothOf('service', i),
      addon_ids: bothOf('addon', i),
      staff_ids: bothOf('staff', i),
      resource_ids: bothOf('resource', i),
    })),
  ),
)
await plant(pool, 'quotes', 'co_1', 'q_without_anything', { created_at: '2020-01-01T00:00:00Z' })

/** Number of statements of a request without the key lookup, which several requests share. */
async function count(request: Promise<unknown>): Promise<number> {
  const before = statements.length
  await request
  return statements.length - before
}

/** Paths and the parents they bring along. */
const nodesOf = (paths: readonly string[]) =>
  new Set(paths.flatMap((path) => path.split('.').map((_, i, all) => all.slice(0, i + 1).join('.')))).size

const SETS: [name: string, paths: readonly string[]][] = [
  ['no path', []],
  ['the first 20 paths', ALL_PATHS.slice(0, 20)],
  ['the last 20 paths', ALL_PATHS.slice(6)],
  ...ALL_PATHS.map((path): [string, string[]] => [path, [path]]),
]

describe('the number of statements does not depend on the size of the page', () => {
  it.each(SETS)('%s', async (_, paths) => {
    const query = expandQuery(paths, 'data.')
    const ofOne = await count(list(`limit=1&${query}`))
    const ofTen = await count(list(`limit=10&${query}`))
    const ofHundred = await count(list(`limit=100&${query}`))
    expect([ofTen, ofHundred]).toEqual([ofOne, ofOne])
    // At most one per node, and one for the page.
    expect(ofHundred).toBeLessThanOrEqual(nodesOf(paths) + 1)
    expect(await count(get('q_7', expandQuery(paths)))).toBeLessThanOrEqual(nodesOf(paths) + 1)
  })

  it('does not remove objects from the page', async () => {
    const { data } = await list(`limit=100&${expandQuery(ALL_PATHS.slice(6), 'data.')}`)
    expect(data).toHaveLength(100)
    for (const quote of data) {
      const events = (quote['booking'] as { events: unknown[] }).events
      expect(events).toHaveLength(2)
      expect(events[1]).toMatchObject({
        staff: [{}, {}],
        resources: [{}, {}],
        booking: { lead: {}, invoices: [{}, {}] },
      })
    }
  })

  it('is zero for a rejected request', async () => {
    expect(await count(server.get('/api/quotes?limit=0', KEY))).toBe(0)
    expect(await count(server.get('/api/quotes?expand[]=nope', KEY))).toBe(0)
    expect(await count(server.get('/api/quotes?lead_id=', KEY))).toBe(0)
    expect(await count(server.get('/api/quotes/%00', KEY))).toBe(0)
    expect(await count(server.get('/api/quotes', 'no-such-key'))).toBe(0)
  })

  it('does not increase with filters and a cursor', async () => {
    const filters =
      'lead_id=lead_1&booking_id=booking_1&created_at[gt]=2020-01-01T00:00Z&service_start_time[gt]=2020-01-01T00:00Z'
    expect(await count(list(`${filters}&starting_after=q_2&limit=50`))).toBe(1)
  })

  it('includes at most one for authentication, on a separate connection', async () => {
    const before = keyStatements.length
    await list('limit=100')
    expect(keyStatements.length - before).toBeLessThanOrEqual(1)
    expect(statements.filter((text) => text.includes('api_keys'))).toEqual([])
  })

  it('counts statements that filter by company and only read', () => {
    const kinds = [...new Set(statements)]
    expect(kinds.length).toBeGreaterThan(15)
    for (const text of kinds) {
      expect(text).toMatch(/company_id = \$1/)
      expect(text.trim()).toMatch(/^(WITH page AS MATERIALIZED \(SELECT|SELECT) /)
      expect(text).not.toMatch(/\b(INSERT|UPDATE|DELETE)\b/)
    }
  })
})
