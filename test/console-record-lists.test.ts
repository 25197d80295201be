/** Lists of records: order, search, filters, cursor and CSV. */
import { describe, expect, it } from 'vitest'
import { RECORD_PATHS } from '../src/core/record-kinds.ts'
import { signedIn } from './support/console.ts'
import { createDatabase } from './support/database.ts'
import { plant, plantMany } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'
import { startServer } from './support/server.ts'

const database = await createDatabase()
const { pool } = database
await insertCompany(pool, 'co_1')
await insertCompany(pool, 'co_2')
const server = await startServer(database.connection)
const { call } = await signedIn(server, database, 'co_1', 'MEMBER')

const TABLES = {
  contacts: 'leads',
  services: 'services',
  addons: 'addons',
  packages: 'packages',
  discounts: 'discounts',
  'service-charges': 'service_charges',
  'tax-rates': 'tax_rates',
  'payment-terms': 'payment_terms',
  contracts: 'contracts',
  'event-types': 'event_types',
  locations: 'locations',
  equipment: 'resources',
  staff: 'staff',
} as const

/** The required columns of a row. */
function rowOf(path: string, name: string): Record<string, unknown> {
  const others: Record<string, Record<string, unknown>> = {
    contacts: { first_name: name, name: undefined },
    discounts: { type: 'PERCENT', percent_off: 5 },
    'service-charges': { type: 'PERCENT', percentage: 5 },
    'tax-rates': { rate: 5 },
    'payment-terms': { payment_schedule: 'FULL' },
    locations: { time_zone: 'Europe/Oslo' },
    equipment: { location_id: 'loc' },
    staff: { first_name: name, last_name: 'Berg', email: 'x@example.com', name: undefined },
  }
  const row = { name, ...others[path] }
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined))
}

interface List {
  records: { id: string }[]
  hasMore: boolean
}

async function list(path: string, query: Record<string, string> = {}): Promise<List> {
  const answer = await call('GET', `${path}?${new URLSearchParams(query).toString()}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body as List
}

const idsOf = ({ records }: List) => records.map(({ id }) => id)

describe.each(RECORD_PATHS)('%s', async (path) => {
  const minute = (i: number) => new Date(Date.UTC(2026, 0, 1, 0, i)).toISOString()
  const names = ['Émile', 'beta tent', 'Alpha tent', 'Åse', 'alpha lamp']
  await plantMany(
    pool,
    TABLES[path],
    'co_1',
    names.map((name, i) => ({ id: `${path}_${i}`, ...rowOf(path, name), created_at: minute(i) })),
  )
  await plant(pool, TABLES[path], 'co_1', `${path}_old`, {
    ...rowOf(path, 'Alpha old'),
    archived_at: minute(9),
  })
  await plant(pool, TABLES[path], 'co_2', `${path}_0`, rowOf(path, 'Alpha tent'))
  const ids = (...numbers: number[]) => numbers.map((i) => `${path}_${i}`)

  it('N1: are listed newest first, or by name', async () => {
    expect(idsOf(await list(path))).toEqual(ids(4, 3, 2, 1, 0))
    expect(idsOf(await list(path, { sort: 'name' }))).toEqual(ids(4, 2, 1, 3, 0))
    expect(idsOf(await list(path, { sort: '-name' }))).toEqual(ids(0, 3, 1, 2, 4))
    expect(idsOf(await list(path, { archived: 'yes' }))).toEqual([`${path}_old`])
    expect(idsOf(await list(path, { after: `${path}_3` }))).toEqual(ids(2, 1, 0))
    expect(idsOf(await list(path, { sort: 'name', after: `${path}_1` }))).toEqual(ids(3, 0))
    expect(idsOf(await list(path, { after: 'no-such-record' }))).toEqual([])
  })

  it('N2: are found by the beginnings of words', async () => {
    expect(idsOf(await list(path, { search: 'ALPHA' }))).toEqual(ids(4, 2))
    expect(idsOf(await list(path, { search: 'ten alp', sort: 'name' }))).toEqual(ids(2))
    expect(idsOf(await list(path, { search: 'lpha' }))).toEqual([])
    expect(idsOf(await list(path, { search: 'ÉMI' }))).toEqual(ids(0))
    expect(idsOf(await list(path, { search: 'alpha', archived: 'yes' }))).toEqual([`${path}_old`])
    expect(idsOf(await list(path, { search: ' & ', sort: 'name' }))).toEqual(ids(4, 2, 1, 3, 0))
  })

  it('N3: are exported as CSV with the same filters and order', async () => {
    const answer = await call('GET', `${path}/export?search=alpha&sort=name`)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${path}.csv"`,
    })
    const [header = '', ...rows] = answer.text.split('\r\n')
    expect(header).toMatch(/^\u{feff}"ID",/u)
    expect(rows.map((row) => row.split(',')[0])).toEqual([...ids(4, 2).map((id) => `"${id}"`), ''])
  })
})

