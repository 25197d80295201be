/** Data access for users of the application. */
import type { PoolClient } from 'pg'
import { describe, expect, it } from 'vitest'
import { withClient } from '../src/db/connect.ts'
import { transact } from '../src/db/transaction.ts'
import {
  createUser,
  disableUser,
  enableUser,
  findUsersByEmail,
  listUserIdsByEmail,
  listUsers,
  setPassword,
} from '../src/records/user/queries.ts'
import type { CreatedUser, NewUser } from '../src/records/user/queries.ts'
import { createDatabase } from './support/database.ts'
import { insert, insertCompany } from './support/records.ts'

const { pool, connection } = await createDatabase()
for (const id of ['co_1', 'co_2', 'co_3', 'co_many']) await insertCompany(pool, id)

const create = (companyId: string, user: Partial<NewUser> = {}): Promise<CreatedUser> =>
  withClient(connection, (client) =>
    transact(client, () =>
      createUser(client, companyId, {
        email: 'ada@example.com',
        name: 'Ada',
        role: 'ADMIN',
        passwordHash: 'a hash',
        ...user,
      }),
    ),
  )

async function createId(companyId: string, user: Partial<NewUser> = {}): Promise<string> {
  const created = await create(companyId, user)
  if (typeof created === 'string') throw new Error(created)
  return created.id
}

const hashDigits = (n: number) => n.toString(16).padStart(64, '0')

const insertSession = (
  companyId: string,
  userId: string,
  n: number,
  through: { query: PoolClient['query'] },
) =>
  through.query(
    `INSERT INTO sessions (company_id, token_hash, user_id, expires_at) VALUES ($1, $2, $3, now() + interval '1 day')`,
    [companyId, hashDigits(n), userId],
  )

async function countSessions(companyId: string, userId: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    'SELECT count(*)::int FROM sessions WHERE company_id = $1 AND user_id = $2',
    [companyId, userId],
  )
  return rows[0]?.count ?? -1
}

describe('a user', () => {
  it('is created in an existing company', async () => {
    const id = await createId('co_1', { email: 'Grace@example.com', name: 'Grace', role: 'MEMBER' })
    expect(id).toMatch(/^user_/)
    expect(await listUsers(pool, 'co_1')).toContainEqual({
      id,
      email: 'Grace@example.com',
      name: 'Grace',
      role: 'MEMBER',
      createdAt: expect.stringMatching(/Z$/),
      disabledAt: null,
    })
    expect(await create('co_none')).toBe('no company')
  })

  it('has a unique email in the company in any case, also among disabled users', async () => {
    const id = await createId('co_1')
    expect(await create('co_1', { email: 'ADA@Example.com' })).toBe('address taken')
    await withClient(connection, (client) => disableUser(client, 'co_1', id))
    expect(await create('co_1', { email: 'ada@EXAMPLE.com' })).toBe('address taken')
    expect(await listUserIdsByEmail(pool, 'co_1', 'aDa@example.com')).toEqual([id])
    expect(await create('co_2', { email: 'Ada@example.com' })).toEqual({ id: expect.any(String) })
    expect(await listUserIdsByEmail(pool, 'co_3', 'ada@example.com')).toEqual([])
  })

  it('has a unique email if ten are created concurrently', async () => {
    const user = { email: 'at-once@example.com' }
    const results = await Promise.all(Array.from({ length: 10 }, () => create('co_3', user)))
    expect(results.filter((result) => result === 'address taken').length).toBe(9)
    expect((await listUserIdsByEmail(pool, 'co_3', user.email)).length).toBe(1)
  })

  it('is listed for its company only', async () => {
    expect((await listUsers(pool, 'co_2'))?.map(({ email }) => email)).toEqual(['Ada@example.com'])
    expect(await listUsers(pool, 'co_none')).toBeNull()
  })
})

