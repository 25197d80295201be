/** Signing in to the application: sessions, cookies, and limits for guessing. */
import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { hashPassword } from '../src/core/security/password.ts'
import { openPool } from '../src/db/connect.ts'
import { PASSWORD, callConsole, emailOf, plantUser, signedIn } from './support/console.ts'
import { createDatabase } from './support/database.ts'
import { insertCompany, insertKey } from './support/records.ts'
import { startServer } from './support/server.ts'
import { importValid } from './support/world.ts'
import type { Answer } from './support/server.ts'

const database = await createDatabase()
const { pool, connection } = database
const server = await startServer(connection)

let companies = 0
/** A separate company for a test. */
async function newCompany(): Promise<string> {
  const id = `c${++companies}`
  await insertCompany(pool, id)
  await plantUser(database, id)
  return id
}

/** Each failed sign-in costs as many hashes as the email with the most users. This keeps later tests fast. */
const disableUsersOf = (...ids: string[]) =>
  pool.query('UPDATE users SET disabled_at = now() WHERE company_id = ANY($1)', [ids])

const post = (body: object, headers: Record<string, string> = {}, on = server) =>
  on.call('/console/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const signIn = (companyId: string, password = PASSWORD, headers: Record<string, string> = {}) =>
  post({ email: emailOf('ADMIN', companyId), password }, headers)
const codeOf = ({ body }: Answer) => (body as { error: { code: string } }).error.code
const cookieOf = ({ headers }: Answer) => String(headers['set-cookie']).split(';')[0] ?? ''
const sessionOf = async (cookie: string) =>
  (await callConsole(server, cookie, 'GET', 'session')).body as { session: unknown }

describe('signing in', () => {
  it('sets a sealed cookie that scripts cannot read and other sites cannot use', async () => {
    const company = await newCompany()
    const answer = await signIn(company)
    expect(answer.status).toBe(204)
    expect(String(answer.headers['set-cookie'])).toMatch(
      /^eqs_session=[\w-]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict,eqs_company=[\w-]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(await sessionOf(cookieOf(answer))).toEqual({
      session: {
        user: { id: 'user_ADMIN', name: 'The ADMIN', email: emailOf('ADMIN', company), role: 'ADMIN' },
        company: { id: company, name: expect.any(String), plan: 'PREMIUM', currency: 'USD', locale: null },
      },
    })
  })

  it('sets a Secure cookie for this host only with TLS', async () => {
    const company = await newCompany()
    const secure = await startServer(connection, { publicUrl: () => 'https://quotes.example' })
    const answer = await post({ email: emailOf('ADMIN', company), password: PASSWORD }, {}, secure)
    expect(String(answer.headers['set-cookie'])).toMatch(
      /^__Host-eqs_session=[\w-]+; .*; Path=\/; HttpOnly; Secure; SameSite=Strict,__Host-eqs_company=.*; SameSite=Lax$/,
    )
    const headers = { cookie: cookieOf(answer) }
    const ended = await secure.call('/console/session', { method: 'DELETE', headers })
    expect(String(ended.headers['set-cookie'])).toMatch(
      /^__Host-eqs_session=; Max-Age=0; Path=\/; .*,__Host-eqs_company=; Max-Age=0; Path=\/; .*; Secure; /,
    )
  })

  it('sets a Secure cookie with TLS below a path', async () => {
    const company = await newCompany()
    const secure = await startServer(connection, { publicUrl: () => 'https://example.com/quotes' })
    const answer = await post({ email: emailOf('ADMIN', company), password: PASSWORD }, {}, secure)
    expect(String(answer.headers['set-cookie'])).toMatch(
      /^eqs_session=[\w-]+; .*; Path=\/quotes; .*; Secure; /,
    )
  })

  it('ignores the case of the email address, but not of the password', async () => {
    const company = await newCompany()
    expect((await post({ email: emailOf('ADMIN', company).toUpperCase(), password: PASSWORD })).status).toBe(
      204,
    )
    expect((await signIn(company, PASSWORD.toUpperCase())).status).toBe(401)
  })

  it('responds alike to an unknown address, a wrong password and a disabled user', async () => {
    const [company, other] = [await newCompany(), await newCompany()]
    await pool.query('UPDATE users SET disabled_at = now() WHERE company_id = $1', [other])
    const answers = [
      await signIn(company, 'wrong'),
      await post({ email: 'nobody@nowhere.example', password: PASSWORD }),
      await signIn(other),
    ]
    for (const { status, text, headers } of answers) {
      expect(status).toBe(401)
      expect(text).toBe(answers[0]?.text)
      expect(headers).not.toHaveProperty('set-cookie')
    }
  })

  it('replaces the cookie, and ends the previous session of the browser', async () => {
    const company = await newCompany()
    const first = cookieOf(await signIn(company))
    const second = cookieOf(await signIn(company, PASSWORD, { cookie: first }))
    expect(second).not.toBe(first)
    expect(await sessionOf(first)).toEqual({ session: null })
    expect(await sessionOf(second)).not.toEqual({ session: null })
  })

  it('lists the companies of a user of several, who chooses one', async () => {
    const [one, other] = [await newCompany(), await newCompany()]
    const email = 'both@companies.example'
    await pool.query('UPDATE users SET email = $2 WHERE company_id = ANY($1)', [[one, other], email])
    const choice = await post({ email, password: PASSWORD })
    expect(choice.status).toBe(200)
    expect(choice.headers).not.toHaveProperty('set-cookie')
    expect(choice.body).toEqual({
      companies: [one, other].map((id) => ({ id, name: expect.any(String) })),
    })
    const answer = await post({ email, password: PASSWORD, companyId: other })
    expect(await sessionOf(cookieOf(answer))).toMatchObject({ session: { company: { id: other } } })
    expect((await post({ email, password: PASSWORD, companyId: 'c_of_others' })).status).toBe(401)
    await disableUsersOf(one, other)
  })

  it('uses the first of two users with the same address and password in one company', async () => {
    const company = await newCompany()
    await pool.query(
      `INSERT INTO users (company_id, id, email, name, role, password_hash)
       SELECT company_id, 'zz', upper(email), name, 'MEMBER', password_hash FROM users WHERE company_id = $1`,
      [company],
    )
    const answer = await signIn(company)
    expect(await sessionOf(cookieOf(answer))).toMatchObject({ session: { user: { id: 'user_ADMIN' } } })
    await disableUsersOf(company)
  })

  it.each([
    ['no body', {}],
    ['no password', { email: 'a@b.example' }],
    ['a password that is not a text', { email: 'a@b.example', password: 7 }],
    ['an unknown member', { email: 'a@b.example', password: 'x', role: 'ADMIN' }],
  ])('rejects %s', async (_, body) => {
    const answer = await post(body)
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_body'])
  })

  it('rejects a form, which another site could send', async () => {
    const answer = await server.call('/console/session', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'email=a&password=b',
    })
    expect(answer.status).toBe(400)
  })
})

describe('a session', () => {
  it('ends by signing out', async () => {
    const { cookie, call } = await signedIn(server, database, await newCompany())
    const answer = await call('DELETE', 'session')
    expect(answer.status).toBe(204)
    expect(String(answer.headers['set-cookie'])).toMatch(/^eqs_session=; Max-Age=0; Path=\/; /)
    expect(await sessionOf(cookie)).toEqual({ session: null })
  })

  it('ends together with the other sessions of the user, but not of other users', async () => {
    const company = await newCompany()
    const [one, two] = [await signedIn(server, database, company), await signedIn(server, database, company)]
    const member = await signedIn(server, database, company, 'MEMBER')
    expect((await one.call('DELETE', 'sessions')).status).toBe(204)
    for (const { cookie } of [one, two]) expect(await sessionOf(cookie)).toEqual({ session: null })
    expect(await sessionOf(member.cookie)).toMatchObject({ session: { user: { role: 'MEMBER' } } })
  })

  it('ends after seven days, and when the user is disabled', async () => {
    const [old, disabled] = [await newCompany(), await newCompany()]
    const sessions = [await signedIn(server, database, old), await signedIn(server, database, disabled)]
    await pool.query(`UPDATE sessions SET expires_at = now() WHERE company_id = $1`, [old])
    await pool.query('UPDATE users SET disabled_at = now() WHERE company_id = $1', [disabled])
    for (const { cookie } of sessions) expect(await sessionOf(cookie)).toEqual({ session: null })
  })

  it('is stored as a hash of its token', async () => {
    const company = await newCompany()
    const { cookie } = await signedIn(server, database, company)
    const { rows } = await pool.query<{ all: string }>(
      `SELECT string_agg(s::text, ' ') AS all FROM sessions s WHERE company_id = $1`,
      [company],
    )
    expect(rows[0]?.all).toMatch(/[0-9a-f]{64}/)
    expect(rows[0]?.all).not.toContain(cookie.split('=')[1])
  })

  it.each(['', 'eqs_session=', 'eqs_session=abc', 'eqs_session=; eqs_session=x'])(
    'is not opened by the cookie %j',
    async (cookie) => {
      expect(await sessionOf(cookie)).toEqual({ session: null })
      const answer = await callConsole(server, cookie, 'DELETE', 'sessions')
      expect([answer.status, codeOf(answer)]).toEqual([401, 'not_signed_in'])
    },
  )
})

describe('the check of the origin', () => {
  it.each([
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
  ])('rejects %j', async (headers) => {
    const company = await newCompany()
    const { cookie } = await signedIn(server, database, company)
    for (const [method, path] of [
      ['DELETE', '/console/session'],
      ['DELETE', '/console/sessions'],
      ['PUT', '/console/account/password'],
      ['POST', '/console/session'],
    ] as const) {
      const answer = await server.call(path, {
        method,
        headers: { cookie, 'content-type': 'application/json', ...headers },
        body: '{}',
      })
      expect([answer.status, codeOf(answer)]).toEqual([403, 'forbidden'])
    }
    expect(await sessionOf(cookie)).not.toEqual({ session: null })
  })

  it('accepts calls of the application', async () => {
    const { cookie } = await signedIn(server, database, await newCompany())
    const origin = `http://127.0.0.1:${server.port}`
    const headers = { cookie, origin, 'sec-fetch-site': 'same-origin', host: `127.0.0.1:${server.port}` }
    expect((await server.call('/console/session', { method: 'DELETE', headers })).status).toBe(204)
  })
})

/** The state after this number of failures. */
async function setFailures(subject: string[], failures: number): Promise<void> {
  const hash = createHash('sha256').update(subject.join('\0')).digest('hex')
  await pool.query(
    `INSERT INTO sign_in_failures (subject_hash, failures, last_at) VALUES ($1, $2, now())
     ON CONFLICT (subject_hash) DO UPDATE SET failures = excluded.failures, last_at = now()`,
    [hash, failures],
  )
}

describe('the application', () => {
  it('does not delay the API: it has separate connections and slots', async () => {
    const company = await newCompany()
    await insertKey(pool, company, 'a-key-beside-users')
    const consolePool = openPool(connection, 'console', () => undefined, 1)
    const busy = await startServer(connection, { console: consolePool })
    const taken = await consolePool.connect()
    consolePool.options.connectionTimeoutMillis = 300
    const { cookie } = await signedIn(server, database, company)
    const waiting = Array.from({ length: 30 }, () => callConsole(busy, cookie, 'GET', 'dashboard'))
    for (let i = 0; i < 5; i++) expect((await busy.get('/api/quotes', 'a-key-beside-users')).status).toBe(200)
    const answers = await Promise.all(waiting)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
    for (const answer of answers) expect(answer.headers['retry-after']).toBe('1')
    taken.release()
    expect((await callConsole(busy, cookie, 'GET', 'dashboard')).status).toBe(200)
    await consolePool.end()
  })
})

describe('guessing of passwords', () => {
  beforeEach(() => pool.query('DELETE FROM sign_in_failures'))

  it('at one account from one address delays any password after five failures', async () => {
    const company = await newCompany()
    for (let i = 0; i < 5; i++) expect((await signIn(company, `guess ${i}`)).status).toBe(401)
    const { rows } = await pool.query<{ failures: number }>('SELECT DISTINCT failures FROM sign_in_failures')
    expect(rows).toEqual([{ failures: 5 }])
    await setFailures(['pair', emailOf('ADMIN', company), '127.0.0.1'], 10)
    const answer = await signIn(company)
    expect([answer.status, codeOf(answer)]).toEqual([429, 'too_many_attempts'])
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(10)
    expect(answer.text).toMatch(/Try again in \d+ seconds/)
  })

  it('doubles the delay with each failure, up to 15 minutes', async () => {
    for (const [failures, wait] of [
      [9, 16],
      [10, 32],
      [11, 64],
      [14, 512],
      [40, 900],
    ] as const) {
      const company = await newCompany()
      await setFailures(['pair', emailOf('ADMIN', company), '127.0.0.1'], failures)
      // The second answer is from memory.
      for (let i = 0; i < 2; i++) {
        const seconds = Number((await signIn(company)).headers['retry-after'])
        expect(seconds).toBeLessThanOrEqual(wait)
        // Some seconds may have passed meanwhile.
        expect(seconds).toBeGreaterThan(wait - 10)
      }
    }
  })

  it('admits one of a hundred concurrent attempts after the delay', async () => {
    const company = await newCompany()
    await setFailures(['pair', emailOf('ADMIN', company), '127.0.0.1'], 11)
    await pool.query(`UPDATE sign_in_failures SET last_at = now() - interval '65 seconds'`)
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => signIn(company, `guess ${i}`)))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(99)
  })

  it('never delays successful sign-ins, however many come from one address', async () => {
    const company = await newCompany()
    await setFailures(['address', '127.0.0.1'], 49)
    for (let i = 0; i < 4; i++) expect((await signIn(company)).status).toBe(204)
    await setFailures(['address', '127.0.0.1'], 60)
    expect((await signIn(company)).status).toBe(429)
  })

  it('counts the addresses of an IPv6 network together', async () => {
    const behindProxy = await startServer(connection, { trustedProxies: ['127.0.0.1'] })
    const company = await newCompany()
    const from = (address: string) =>
      post(
        { email: emailOf('ADMIN', company), password: PASSWORD },
        { 'x-forwarded-for': address },
        behindProxy,
      )
    await setFailures(['address', 0x2001_0db8_0004_0001n.toString(16)], 60)
    expect((await from('2001:db8:4:1::7')).status).toBe(429)
    expect((await from('2001:db8:4:1:ffff::9')).status).toBe(429)
    expect((await from('2001:db8:4:2::7')).status).toBe(204)
  })

  it('has the same delays for the current password of a session', async () => {
    const company = await newCompany()
    const { call } = await signedIn(server, database, company)
    await setFailures(['pair', emailOf('ADMIN', company), '127.0.0.1'], 12)
    const answer = await call('PUT', 'account/password', { current: PASSWORD, next: 'another password' })
    expect([answer.status, codeOf(answer)]).toEqual([429, 'too_many_attempts'])
  })

  it('is forgotten after a success', async () => {
    const company = await newCompany()
    for (let round = 0; round < 3; round++) {
      await setFailures(['pair', emailOf('ADMIN', company), '127.0.0.1'], 3)
      expect((await signIn(company, 'a guess')).status).toBe(401)
      expect((await signIn(company)).status).toBe(204)
      // Failures of the address remain.
      expect((await pool.query('SELECT FROM sign_in_failures')).rowCount).toBe(1)
    }
  })

  it('from one address at many accounts delays that address only, after fifty failures', async () => {
    const behindProxy = await startServer(connection, { trustedProxies: ['127.0.0.1'] })
    const company = await newCompany()
    const from = (address: string, email: string) =>
      post({ email, password: PASSWORD }, { 'x-forwarded-for': address }, behindProxy)
    await setFailures(['address', '203.0.113.9'], 60)
    const email = emailOf('ADMIN', company)
    expect((await from('203.0.113.9', email)).status).toBe(429)
    expect((await from('203.0.113.10', email)).status).toBe(204)
  })

  it('at one account from many addresses delays that account only, after fifty failures', async () => {
    const [company, other] = [await newCompany(), await newCompany()]
    await setFailures(['account', emailOf('ADMIN', company)], 60)
    expect((await signIn(company)).status).toBe(429)
    expect((await signIn(other)).status).toBe(204)
  })

  it('is forgotten after an hour without a failure', async () => {
    const company = await newCompany()
    await setFailures(['account', emailOf('ADMIN', company)], 1_000)
    await pool.query(`UPDATE sign_in_failures SET last_at = now() - interval '61 minutes'`)
    expect((await signIn(company)).status).toBe(204)
  })
})

