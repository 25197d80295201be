import { describe, expect, it } from 'vitest'
import { createDatabase } from './support/database.ts'
import { DENIED, UNKNOWN_ID, errorOf, invalidParameter } from './support/errors.ts'
import { insertCompany, insertStaff } from './support/records.ts'
import { startServer } from './support/server.ts'

const KEY = 'key-of-the-first-company'
const { pool, connection } = await createDatabase()
const server = await startServer(connection)

await insertCompany(pool, 'co_1', { key: KEY })
await insertCompany(pool, 'co_2', { key: 'key-of-the-second-company' })
await insertStaff(pool, 'co_1', 'staff_1', {
  first_name: 'Grace',
  last_name: 'Okafor',
  email: 'grace@example.com',
  phone: '+1 555 0100',
  role: 'Lead',
  status: 'active',
  created_at: '2026-03-01T09:30:00.123Z',
  updated_at: '2026-03-02T10:00:00Z',
})
await insertStaff(pool, 'co_1', 'staff_left', { status: 'inactive' })
await insertStaff(pool, 'co_2', 'staff_foreign')
await insertStaff(pool, 'co_1', 'staff_both', { first_name: 'Ours' })
await insertStaff(pool, 'co_2', 'staff_both', { first_name: 'Theirs' })

const get = (path: string) => server.get(`/api/staff/${path}`, KEY)

describe('O17: the staff object', () => {
  it('has exactly the documented fields, in this order', async () => {
    const answer = await get('staff_1')
    expect(answer.status).toBe(200)
    expect(answer.text).toBe(
      JSON.stringify({
        object: 'staff',
        id: 'staff_1',
        firstName: 'Grace',
        lastName: 'Okafor',
        email: 'grace@example.com',
        phone: '+1 555 0100',
        role: 'Lead',
        status: 'active',
        createdAt: '2026-03-01T09:30:00.123Z',
        updatedAt: '2026-03-02T10:00:00.000Z',
      }),
    )
  })

  it('has null for an unset phone and role', async () => {
    expect((await get('staff_left')).body).toMatchObject({ phone: null, role: null })
  })
})

describe('S3: GET /staff/{id}', () => {
  it('returns inactive staff', async () => {
    const answer = await get('staff_left')
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ id: 'staff_left', status: 'inactive' })
  })

  it.each([
    ['an unknown id', 'unknown'],
    ['an id of another company', 'staff_foreign'],
    ['an id in another case', 'Staff_1'],
    ['a NUL', 'staff_1%00'],
    ['invalid UTF-8', '%FF'],
    ['10,000 characters', 's'.repeat(10_000)],
  ])('responds with 404 and param id to %s', async (_, path) => {
    const answer = await get(path)
    expect(errorOf(answer)).toEqual(UNKNOWN_ID)
    expect(answer.text).toContain('"message":"Staff not found"')
  })

  it('returns to each company its own record for an id that both use', async () => {
    expect((await get('staff_both')).body).toMatchObject({ firstName: 'Ours' })
    const theirs = await server.get('/api/staff/staff_both', 'key-of-the-second-company')
    expect(theirs.body).toMatchObject({ firstName: 'Theirs' })
  })

  it.each([
    ['expand[]=location', '"location"'],
    ['expand%5B%5D=a,b', '"a"'],
    ['expand=events', '"events"'],
    ['expand[0]=x', '"x"'],
    ['expand[]=', 'expand'],
    ['expand', 'expand'],
    ['expand[]=%zz', '"%zz"'],
  ])('R9: rejects any expand[] with a message that names the path: %s', async (query, named) => {
    const answer = await get(`staff_1?${query}`)
    expect(errorOf(answer)).toEqual(invalidParameter('expand'))
    expect((answer.body as { error: { message: string } }).error.message).toContain(named)
    expect(errorOf(await get(`unknown?${query}`))).toEqual(invalidParameter('expand'))
  })

  it('ignores other parameters', async () => {
    expect((await get('staff_1?status=inactive&limit=abc&x[]=1')).status).toBe(200)
  })

  it.each(['BASIC', 'PRO', 'LEGACY_PRO'] as const)('denies a key of plan %s', async (plan) => {
    await insertCompany(pool, `co_${plan}`, { plan, key: `key-of-${plan}` })
    expect(errorOf(await server.get('/api/staff/staff_1', `key-of-${plan}`))).toEqual(DENIED)
  })
})
