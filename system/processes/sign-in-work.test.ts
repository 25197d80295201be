/** A failed sign-in costs the same hashes for any email, so that its time reveals nothing. `npm run torture -- --only access` measures it. */
import { createHook } from 'node:async_hooks'
import { scryptSync } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { hashPassword } from '../../src/core/security/password.ts'
import { createDatabase } from '../../test/support/database.ts'
import { insert, insertCompany } from '../../test/support/records.ts'
import { startServer } from '../../test/support/server.ts'

// Five hashes take a second on an idle machine, and much longer on a busy one.
vi.setConfig({ testTimeout: 120_000 })

const PASSWORD = 'correct horse battery'
const standard = await hashPassword(PASSWORD)

/** Imported hashes can have other parameters. N = 2^14 and p = 1 are a sixth of our work. */
const cheapHash = () => hashWith(14, 1)
const strongHash = () => hashWith(16, 4)

function hashWith(ln: number, p: number): string {
  const salt = Buffer.from('sixteen bytes ab')
  const key = scryptSync(PASSWORD, salt, 32, { N: 2 ** ln, r: 8, p, maxmem: 2 ** 28 })
  const [saltText, keyText] = [salt, key].map((bytes) => bytes.toString('base64').replaceAll('=', ''))
  return `$scrypt$ln=${ln},r=8,p=${p}$${saltText}$${keyText}`
}

async function startWith(users: [email: string, hashes: string[], disabled?: boolean][]) {
  const { pool, connection } = await createDatabase()
  for (let i = 0; i < 6; i++) await insertCompany(pool, `co_${i}`)
  for (const [email, hashes, disabled = false] of users)
    for (const [i, hash] of hashes.entries())
      await insert(pool, 'users', {
        company_id: `co_${i}`,
        id: `${email} ${i}`,
        email,
        name: 'Ada',
        role: 'ADMIN',
        password_hash: hash,
        disabled_at: disabled ? '2026-01-01T00:00:00Z' : null,
      })
  return { server: await startServer(connection), pool }
}

type Server = Awaited<ReturnType<typeof startWith>>['server']

/** The status and the number of calculated hashes. */
async function signIn(server: Server, email: string, password: string, companyId?: string) {
  let hashes = 0
  const hook = createHook({ init: (_id, type) => void (type === 'SCRYPTREQUEST' && hashes++) }).enable()
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ email, password, companyId })
  const { status } = await server.call('/console/session', { method: 'POST', headers, body })
  hook.disable()
  return { status, hashes }
}

describe('a failed sign-in if an email has five companies', async () => {
  const { server } = await startWith([
    ['five@example.com', Array<string>(5).fill(standard)],
    ['one@example.com', [standard]],
  ])

  it.each([
    ['an unknown email', 'nobody@example.com'],
    ['an email of one company', 'one@example.com'],
    ['the email of five companies', 'five@example.com'],
  ])('costs five hashes: %s', async (_, email) => {
    expect(await signIn(server, email, 'a wrong password')).toEqual({ status: 401, hashes: 5 })
  })
})

describe('a failed sign-in if an email has two companies', async () => {
  const { server } = await startWith([
    ['two@example.com', [standard, standard]],
    ['one@example.com', [standard]],
    ['cheap@example.com', [cheapHash()]],
    ['broken@example.com', ['no hash at all']],
    ['disabled@example.com', Array<string>(5).fill(standard), true],
  ])

  it.each([
    ['in upper case', 'TWO@example.com', undefined],
    ['of a disabled user', 'disabled@example.com', undefined],
    ['with an invalid hash', 'broken@example.com', undefined],
    ['that cannot be stored', 'a\0@example.com', undefined],
    ['and one of its companies', 'two@example.com', 'co_1'],
    ['with another company', 'one@example.com', 'co_5'],
    ['that is unknown, and a company', 'nobody@example.com', 'co_1'],
  ])('costs two hashes: an email %s', async (_, email, companyId) => {
    expect(await signIn(server, email, 'a wrong password', companyId)).toEqual({ status: 401, hashes: 2 })
  })

  it('compensates for a cheaper hash', async () => {
    // 1/6 + 1 + 2/3 + 1/6 = 2
    expect(await signIn(server, 'cheap@example.com', 'a wrong password')).toEqual({ status: 401, hashes: 4 })
  })

  it('costs only the needed hashes if it succeeds', async () => {
    expect(await signIn(server, 'one@example.com', PASSWORD)).toEqual({ status: 204, hashes: 1 })
    expect(await signIn(server, 'two@example.com', PASSWORD)).toEqual({ status: 200, hashes: 2 })
    expect(await signIn(server, 'two@example.com', PASSWORD, 'co_1')).toEqual({ status: 204, hashes: 1 })
  })
})

describe('a failed sign-in if an imported hash takes more work than ours', async () => {
  const { server } = await startWith([
    ['strong@example.com', [strongHash()]],
    ['one@example.com', [standard]],
  ])

  it('costs that work for every email', async () => {
    expect(await signIn(server, 'strong@example.com', 'a wrong password')).toEqual({ status: 401, hashes: 1 })
    // 2 × 4 of N = 2^15 are three hashes of this service with p = 3, 3 and 2.
    expect(await signIn(server, 'nobody@example.com', 'a wrong password')).toEqual({ status: 401, hashes: 3 })
    expect(await signIn(server, 'one@example.com', 'a wrong password')).toEqual({ status: 401, hashes: 3 })
  })
})

describe('a failed sign-in if every email has one company', async () => {
  const { server, pool } = await startWith([['one@example.com', [standard]]])

  it('costs one hash', async () => {
    for (const email of ['nobody@example.com', 'one@example.com'])
      expect(await signIn(server, email, 'a wrong password')).toEqual({ status: 401, hashes: 1 })
  })

  it('costs two hashes for every email as soon as one email has two companies', async () => {
    await insert(pool, 'users', {
      company_id: 'co_1',
      id: 'second',
      email: 'One@example.com',
      name: 'Ada',
      role: 'ADMIN',
      password_hash: standard,
    })
    for (const email of ['one@example.com', 'nobody@example.com'])
      expect(await signIn(server, email, 'a wrong password')).toEqual({ status: 401, hashes: 2 })
  })
})
