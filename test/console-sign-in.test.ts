/** Signing in to the application: who gets in, what the cookie is worth, and what guessing costs. */
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

/** Each failed sign-in costs as many hashes as the email with the most users needs: later tests shall not pay for it. */
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
  it('gives a sealed cookie that scripts cannot read and other sites cannot use', async () => {
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

  it('over TLS the cookie is for this host alone, and never sent in the clear', async () => {
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

  it('over TLS below a path the cookie is Secure, too', async () => {
    const company = await newCompany()
    const secure = await startServer(connection, { publicUrl: () => 'https://example.com/quotes' })
    const answer = await post({ email: emailOf('ADMIN', company), password: PASSWORD }, {}, secure)
    expect(String(answer.headers['set-cookie'])).toMatch(
      /^eqs_session=[\w-]+; .*; Path=\/quotes; .*; Secure; /,
    )
  })

  it('the e-mail address counts in any case; the password does not', async () => {
    const company = await newCompany()
    expect((await post({ email: emailOf('ADMIN', company).toUpperCase(), password: PASSWORD })).status).toBe(
      204,
    )
    expect((await signIn(company, PASSWORD.toUpperCase())).status).toBe(401)
  })

  it('unknown address, wrong password, disabled user: one and the same answer', async () => {
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

  it('changes the cookie, and ends the session that the browser had', async () => {
    const company = await newCompany()
    const first = cookieOf(await signIn(company))
    const second = cookieOf(await signIn(company, PASSWORD, { cookie: first }))
    expect(second).not.toBe(first)
    expect(await sessionOf(first)).toEqual({ session: null })
    expect(await sessionOf(second)).not.toEqual({ session: null })
  })

  it('a person of several companies chooses one', async () => {
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

  it('two users of one address and password in one company are taken for one', async () => {
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
    ['a password that is no text', { email: 'a@b.example', password: 7 }],
    ['something more', { email: 'a@b.example', password: 'x', role: 'ADMIN' }],
  ])('%s is a 400', async (_, body) => {
    const answer = await post(body)
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_body'])
  })

  it('a form of another site cannot: it is not JSON', async () => {
    const answer = await server.call('/console/session', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'email=a&password=b',
    })
    expect(answer.status).toBe(400)
  })
})

describe('a session', () => {
  it('ends by signing out: the cookie is worth nothing afterwards', async () => {
    const { cookie, call } = await signedIn(server, database, await newCompany())
    const answer = await call('DELETE', 'session')
    expect(answer.status).toBe(204)
    expect(String(answer.headers['set-cookie'])).toMatch(/^eqs_session=; Max-Age=0; Path=\/; /)
    expect(await sessionOf(cookie)).toEqual({ session: null })
  })

  it('ends everywhere at once, and no other user’s session ends', async () => {
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

  it('the database knows no token, only its hash', async () => {
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

describe('calls from another site are not carried out', () => {
  it.each([
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
  ])('%j', async (headers) => {
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

  it('calls of the application’s pages are', async () => {
    const { cookie } = await signedIn(server, database, await newCompany())
    const origin = `http://127.0.0.1:${server.port}`
    const headers = { cookie, origin, 'sec-fetch-site': 'same-origin', host: `127.0.0.1:${server.port}` }
    expect((await server.call('/console/session', { method: 'DELETE', headers })).status).toBe(204)
  })
})

/** As after this number of failures. */
async function setFailures(subject: string[], failures: number): Promise<void> {
  const hash = createHash('sha256').update(subject.join('\0')).digest('hex')
  await pool.query(
    `INSERT INTO sign_in_failures (subject_hash, failures, last_at) VALUES ($1, $2, now())
     ON CONFLICT (subject_hash) DO UPDATE SET failures = excluded.failures, last_at = now()`,
    [hash, failures],
  )
}

describe('what users do and the API', () => {
  it('do not wait for each other: the application has separate connections and slots', async () => {
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

describe('guessing', () => {
  beforeEach(() => pool.query('DELETE FROM sign_in_failures'))

  it('at one account from one place: five failures are free, then the right password has to wait, too', async () => {
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

  it('the wait doubles with each failure, up to a quarter of an hour', async () => {
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
        const told = Number((await signIn(company)).headers['retry-after'])
        expect(told).toBeLessThanOrEqual(wait)
        // Some seconds may have passed meanwhile.
        expect(told).toBeGreaterThan(wait - 10)
      }
    }
  })

  it('of a hundred at once, one gets through when its wait is over', async () => {
    const company = await newCompany()
    await setFailures(['pair', emailOf('ADMIN', company), '127.0.0.1'], 11)
    await pool.query(`UPDATE sign_in_failures SET last_at = now() - interval '65 seconds'`)
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => signIn(company, `guess ${i}`)))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(99)
  })

  it('who always gets it right never waits, however many do so from one address', async () => {
    const company = await newCompany()
    await setFailures(['address', '127.0.0.1'], 49)
    for (let i = 0; i < 4; i++) expect((await signIn(company)).status).toBe(204)
    await setFailures(['address', '127.0.0.1'], 60)
    expect((await signIn(company)).status).toBe(429)
  })

  it('addresses of one IPv6 network are one place', async () => {
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

  it('at the current password of a session: no faster than at the sign-in', async () => {
    const company = await newCompany()
    const { call } = await signedIn(server, database, company)
    await setFailures(['pair', emailOf('ADMIN', company), '127.0.0.1'], 12)
    const answer = await call('PUT', 'account/password', { current: PASSWORD, next: 'another password' })
    expect([answer.status, codeOf(answer)]).toEqual([429, 'too_many_attempts'])
  })

  it('success takes the failures away', async () => {
    const company = await newCompany()
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 4; i++) await signIn(company, 'a guess')
      expect((await signIn(company)).status).toBe(204)
    }
  })

  it('from one place at many accounts: after fifty that place waits, others do not', async () => {
    const behindProxy = await startServer(connection, { trustedProxies: ['127.0.0.1'] })
    const company = await newCompany()
    const from = (address: string, email: string) =>
      post({ email, password: PASSWORD }, { 'x-forwarded-for': address }, behindProxy)
    await setFailures(['address', '203.0.113.9'], 60)
    const email = emailOf('ADMIN', company)
    expect((await from('203.0.113.9', email)).status).toBe(429)
    expect((await from('203.0.113.10', email)).status).toBe(204)
  })

  it('at one account from many places: after fifty that account waits, others do not', async () => {
    const [company, other] = [await newCompany(), await newCompany()]
    await setFailures(['account', emailOf('ADMIN', company)], 60)
    expect((await signIn(company)).status).toBe(429)
    expect((await signIn(other)).status).toBe(204)
  })

  it('an hour without a failure, and all is forgotten', async () => {
    const company = await newCompany()
    await setFailures(['account', emailOf('ADMIN', company)], 1_000)
    await pool.query(`UPDATE sign_in_failures SET last_at = now() - interval '61 minutes'`)
    expect((await signIn(company)).status).toBe(204)
  })
})

describe('the password', () => {
  it('is changed by who knows it, who is then signed out everywhere', async () => {
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

  it('that comes with an import ends the sessions, too', async () => {
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

  it('a sign-in with the old one that is under way while it changes begins no session', async () => {
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

  it('is in no line of the log', () => {
    const log = JSON.stringify(server.log)
    expect(log).not.toContain(PASSWORD)
    expect(log).not.toContain('another password')
  })
})
