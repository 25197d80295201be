import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import {
  EMPTY_PAGE,
  KEY,
  OTHER_KEY,
  createQuoteApi,
  idsOf,
  plant,
  plantMany,
  rejection,
} from './support/quotes.ts'
import { insertCompany } from './support/records.ts'

const { pool, list, listRaw, server } = await createQuoteApi()

// Newest first: q_5 to q_1. The quotes q_3… have equal times and are ordered by the bytes of their ids.
for (const [id, createdAt] of [
  ['q_1', '2026-01-01T10:00:00.000Z'],
  ['q_2', '2026-01-02T10:00:00.000Z'],
  ['q_3B', '2026-01-03T10:00:00.000Z'],
  ['q_3a', '2026-01-03T10:00:00.000Z'],
  ['q_3é', '2026-01-03T10:00:00.000Z'],
  ['q_3\uFF5E', '2026-01-03T10:00:00.000Z'],
  ['q_3\u{1F600}', '2026-01-03T10:00:00.000Z'],
  ['q_4', '2026-01-03T10:00:00.001Z'],
  ['q_5', '2026-01-05T10:00:00.000Z'],
] as const) {
  // Insertion order and update times are opposite to the order of the list.
  await plant(pool, 'quotes', 'co_1', id, {
    created_at: createdAt,
    updated_at: `2027-01-0${10 - Number(id[2])}T00:00:00Z`,
  })
}
await plant(pool, 'quotes', 'co_1', 'q_deleted', {
  created_at: '2026-01-04T00:00:00Z',
  deleted_at: '2026-01-05T00:00:00Z',
})
await plant(pool, 'quotes', 'co_1', 'q_deleted_later', {
  created_at: '2026-01-04T00:00:00Z',
  deleted_at: '2999-01-01T00:00:00Z',
})
await plant(pool, 'quotes', 'co_2', 'q_foreign', { created_at: '2026-01-03T10:00:00Z' })

const ORDER = ['q_5', 'q_4', 'q_3\u{1F600}', 'q_3\uFF5E', 'q_3é', 'q_3a', 'q_3B', 'q_2', 'q_1']

/** The ids of all pages, as a client reads them. */
async function walk(query: string, key = KEY, betweenPages = async () => {}): Promise<string[]> {
  const seen: string[] = []
  let page = await list(query, key)
  seen.push(...idsOf(page))
  while (page.hasMore) {
    await betweenPages()
    page = await list(`${query}&starting_after=${encodeURIComponent(seen.at(-1) ?? '')}`, key)
    seen.push(...idsOf(page))
  }
  return seen
}

describe('O1: the list envelope', () => {
  it('has exactly object, url with the /api prefix, hasMore and data', async () => {
    const page = await list()
    expect(Object.keys(page)).toEqual(['object', 'url', 'hasMore', 'data'])
    expect(page).toMatchObject({ object: 'list', url: '/api/quotes', hasMore: false })
    expect(page.data.every(({ object }) => object === 'quote')).toBe(true)
  })

  it('has the same url for every query', async () => {
    expect((await list('limit=1&lead_id=nobody')).url).toBe('/api/quotes')
  })
})

describe('Q5: order is createdAt descending, then id descending', () => {
  it('compares milliseconds, then the bytes of ids', async () => {
    expect(idsOf(await list())).toEqual(ORDER)
  })
})

