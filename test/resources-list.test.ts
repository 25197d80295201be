import { describe, expect, it } from 'vitest'
import { createDatabase } from './support/database.ts'
import { insertCompany, insertResource } from './support/records.ts'
import { startServer } from './support/server.ts'

const KEY = 'key-of-the-first-company'
const { pool, connection } = await createDatabase()
const server = await startServer(connection)

await insertCompany(pool, 'co_1', { key: KEY })
await insertCompany(pool, 'co_2', { key: 'key-of-the-second-company' })
// Newest first: r_05 to r_01. r_03a and r_03b have equal times and are ordered by id.
for (const [id, day, locationId] of [
  ['r_01', 1, 'loc_1'],
  ['r_02', 2, 'loc_2'],
  ['r_03a', 3, 'loc_1'],
  ['r_03b', 3, 'loc_1'],
  ['r_04', 4, 'loc_2'],
  ['r_05', 5, 'loc_1'],
] as const) {
  await insertResource(pool, 'co_1', id, { location_id: locationId, created_at: `2026-01-0${day}T10:00:00Z` })
}
await insertResource(pool, 'co_2', 'r_foreign', { created_at: '2026-01-03T10:00:00Z' })

const ORDER = ['r_05', 'r_04', 'r_03b', 'r_03a', 'r_02', 'r_01']

interface List {
  object: string
  url: string
  hasMore: boolean
  data: { id: string }[]
}

async function list(query = ''): Promise<List> {
  const answer = await server.get(`/api/resources${query}`, KEY)
  expect(answer.status).toBe(200)
  return answer.body as List
}

const idsOf = (page: List) => page.data.map(({ id }) => id)
const EMPTY = { object: 'list', url: '/api/resources', hasMore: false, data: [] }

describe('O1: the list envelope', () => {
  it('has exactly object, url with the /api prefix, hasMore and data', async () => {
    const page = await list()
    expect(Object.keys(page)).toEqual(['object', 'url', 'hasMore', 'data'])
    expect(page).toMatchObject({ object: 'list', url: '/api/resources', hasMore: false })
  })
})

describe('S1: GET /resources', () => {
  it('is ordered by createdAt descending, then id descending', async () => {
    expect(idsOf(await list())).toEqual(ORDER)
  })

  it('limit is the page size, and hasMore is true if another page exists', async () => {
    const page = await list('?limit=2')
    expect(idsOf(page)).toEqual(['r_05', 'r_04'])
    expect(page.hasMore).toBe(true)
    expect((await list('?limit=6')).hasMore).toBe(false)
    expect((await list('?limit=5')).hasMore).toBe(true)
  })

  it('pages with starting_after have every resource once, for every limit', async () => {
    for (const limit of [1, 2, 3, 4, 5, 6, 7]) {
      const seen: string[] = []
      let page = await list(`?limit=${limit}`)
      seen.push(...idsOf(page))
      while (page.hasMore) {
        page = await list(`?limit=${limit}&starting_after=${seen.at(-1)}`)
        seen.push(...idsOf(page))
      }
      expect(seen).toEqual(ORDER)
    }
  })

  it('location_id filters by location, also with pagination', async () => {
    expect(idsOf(await list('?location_id=loc_1'))).toEqual(['r_05', 'r_03b', 'r_03a', 'r_01'])
    const page = await list('?location_id=loc_1&limit=2&starting_after=r_05')
    expect(idsOf(page)).toEqual(['r_03b', 'r_03a'])
    expect(page.hasMore).toBe(true)
    expect(await list('?location_id=nowhere')).toEqual(EMPTY)
  })

  it.each(['unknown', 'r_foreign', ''])(
    'starting_after=%s, not a resource of the company, leads to an empty page',
    async (id) => {
      expect(await list(`?starting_after=${id}`)).toEqual(EMPTY)
    },
  )

  it('starting_after that does not match the filter leads to an empty page', async () => {
    expect(await list('?location_id=loc_1&starting_after=r_04')).toEqual(EMPTY)
  })

  it('the default limit is 10, the maximum 100', async () => {
    for (let i = 0; i < 105; i++) {
      await insertResource(pool, 'co_2', `many_${i}`, { created_at: '2026-02-01T00:00:00Z' })
    }
    const other = 'key-of-the-second-company'
    const byDefault = (await server.get('/api/resources', other)).body as List
    expect([byDefault.data.length, byDefault.hasMore]).toEqual([10, true])
    const greatest = (await server.get('/api/resources?limit=100', other)).body as List
    expect([greatest.data.length, greatest.hasMore]).toEqual([100, true])
  })

  it.each([
    ['expand[]=location', 'location'],
    ['expand%5B%5D=data.location', 'data.location'],
    ['expand=a,b', 'a'],
    ['expand[0]=x', 'x'],
    ['expand[]=', 'expand'],
    ['expand[]=,b', 'expand'],
  ])('rejects %s with the path as param', async (query, param) => {
    const answer = await server.get(`/api/resources?${query}`, KEY)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({
      error: { type: 'invalid_request_error', code: 'invalid_parameter', param },
    })
  })
})
