import { describe, expect, it } from 'vitest'
import { createDatabase } from './support/database.ts'
import { plant } from './support/quotes.ts'
import { insertCompany, insertResource } from './support/records.ts'
import { startServer } from './support/server.ts'
import { watchedPool } from './support/watched-pool.ts'

const KEY = 'key-of-the-first-company'
const { pool, connection } = await createDatabase()
const statements: string[] = []
const server = await startServer(connection, {
  data: watchedPool(connection, 'data', (text) => statements.push(text)),
})

await insertCompany(pool, 'co_1', { key: KEY })
await insertCompany(pool, 'co_2', { key: 'key-of-the-second-company' })
for (const day of [1, 2, 3]) {
  const created = { created_at: `2026-01-0${day}T00:00:00Z` }
  await plant(pool, 'quotes', 'co_1', `q_${day}`, { ...created, location_id: `loc_${day}` })
  await insertResource(pool, 'co_1', `r_${day}`, { ...created, location_id: `loc_${day}` })
}
await plant(pool, 'quotes', 'co_1', 'q_deleted', { deleted_at: '2026-01-05T00:00:00Z' })
await plant(pool, 'quotes', 'co_2', 'q_foreign')
await insertResource(pool, 'co_2', 'r_foreign')

const LISTS = [
  ['/api/quotes', 'q'],
  ['/api/resources', 'r'],
] as const

const get = (path: string, method = 'GET') => server.call(path, { method, headers: { 'x-api-key': KEY } })

describe.each(LISTS)('R19: x-cursor of GET %s', (path, kind) => {
  const empty = { object: 'list', url: path, hasMore: false, data: [] }

  it.each([
    ['an unknown id', 'starting_after=unknown'],
    ['an id of another company', `starting_after=${kind}_foreign`],
    ['a deleted row', `starting_after=${kind}_deleted`],
    ['an empty id', 'starting_after='],
    ['an id that cannot exist', 'starting_after=%00'],
    ['a row that does not match the filter', `location_id=loc_1&starting_after=${kind}_2`],
    ['a filter that nothing can match', `location_id=%00&starting_after=${kind}_2`],
  ])('%s gets an empty page with not-found', async (_, query) => {
    const answer = await get(`${path}?${query}`)
    expect(answer).toMatchObject({ status: 200, body: empty })
    expect(answer.headers['x-cursor']).toBe('not-found')
    expect((await get(`${path}?${query}`, 'HEAD')).headers['x-cursor']).toBe('not-found')
  })

  it('is the same for an unknown id and an id of another company', async () => {
    const [unknown, foreign] = [
      await get(`${path}?starting_after=unknown`),
      await get(`${path}?starting_after=${kind}_foreign`),
    ]
    const comparable = ({ headers, ...rest }: typeof unknown) => ({
      ...rest,
      headers: { ...headers, date: '', 'x-request-id': '' },
    })
    expect(comparable(foreign)).toEqual(comparable(unknown))
  })

  it.each([
    ['the first page', 'limit=2', 2],
    ['a page after a cursor', `starting_after=${kind}_3`, 2],
    ['the end of the list', `starting_after=${kind}_1`, 0],
    ['the end of a filtered list', `location_id=loc_2&starting_after=${kind}_2`, 0],
    ['a filter without matches', 'location_id=nowhere', 0],
    ['a filter that nothing can match', 'location_id=%00', 0],
  ])('%s does not have the header', async (_, query, length) => {
    const answer = await get(`${path}?${query}`)
    expect((answer.body as { data: unknown[] }).data).toHaveLength(length)
    expect(answer.headers['x-cursor']).toBeUndefined()
  })

  it('needs no additional statement', async () => {
    const before = statements.length
    await get(`${path}?starting_after=unknown`)
    await get(`${path}?starting_after=${kind}_1`)
    await get(`${path}?starting_after=${kind}_3`)
    expect(statements.length - before).toBe(3)
  })

  it('is documented', async () => {
    const { body } = await (await startServer(connection)).call('/api/openapi.json')
    const { paths } = body as { paths: Record<string, { get: { responses: Record<string, object> } }> }
    expect(paths[path.slice('/api'.length)]?.get.responses['200']).toMatchObject({
      headers: { 'x-cursor': { schema: { enum: ['not-found'] } } },
    })
  })
})

describe('R19: a cursor that is deleted between two pages', () => {
  it('gets not-found, unlike the end of the list', async () => {
    await plant(pool, 'quotes', 'co_1', 'q_newest', { created_at: '2026-02-01T00:00:00Z' })
    expect((await get('/api/quotes?limit=1')).body).toMatchObject({
      hasMore: true,
      data: [{ id: 'q_newest' }],
    })
    await pool.query("UPDATE quotes SET deleted_at = now() WHERE company_id = 'co_1' AND id = 'q_newest'")
    const answer = await get('/api/quotes?limit=1&starting_after=q_newest')
    expect(answer.body).toMatchObject({ hasMore: false, data: [] })
    expect(answer.headers['x-cursor']).toBe('not-found')
  })
})
