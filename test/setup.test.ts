/** Setup of the first company by a link, companies that operators create, and the checklist of first steps. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { DashboardAnswer } from '../src/console/dashboard.ts'
import { hashLinkToken } from '../src/core/security/link-token.ts'
import { isSetupLink } from '../src/records/setup-link/queries.ts'
import { signedIn } from './support/console.ts'
import { createDatabase } from './support/database.ts'
import { SETUP, browserOf, plantSetupLink, postLink } from './support/links.ts'
import { insert, insertCompany } from './support/records.ts'
import { startServer } from './support/server.ts'
import { MINIMAL, importValid } from './support/world.ts'

const database = await createDatabase()
const { pool, connection } = database
const server = await startServer(connection)

beforeEach(() => pool.query('TRUNCATE companies, changes, setup_links CASCADE'))

const setUp = (token: string, change: object = {}) =>
  postLink(server, 'setup', { token, ...SETUP, ...change })
const countCompanies = async () => (await pool.query('SELECT FROM companies')).rowCount

const NO_MAIL = { running: 0, sent: 0, failed: 0 }

describe('setup links', () => {
  it('U1: create the company, its administrator and a session', async () => {
    const token = await plantSetupLink(pool)
    expect((await postLink(server, 'open', { kind: 'setup', token })).status).toBe(200)
    const answer = await setUp(token)
    expect(answer.status, answer.text).toBe(204)
    const { call } = browserOf(server, answer)
    expect((await call('GET', 'session')).body).toEqual({
      session: {
        user: {
          id: expect.stringMatching(/^user_/) as string,
          name: 'Ada Noor',
          email: 'ada@example.com',
          role: 'ADMIN',
        },
        company: {
          id: expect.stringMatching(/^co_/) as string,
          name: 'Quay Street',
          plan: 'PREMIUM',
          currency: 'EUR',
          locale: 'pt-PT',
        },
      },
    })
    const { rows } = await pool.query('SELECT country, time_zone, locale FROM companies')
    expect(rows).toEqual([{ country: 'PT', time_zone: 'Europe/Lisbon', locale: 'pt-PT' }])
    const log = await pool.query('SELECT type, actor_name FROM audit_entries ORDER BY id')
    expect(log.rows).toEqual(
      ['company.created', 'user.created', 'user.signed_in'].map((type) => ({ type, actor_name: 'Ada Noor' })),
    )
    const again = await callSignIn('ada@example.com', 'a new password')
    expect(again.status).toBe(204)
  })

  it('U1: work once, also for concurrent requests and for links of two processes', async () => {
    const tokens = [await plantSetupLink(pool), await plantSetupLink(pool)]
    const answers = await Promise.all([...tokens, ...tokens].map((token) => setUp(token)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 404, 404, 404])
    expect(await countCompanies()).toBe(1)
    expect((await pool.query('SELECT FROM users')).rowCount).toBe(1)
    for (const token of tokens) {
      const opened = await postLink(server, 'open', { kind: 'setup', token })
      expect(opened.status).toBe(404)
      expect(opened.text).toContain('This link is not valid')
    }
  })

  it('U1: expire when a company is imported or created in another way', async () => {
    const token = await plantSetupLink(pool)
    await importValid(connection, [MINIMAL.company])
    expect((await setUp(token)).status).toBe(404)
    expect(await countCompanies()).toBe(1)
    const late = await plantSetupLink(pool)
    expect(await isSetupLink(pool, hashLinkToken(late))).toBe(false)
    expect((await pool.query('SELECT FROM setup_links')).rowCount).toBe(1)
  })

  it.each([
    ['no token', { token: undefined }, 'token'],
    ['a company without a name', { company: { ...SETUP.company, name: '  ' } }, 'company.name'],
    ['an unknown country', { company: { ...SETUP.company, country: 'XX' } }, 'company.country'],
    ['an unknown currency', { company: { ...SETUP.company, currency: 'ABC' } }, 'company.currency'],
    ['an unknown time zone', { company: { ...SETUP.company, timeZone: 'Moon/Base' } }, 'company.timeZone'],
    ['no name', { user: { ...SETUP.user, name: '' } }, 'user.name'],
    ['an invalid email', { user: { ...SETUP.user, email: 'ada' } }, 'user.email'],
    ['a short password', { user: { ...SETUP.user, password: 'short' } }, 'user.password'],
  ])('U1: stay valid after a request with %s', async (_, change, field) => {
    const token = await plantSetupLink(pool)
    const answer = await setUp(token, change)
    expect(answer.status).toBe(400)
    expect(Object.keys((answer.body as { error: { details: object } }).error.details)).toContain(field)
    expect(await countCompanies()).toBe(0)
    expect(await isSetupLink(pool, hashLinkToken(token))).toBe(true)
  })

  it.each(['', 'x', '\0', 'a'.repeat(43), `${'a'.repeat(43)}.Y28`, 'ü'.repeat(500)])(
    'U1: are rejected for token %j, without it in the response',
    async (token) => {
      for (const kind of ['setup', 'invite', 'reset']) {
        const answer = await postLink(server, 'open', { kind, token })
        expect(answer.status).toBe(404)
        expect(answer.text).not.toContain('aaaaaaaa')
      }
      expect((await setUp(token)).status).toBe(404)
    },
  )

  it('U1: are neither logged nor stored', async () => {
    const token = await plantSetupLink(pool)
    await server.call(`/setup/${token}`)
    await server.call(`/setup/${token}/more`)
    await setUp(token)
    await setUp(token)
    expect(JSON.stringify(server.log)).not.toContain(token)
    const { rows } = await pool.query(`SELECT * FROM audit_entries`)
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  it('U1: are rejected from another site', async () => {
    const token = await plantSetupLink(pool)
    const answer = await server.call('/console/links/setup', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'https://evil.example' },
      body: JSON.stringify({ token, ...SETUP }),
    })
    expect(answer.status).toBe(403)
  })

  it('U1: are requested by the session until a company exists, without the link itself', async () => {
    const token = await plantSetupLink(pool)
    // A process caches that a company exists.
    const fresh = await startServer(connection)
    const before = await fresh.call('/console/session')
    expect(before.body).toEqual({ session: null, needsSetup: true })
    expect(before.text).not.toContain(token)
    await setUp(token)
    expect((await fresh.call('/console/session')).body).toEqual({ session: null })
  })
})

function callSignIn(email: string, password: string) {
  return server.call('/console/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
}

describe('the checklist', () => {
  it('U3: checks off each step when it is done', async () => {
    await insertCompany(pool, 'c')
    const admin = await signedIn(server, database, 'c')
    const steps = async () => ((await admin.call('GET', 'dashboard')).body as DashboardAnswer).onboarding
    const open = { catalog: false, location: false, quote: false, profile: false, people: false, mail: false }
    expect(await steps()).toEqual(open)
    await insert(pool, 'addons', { company_id: 'c', id: 'add', name: 'Ice' })
    await insert(pool, 'locations', { company_id: 'c', id: 'loc', name: 'Quay', time_zone: 'Europe/Lisbon' })
    expect(await steps()).toEqual({ ...open, catalog: true, location: true })
    await pool.query(`UPDATE companies SET street_address = 'Pier 4', legal_name = 'Quay Street Lda'`)
    await admin.call('POST', 'settings/people/invitations', { email: 'new@example.com', role: 'MEMBER' })
    expect(await steps()).toEqual({ ...open, catalog: true, location: true, profile: true, people: true })
    await insert(pool, 'quotes', {
      company_id: 'c',
      id: 'q',
      lead_id: 'l',
      location_id: 'loc',
      event_address: 'Pier 4',
      currency: 'USD',
    })
    const done = { catalog: true, location: true, quote: true, profile: true, people: true }
    expect(await steps()).toEqual({ ...done, mail: false })
    const mail = { from: { name: null, address: 'mail@example.com' }, counts: () => NO_MAIL }
    const withMail = await signedIn(await startServer(connection, { mail }), database, 'c')
    expect(((await withMail.call('GET', 'dashboard')).body as DashboardAnswer).onboarding.mail).toBe(true)
  })
})