describe('a new password', () => {
  it('needs the current one, and ends all sessions of the user', async () => {
    const company = await newCompany()
    const { cookie, call } = await signedIn(server, database, company)
    const next = 'another password'
    const wrong = await call('PUT', 'account/password', { current: 'wrong', next })
    expect([wrong.status, codeOf(wrong)]).toEqual([400, 'invalid_body'])
    const short = await call('PUT', 'account/password', { current: PASSWORD, next: 'short' })
    expect(short.text).toContain('8 to 200 characters')
    expect((await call('PUT', 'account/password', { current: PASSWORD, next })).status).toBe(204)
    expect(await sessionOf(cookie)).toEqual({ session: null })
    expect((await signIn(company)).status).toBe(401)
    expect((await signIn(company, next)).status).toBe(204)
  })

  it('ends the sessions of the user if it is imported', async () => {
    const company = await newCompany()
    const { cookie } = await signedIn(server, database, company)
    const user = {
      object: 'user',
      id: 'user_ADMIN',
      companyId: company,
      email: emailOf('ADMIN', company),
      name: 'The ADMIN',
      role: 'ADMIN',
    }
    const [{ hash } = { hash: '' }] = (
      await pool.query<{ hash: string }>('SELECT password_hash AS hash FROM users WHERE company_id = $1', [
        company,
      ])
    ).rows
    await importValid(connection, [{ ...user, name: 'Ada', passwordHash: hash }])
    expect(await sessionOf(cookie)).toMatchObject({ session: { user: { name: 'Ada' } } })
    await importValid(connection, [{ ...user, passwordHash: await hashPassword('by import') }])
    expect(await sessionOf(cookie)).toEqual({ session: null })
  })

  it('prevents a concurrent sign-in with the old one', async () => {
    const company = await newCompany()
    const changing = await pool.connect()
    await changing.query('BEGIN')
    await changing.query('UPDATE users SET password_hash = $2 WHERE company_id = $1', [
      company,
      await hashPassword('another password'),
    ])
    const signingIn = signIn(company)
    await expect
      .poll(
        async () => {
          const { rows } = await pool.query<{ waiting: number }>(
            `SELECT count(*)::int AS waiting FROM pg_locks l JOIN pg_stat_activity a USING (pid)
           WHERE NOT l.granted AND a.datname = current_database()`,
          )
          return rows[0]?.waiting
        },
        { timeout: 20_000 },
      )
      .toBeGreaterThan(0)
    await changing.query('COMMIT')
    changing.release()
    const answer = await signingIn
    expect([answer.status, answer.headers['set-cookie']]).toEqual([401, undefined])
  })

  it('is not logged', () => {
    const log = JSON.stringify(server.log)
    expect(log).not.toContain(PASSWORD)
    expect(log).not.toContain('another password')
  })
})