describe('findUsersByEmail', () => {
  it('finds active users of all companies by email in any case, with the data of the sign-in', async () => {
    const email = 'Both@example.com'
    const first = await createId('co_1', { email, passwordHash: 'first' })
    const second = await createId('co_2', {
      email: 'both@example.com',
      passwordHash: 'second',
      role: 'MEMBER',
    })
    const disabled = await createId('co_3', { email })
    await withClient(connection, (client) => disableUser(client, 'co_3', disabled))
    expect(await findUsersByEmail(pool, 'bOTH@example.com')).toEqual([
      {
        companyId: 'co_1',
        companyName: 'Company co_1',
        id: first,
        email,
        name: 'Ada',
        role: 'ADMIN',
        passwordHash: 'first',
      },
      expect.objectContaining({ companyId: 'co_2', id: second, role: 'MEMBER', passwordHash: 'second' }),
    ])
  })

  it.each(['nobody@example.com', '', '%', 'both@example.co_', 'a\0b@example.com', '\ud800@example.com'])(
    'finds no user for %j',
    async (email) => expect(await findUsersByEmail(pool, email)).toEqual([]),
  )

  it('finds at most ten users', async () => {
    for (let i = 0; i < 12; i++) {
      await insert(pool, 'users', {
        company_id: 'co_many',
        id: `user_${i}`,
        email: 'many@example.com',
        name: 'Imported',
        role: 'MEMBER',
        password_hash: 'a hash',
      })
    }
    expect((await findUsersByEmail(pool, 'many@example.com')).length).toBe(10)
    expect((await listUserIdsByEmail(pool, 'co_many', 'many@example.com')).length).toBe(12)
  })

  it('uses the index on emails', async () => {
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT 1 FROM users u
       WHERE lower(u.email COLLATE "C") = lower('a@example.com'::text COLLATE "C") AND u.disabled_at IS NULL`,
    )
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('users_by_folded_email')
  })
})

describe.each([
  [
    'setPassword',
    (companyId: string, id: string) =>
      withClient(connection, (client) => setPassword(client, companyId, id, 'a new hash')),
  ],
  [
    'disableUser',
    (companyId: string, id: string) => withClient(connection, (client) => disableUser(client, companyId, id)),
  ],
])('%s', (name, change) => {
  const company = `co of ${name}`
  const other = `other ${company}`

  it('ends the sessions of this user only', async () => {
    await insertCompany(pool, company)
    await insertCompany(pool, other)
    const id = await createId(company)
    const colleague = await createId(company, { email: 'colleague@example.com' })
    await insert(pool, 'users', {
      company_id: other,
      id,
      email: 'ada@example.com',
      name: 'The same id in another company',
      role: 'ADMIN',
      password_hash: 'a hash',
    })
    await insertSession(company, id, 1, pool)
    await insertSession(company, id, 2, pool)
    await insertSession(company, colleague, 3, pool)
    await insertSession(other, id, 4, pool)
    expect(await change(company, id)).toMatchObject({ id })
    expect(await countSessions(company, id)).toBe(0)
    expect(await countSessions(company, colleague)).toBe(1)
    expect(await countSessions(other, id)).toBe(1)
    const { rows } = await pool.query<{ password_hash: string; disabled: boolean }>(
      'SELECT password_hash, disabled_at IS NOT NULL AS disabled FROM users WHERE company_id = $1 AND id = $2',
      [other, id],
    )
    expect(rows).toEqual([{ password_hash: 'a hash', disabled: false }])
  })

  it('also ends a session that begins while it waits', async () => {
    const id = await createId(company, { email: 'waiting@example.com' })
    const signIn = await pool.connect()
    await signIn.query('BEGIN')
    await signIn.query('SELECT 1 FROM users WHERE company_id = $1 AND id = $2 FOR SHARE', [company, id])
    const changed = change(company, id)
    await expect
      .poll(async () => (await pool.query(`SELECT FROM pg_locks WHERE NOT granted`)).rowCount)
      .toBeGreaterThan(0)
    await insertSession(company, id, name.length + 10, signIn)
    await signIn.query('COMMIT')
    signIn.release()
    expect(await changed).toMatchObject({ id })
    expect(await countSessions(company, id)).toBe(0)
  })

  it('finds no user of another company and no missing user', async () => {
    const foreign = await createId('co_1', { email: `${name.replaceAll(' ', '-')}@example.com` })
    expect(await change('co_2', foreign)).toBeNull()
    expect(await change(company, 'user_none')).toBeNull()
    const { rows } = await pool.query<{ password_hash: string; disabled_at: string | null }>(
      'SELECT password_hash, disabled_at FROM users WHERE company_id = $1 AND id = $2',
      ['co_1', foreign],
    )
    expect(rows).toEqual([{ password_hash: 'a hash', disabled_at: null }])
  })
})

it('enableUser enables a user of the company only', async () => {
  const id = await createId('co_1', { email: 'enabled@example.com' })
  const isActive = async () => (await findUsersByEmail(pool, 'enabled@example.com')).length === 1
  await withClient(connection, (client) => disableUser(client, 'co_1', id))
  expect(await withClient(connection, (client) => enableUser(client, 'co_2', id))).toBeNull()
  expect(await isActive()).toBe(false)
  expect(await withClient(connection, (client) => enableUser(client, 'co_1', id))).toMatchObject({ id })
  expect(await isActive()).toBe(true)
})

it('disableUser keeps the first time if it is repeated', async () => {
  const id = await createId('co_1', { email: 'twice@example.com' })
  const disabledAt = async () => (await listUsers(pool, 'co_1'))?.find((user) => user.id === id)?.disabledAt
  await withClient(connection, (client) => disableUser(client, 'co_1', id))
  const first = await disabledAt()
  expect(first).toMatch(/Z$/)
  await withClient(connection, (client) => disableUser(client, 'co_1', id))
  expect(await disabledAt()).toBe(first)
})