describe('a long list', async () => {
  const COUNT = 1_300
  await insertCompany(pool, 'co_long')
  const { call: callLong } = await signedIn(server, database, 'co_long')
  // All have the word `many`, and the last 30 by name have `rare`.
  await plantMany(
    pool,
    'leads',
    'co_long',
    Array.from({ length: COUNT }, (_, i) => ({
      id: `long_${String(i).padStart(4, '0')}`,
      first_name: `n${String(i).padStart(4, '0')}`,
      last_name: i >= COUNT - 30 ? 'rare many' : 'many',
      company_name: i === 0 ? '=SUM(A1) "x"' : null,
      created_at: new Date(Date.UTC(2026, 0, 1) + Math.floor(i / 3) * 1_000).toISOString(),
    })),
  )
  const expected = Array.from({ length: COUNT }, (_, i) => `long_${String(i).padStart(4, '0')}`)
  const listAll = async (query: Record<string, string>) => {
    const found: string[] = []
    for (let after = ''; ;) {
      const parameters = new URLSearchParams({ ...query, ...(after !== '' && { after }) })
      const { records, hasMore } = (await callLong('GET', `contacts?${parameters.toString()}`)).body as List
      found.push(...records.map(({ id }) => id))
      after = records.at(-1)?.id ?? ''
      if (!hasMore) return found
    }
  }

  it('N1, N2: lists every record once across pages, in order', async () => {
    expect(await listAll({})).toEqual(expected.toReversed())
    expect(await listAll({ sort: 'name', search: 'many' })).toEqual(expected)
    expect(await listAll({ sort: 'name', search: 'rare' })).toEqual(expected.slice(-30))
    expect(await listAll({ sort: '-name', search: 'ma ra' })).toEqual(expected.slice(-30).toReversed())
    expect(await listAll({ search: 'rare' })).toEqual(expected.slice(-30).toReversed())
  })

  it('N3: is exported completely, without formulas', async () => {
    const { text } = await callLong('GET', 'contacts/export?sort=name')
    const rows = text.split('\r\n')
    expect(rows).toHaveLength(COUNT + 2)
    expect(rows[0]).toBe(
      '\u{feff}"ID","First name","Last name","Email","Phone","Company name","Notes","Created","Updated","Archived"',
    )
    expect(rows[1]).toContain(`"'=SUM(A1) ""x"""`)
  })

  it('N1: continues after a record that has been archived', async () => {
    const { records } = (await callLong('GET', 'contacts?sort=name')).body as List
    const last = records.at(-1)?.id ?? ''
    await pool.query(`UPDATE leads SET archived_at = now() WHERE id = $1`, [last])
    const next = (await callLong('GET', `contacts?sort=name&after=${last}`)).body as List
    expect(next.records[0]?.id).toBe(expected[25])
    await pool.query(`UPDATE leads SET archived_at = NULL WHERE id = $1`, [last])
  })
})