describe('R17: limit, starting_after and hasMore', () => {
  it('hasMore is exact for every limit', async () => {
    for (let limit = 1; limit <= ORDER.length + 1; limit++) {
      const page = await list(`limit=${limit}`)
      expect(idsOf(page)).toEqual(ORDER.slice(0, limit))
      expect(page.hasMore).toBe(limit < ORDER.length)
    }
  })

  it('hasMore is exact after every cursor and limit', async () => {
    for (const [i, cursor] of ORDER.entries()) {
      for (const limit of [1, 2, ORDER.length - 1 - i, ORDER.length - i]) {
        if (limit < 1) continue
        const page = await list(`limit=${limit}&starting_after=${encodeURIComponent(cursor)}`)
        expect(idsOf(page)).toEqual(ORDER.slice(i + 1, i + 1 + limit))
        expect(page.hasMore).toBe(i + 1 + limit < ORDER.length)
      }
    }
  })

  it('pages with starting_after have every quote once, for every limit', async () => {
    for (const limit of [1, 2, 3, 4, 8, 9, 10]) expect(await walk(`limit=${limit}`)).toEqual(ORDER)
  })

  it('the default limit is 10, the maximum 100', async () => {
    const many = 'key-of-a-company-with-many'
    await insertCompany(pool, 'co_many', { key: many })
    await plantMany(
      pool,
      'quotes',
      'co_many',
      Array.from({ length: 101 }, (_, i) => ({
        id: `m_${String(i).padStart(3, '0')}`,
        created_at: '2026-02-01T00:00:00Z',
      })),
    )
    const byDefault = await list('', many)
    expect([byDefault.data.length, byDefault.hasMore]).toEqual([10, true])
    const greatest = await list('limit=100', many)
    expect([greatest.data.length, greatest.hasMore]).toEqual([100, true])
    const last = await list('limit=100&starting_after=m_001', many)
    expect([idsOf(last), last.hasMore]).toEqual([['m_000'], false])
  })

  it.each([
    '0',
    '101',
    '-1',
    '+5',
    '1.0',
    '1e1',
    '0x10',
    '',
    '%20',
    '5%20',
    '%205',
    'ten',
    '９',
    '1%00',
    '99999999999999999999',
    '9'.repeat(400),
  ])('R4: rejects limit=%s', async (limit) => {
    const answer = await listRaw(`limit=${encodeURI(decodeURIComponent(limit))}`)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual(rejection('limit', 'limit must be an integer between 1 and 100'))
  })

  it('R4: accepts leading zeros', async () => {
    expect(idsOf(await list('limit=002'))).toEqual(ORDER.slice(0, 2))
    expect((await list('limit=0000000100')).data).toHaveLength(ORDER.length)
  })
})

describe('Q6: an unknown or inaccessible cursor leads to an empty page', () => {
  it.each([
    ['an unknown id', 'nothing'],
    ['a quote of another company', 'q_foreign'],
    ['a deleted quote', 'q_deleted'],
    ['a quote with a deletion time in the future', 'q_deleted_later'],
    ['R10: an empty id', ''],
    ['R11: an id in another case', 'Q_5'],
    ['R11: a space after the id', 'q_5%20'],
    ['R11: a combining accent instead of the letter', 'q_3e%CC%81'],
    ['R11: 256 code points', 'x'.repeat(256)],
    ['R11: 10,000 code points', 'x'.repeat(10_000)],
    ['R11: a NUL', 'q_5%00'],
    ['R11: an invalid percent-encoding', 'q_5%ZZ'],
    ['R11: invalid UTF-8', 'q_5%FF'],
    ['R11: an unpaired surrogate', '%ED%A0%80'],
    ['an SQL injection', "q_5'%20OR%20'1'='1"],
  ])('%s', async (_, cursor) => {
    expect(await list(`starting_after=${cursor}`)).toEqual(EMPTY_PAGE)
    expect(await list(`starting_after=${cursor}&limit=1&expand[]=data.booking.events.staff`)).toEqual(
      EMPTY_PAGE,
    )
  })

  it('the last quote as cursor leads to an empty page', async () => {
    expect(await list('starting_after=q_1')).toEqual(EMPTY_PAGE)
  })

  it('finds a cursor of 255 code points outside the basic plane', async () => {
    const key = 'key-of-a-company-with-long-ids'
    await insertCompany(pool, 'co_long', { key })
    const long = '\u{1F600}'.repeat(255)
    await plant(pool, 'quotes', 'co_long', long, { created_at: '2026-01-02T00:00:00Z' })
    await plant(pool, 'quotes', 'co_long', 'before', { created_at: '2026-01-01T00:00:00Z' })
    expect(await walk('limit=1', key)).toEqual([long, 'before'])
    expect(await list(`starting_after=${encodeURIComponent(`${long}\u{1F600}`)}`, key)).toEqual(EMPTY_PAGE)
  })

  it('a company without quotes gets an empty page', async () => {
    const key = 'key-of-an-empty-company'
    await insertCompany(pool, 'co_empty', { key })
    expect(await list('', key)).toEqual(EMPTY_PAGE)
    expect(await list('limit=100&expand[]=data.lead', key)).toEqual(EMPTY_PAGE)
  })
})

describe('deleted quotes and those of other companies', () => {
  it('never appear', async () => {
    expect(await walk('limit=100')).toEqual(ORDER)
    expect(idsOf(await list('', OTHER_KEY))).toEqual(['q_foreign'])
  })

  it('after a quote is deleted, it leads to an empty page as cursor and is on no page', async () => {
    const key = 'key-of-a-company-that-deletes'
    await insertCompany(pool, 'co_deletes', { key })
    for (const day of [1, 2, 3]) {
      await plant(pool, 'quotes', 'co_deletes', `d_${day}`, { created_at: `2026-01-0${day}T00:00:00Z` })
    }
    expect(idsOf(await list('limit=1', key))).toEqual(['d_3'])
    await pool.query("UPDATE quotes SET deleted_at = now() WHERE company_id = 'co_deletes' AND id = 'd_3'")
    expect(await list('limit=1&starting_after=d_3', key)).toEqual(EMPTY_PAGE)
    expect(await walk('limit=1', key)).toEqual(['d_2', 'd_1'])
  })
})

