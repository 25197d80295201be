/** Contacts are found by the beginnings of words in name, email, phone or company, regardless of case. */
import { describe, expect, it } from 'vitest'
import { searchLeads } from '../src/records/lead/queries.ts'
import { listQuotes } from '../src/records/quote/queries.ts'
import { createDatabase } from './support/database.ts'
import { plant, plantMany } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'

const { pool } = await createDatabase()
await insertCompany(pool, 'co_1')
await insertCompany(pool, 'co_2')

const LEADS = {
  ada: { first_name: 'Ada', last_name: 'Lindqvist', email: 'ada@example.com', phone: '+46 8 555 01' },
  ann: { first_name: 'Ann', last_name: "O'Hara", company_name: '100% Cotton' },
  jürgen: { first_name: 'JÜRGEN', last_name: 'Groß', email: 'j_g@example.com' },
  company: { company_name: 'Lindqvist & Söner AB' },
  unnamed: {},
  slash: { last_name: String.raw`back\slash` },
}
let minute = 0
for (const [id, row] of Object.entries(LEADS)) {
  await plant(pool, 'leads', 'co_1', id, { ...row, created_at: `2026-01-01T00:0${minute++}:00Z` })
}
await plant(pool, 'leads', 'co_2', 'foreign', { first_name: 'Ada', last_name: 'Lindqvist' })

/** The result for a text without a word */
const ALL = Object.keys(LEADS).toReversed()

describe('searchLeads', () => {
  it.each<[text: string, ids: string[]]>([
    ['ada', ['ada']],
    ['LIND', ['company', 'ada']],
    ['lindqvist ada', ['ada']],
    ['  ada\t LINDQVIST ', ['ada']],
    ['ada söner', []],
    ['SÖNER', ['company']],
    ['jürgen', ['jürgen']],
    ['555 01', ['ada']],
    ['@example', ['jürgen', 'ada']],
    ["o'h", ['ann']],
    ['100%', ['ann']],
    ['j_', ['jürgen']],
    ['indqvist', []],
    ['a_l', ['company', 'ada']],
    ['\\slash', ['slash']],
    ['adalindqvist', []],
    [`'); DROP TABLE leads; --`, []],
    ['\0', []],
    ['{a,b}', []],
    ['%', ALL],
    ['🎉', ALL],
  ])('%j finds %j, newest first', async (text, ids) => {
    expect(await searchLeads(pool, 'co_1', text, 10)).toEqual(ids)
  })

  it('returns the newest up to the limit', async () => {
    expect(await searchLeads(pool, 'co_1', 'lind', 1)).toEqual(['company'])
  })
})

describe('listQuotes with contacts', async () => {
  await plantMany(
    pool,
    'quotes',
    'co_1',
    Array.from({ length: 60 }, (_, i) => ({
      id: `q_${String(i).padStart(2, '0')}`,
      lead_id: Object.keys(LEADS)[i % 6],
      location_id: `loc_${i % 2}`,
      sent_at: i % 3 === 0 ? null : '2026-01-01T00:00:00Z',
      created_at: `2026-02-01T00:00:${String(i % 7).padStart(2, '0')}Z`,
      updated_at: `2026-03-01T00:00:${String(i % 10).padStart(2, '0')}Z`,
    })),
  )
  await plantMany(
    pool,
    'service_days',
    'co_1',
    Array.from({ length: 60 }, (_, i) => ({
      id: `d_${i}`,
      quote_id: `q_${String(i).padStart(2, '0')}`,
      service_start_time: `2026-06-01T00:00:${String(i % 12).padStart(2, '0')}Z`,
      service_end_time: `2026-06-01T01:00:00Z`,
    })),
  )
  await plant(pool, 'quotes', 'co_1', 'q_deleted', { lead_id: 'ada', deleted_at: '2026-01-01T00:00:00Z' })
  await plant(pool, 'quotes', 'co_2', 'q_foreign', { lead_id: 'ada' })

  const none = { ids: {}, createdAt: null, updatedAt: null, serviceStartTime: null }
  const seconds = (start: string, from: number, before: number) => ({
    from: Date.parse(start) + from * 1_000,
    before: Date.parse(start) + before * 1_000,
  })
  const number = (id: string) => Number(id.slice(2))
  const now = '2026-05-01T00:00:00.000Z'

  it.each([
    ['no other filter', none, () => true],
    ['a location', { ...none, ids: { locationId: 'loc_1' } }, (i: number) => i % 2 === 1],
    ['a contact', { ...none, ids: { leadId: 'ada' } }, (i: number) => i % 6 === 0],
    ['a state', { ...none, state: { is: 'draft' as const, now } }, (i: number) => i % 3 === 0],
    [
      'a creation time',
      { ...none, createdAt: seconds('2026-02-01T00:00:00Z', 2, 4) },
      (i: number) => [2, 3].includes(i % 7),
    ],
    [
      'an update time',
      { ...none, updatedAt: seconds('2026-03-01T00:00:00Z', 0, 4) },
      (i: number) => i % 10 < 4,
    ],
    [
      'a range of days',
      { ...none, serviceStartTime: seconds('2026-06-01T00:00:00Z', 5, 9) },
      (i: number) => i % 12 >= 5 && i % 12 < 9,
    ],
  ])('and %s returns the quotes of these contacts in the order of the list', async (_, filters, matches) => {
    const leadIds = ['ada', 'company', 'ann']
    const expected = Array.from({ length: 60 }, (_quote, i) => i)
      .filter((i) => [0, 1, 3].includes(i % 6) && matches(i))
      .toSorted((a, b) => (b % 7) - (a % 7) || b - a)
    const found: number[] = []
    for (let cursor: string | undefined; ;) {
      const page = await listQuotes(
        pool,
        'co_1',
        { ...filters, leadIds },
        { limit: 4, startingAfter: cursor },
      )
      found.push(...page.rows.map((row) => number(row.get('id'))))
      cursor = page.rows.at(-1)?.get('id')
      if (!page.hasMore) break
    }
    expect(found).toEqual(expected)
  })

  it('returns an empty page without contacts, or after a quote of another contact', async () => {
    const page = { limit: 10, startingAfter: undefined }
    const empty = { rows: [], hasMore: false, isCursorFound: true }
    expect(await listQuotes(pool, 'co_1', { ...none, leadIds: [] }, page)).toEqual(empty)
    const after = { limit: 10, startingAfter: 'q_02' }
    expect(await listQuotes(pool, 'co_1', { ...none, leadIds: ['ada'] }, after)).toEqual({
      ...empty,
      isCursorFound: false,
    })
    expect(await listQuotes(pool, 'co_1', { ...none, leadIds: ['foreign'] }, page)).toEqual(empty)
  })
})