describe('filters', () => {
  it('N1: select equipment by category, location and status, and staff by status', async () => {
    await insertCompany(pool, 'co_f')
    const { call: filtered } = await signedIn(server, database, 'co_f')
    await plant(pool, 'locations', 'co_f', 'loc_1', { name: 'Quay', time_zone: 'Europe/Oslo' })
    const equipment = [
      ['van', 'Vehicles', 'loc_1', 'Active'],
      ['cart', 'Vehicles', 'loc_2', 'Inactive'],
      ['tent', 'Tents', 'loc_1', 'Active'],
    ] as const
    for (const [id, category, location_id, status] of equipment)
      await plant(pool, 'resources', 'co_f', id, { name: id, category, location_id, status })
    const person = { first_name: 'A', last_name: 'B', email: 'a@example.com' }
    await plant(pool, 'staff', 'co_f', 'in', { ...person, status: 'active' })
    await plant(pool, 'staff', 'co_f', 'out', { ...person, status: 'inactive' })
    const find = async (path: string) => idsOf((await filtered('GET', path)).body as List)
    expect(await find('equipment?category=Vehicles&sort=name')).toEqual(['cart', 'van'])
    expect(await find('equipment?category=Vehicles&locationId=loc_1')).toEqual(['van'])
    expect(await find('equipment?status=Inactive')).toEqual(['cart'])
    expect(await find('staff?status=inactive')).toEqual(['out'])
    const { text } = await filtered('GET', 'equipment/export?category=Tents')
    expect(text.split('\r\n')[1]).toMatch(/^"tent",.*"Quay"/)
  })
})

describe('amounts in CSV', () => {
  it('N3: have a column per currency with its number of decimals', async () => {
    await insertCompany(pool, 'co_p')
    const { call: priced } = await signedIn(server, database, 'co_p')
    const prices = [
      { currency: 'USD', unitPriceCents: 1_250 },
      { currency: 'KWD', unitPriceCents: 1_250 },
    ]
    await plant(pool, 'services', 'co_p', 'one', { name: 'One', prices: JSON.stringify(prices) })
    const { text } = await priced('GET', 'services/export')
    const [header = '', row = ''] = text.split('\r\n')
    expect(header).toContain('"Price KWD","Price USD","Unit"')
    expect(row).toContain('"1.250","12.50","EACH","yes"')
  })

  it('N3: use the currency of the company for deposits and of the record otherwise', async () => {
    await insertCompany(pool, 'co_d')
    await pool.query(`UPDATE companies SET currency = 'KWD' WHERE id = 'co_d'`)
    const { call: exported } = await signedIn(server, database, 'co_d')
    const deposit = { payment_schedule: 'DEPOSIT', deposit_type: 'AMOUNT', deposit_amount_cents: 500_000 }
    await plant(pool, 'payment_terms', 'co_d', 'part', { name: 'Part', ...deposit })
    await plant(pool, 'payment_terms', 'co_d', 'full', { name: 'Full', payment_schedule: 'FULL' })
    const { text } = await exported('GET', 'payment-terms/export?sort=name')
    const [header = '', ...rows] = text.split('\r\n')
    expect(header).toContain('"Deposit percentage","Deposit amount","Invoice due days"')
    expect(rows[0]).toContain('"FULL","","","","0"')
    expect(rows[1]).toContain('"DEPOSIT","AMOUNT","","500.000","0"')
    const charge = { type: 'AMOUNT', amount_cents: 900, currency: 'USD', percentage: null }
    await plant(pool, 'service_charges', 'co_d', 'late', charge)
    expect((await exported('GET', 'service-charges/export')).text).toContain('"AMOUNT","","9.00","USD"')
  })
})

describe('packages in CSV', () => {
  it('N3: have their lines as text', async () => {
    await insertCompany(pool, 'co_k')
    const { call: exported } = await signedIn(server, database, 'co_k')
    await plant(pool, 'addons', 'co_k', 'milk', { name: 'Oat milk' })
    const lines = [
      { kind: 'ADDON', addonId: 'milk', quantity: 2, unitPriceCents: 12_345 },
      { kind: 'CUSTOM', description: 'Setup' },
    ]
    const created = await exported('POST', 'packages', { values: { name: 'Morning', lines } })
    expect(created.status, created.text).toBe(200)
    await plant(pool, 'packages', 'co_k', 'empty', { name: 'Empty' })
    const [header = '', ...rows] = (await exported('GET', 'packages/export?sort=name')).text.split('\r\n')
    expect(header).toContain('"Name","Description","Lines","Created"')
    expect(rows[0]).toContain('"Empty","","",')
    expect(rows[1]).toContain('"Morning","","2 × Oat milk; Setup",')
  })
})