/** One of twelve times, so that many inserts have the time of a cursor. */
const timeOf = (i: number) => new Date(Date.UTC(2026, 0, 1) + (i % 12) * 1_000).toISOString()

describe('R17: pages under concurrent inserts', () => {
  it('have no quote twice, and every quote that existed at the start', async () => {
    const key = 'key-of-a-busy-company'
    await insertCompany(pool, 'co_busy', { key })
    const atStart = Array.from({ length: 90 }, (_, i) => ({
      id: `s_${String((i * 37) % 90).padStart(2, '0')}`,
      created_at: timeOf(i),
    }))
    await plantMany(pool, 'quotes', 'co_busy', atStart)
    const walking = new AbortController()
    let inserted = 0
    const insertRows = async (writer: number) => {
      for (let i = 0; i < 40 && !walking.signal.aborted; i++) {
        const rows = [
          { id: `s_${String(i % 90).padStart(2, '0')}_${writer}_${i}`, created_at: timeOf(i) },
          { id: `a_${writer}_${i}`, created_at: timeOf(i * 7) },
          { id: `z_${writer}_${i}`, created_at: timeOf(i * 5) },
          { id: `new_${writer}_${i}`, created_at: new Date(Date.UTC(2026, 1, 1) + i).toISOString() },
          { id: `old_${writer}_${i}`, created_at: new Date(Date.UTC(2025, 1, 1) - i).toISOString() },
        ]
        await plantMany(pool, 'quotes', 'co_busy', rows)
        inserted += rows.length
      }
    }
    const writers = [insertRows(1), insertRows(2)]
    const walks = await Promise.all([3, 7, 20, 45].map((limit) => walk(`limit=${limit}`, key, () => turn())))
    walking.abort()
    await Promise.all(writers)
    expect(inserted).toBeGreaterThan(0)
    for (const seen of walks) {
      expect(new Set(seen).size).toBe(seen.length)
      expect(atStart.map(({ id }) => id).filter((id) => !seen.includes(id))).toEqual([])
    }
  })
})

describe('R2, R3: parameters of the list', () => {
  it.each([
    ['limit=1&limit=1', 'limit'],
    ['limit[]=1', 'limit[]'],
    ['limit%5B%5D=1', 'limit[]'],
    ['limit[gt]=1', 'limit[gt]'],
    ['starting_after=q_1&starting_after=q_1', 'starting_after'],
    ['starting_after[]=q_1', 'starting_after[]'],
    ['starting_after[0]=q_1', 'starting_after[0]'],
    ['expand[x]=data.lead', 'expand[x]'],
    ['expand[][]=data.lead', 'expand[][]'],
    ['expand[-1]=data.lead', 'expand[-1]'],
    ['expand[0][1]=data.lead', 'expand[0][1]'],
    ['expand[=data.lead', 'expand['],
  ])('R3: rejects %s', async (query, param) => {
    const answer = await listRaw(query)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual(rejection(param, expect.stringContaining(param)))
  })

  it('R3: reports the first of several wrong parameters in the query string', async () => {
    expect((await listRaw('limit=0&expand[]=nope&created_at=x')).body).toEqual(rejection('limit'))
    expect((await listRaw('expand[]=nope&limit=0&created_at=x')).body).toEqual(rejection('expand'))
    expect((await listRaw('created_at=x&expand[]=nope&limit=0')).body).toEqual(rejection('created_at'))
  })

  it.each([
    'sort=id',
    'order[]=asc',
    'ending_before=q_1',
    'limits=0',
    'Limit=0',
    'LEAD_ID=x',
    'leadId=x',
    'constructor=1',
    '__proto__=1',
    '__proto__[x]=1',
    '[]=1',
    '=1',
    '&&',
    'page',
  ])('R2: ignores the unknown %s', async (query) => {
    expect(idsOf(await list(query))).toEqual(ORDER)
  })
})

describe('Q10: GET /quotes', () => {
  it('returns each quote as GET /quotes/{id} does', async () => {
    for (const quote of (await list()).data) {
      const answer = await server.get(`/api/quotes/${encodeURIComponent(quote.id)}`, KEY)
      expect(answer.body).toEqual(quote)
    }
  })
})
