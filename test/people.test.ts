/** Users of a company: invitations, roles, password resets by link, and the user's own sessions. */
import { describe, expect, it } from 'vitest'
import type { SessionsAnswer } from '../src/console/account.ts'
import type { LinkAnswer, PeopleAnswer } from '../src/console/people.ts'
import { callConsole, emailOf, signedIn } from './support/console.ts'
import type { SignedIn } from './support/console.ts'
import { createDatabase } from './support/database.ts'
import { browserOf, postLink, tokenIn } from './support/links.ts'
import { insertCompany } from './support/records.ts'
import { startServer } from './support/server.ts'
import type { Answer } from './support/server.ts'

const database = await createDatabase()
const { pool, connection } = database
const server = await startServer(connection)

let companies = 0
async function newCompany(): Promise<{ id: string; admin: SignedIn }> {
  const id = `co_${++companies}`
  await insertCompany(pool, id)
  return { id, admin: await signedIn(server, database, id) }
}

const peopleOf = async ({ call }: SignedIn) => (await call('GET', 'settings/people')).body as PeopleAnswer
const invite = ({ call }: SignedIn, email = 'new@example.com', role = 'MEMBER') =>
  call('POST', 'settings/people/invitations', { email, role })
const join = (token: string, change: object = {}) =>
  postLink(server, 'invite', { token, name: 'Nadia Roy', password: 'a new password', ...change })
const reset = (token: string) => postLink(server, 'reset', { token, password: 'another password' })
const whoIs = async ({ call }: SignedIn) => (await call('GET', 'session')).body
const messageOf = ({ body }: Answer) => (body as { error: { message: string } }).error.message
async function auditOf(companyId: string): Promise<string[]> {
  const { rows } = await pool.query<{ type: string }>(
    `SELECT type FROM audit_entries WHERE company_id = $1 AND type <> 'user.signed_in' ORDER BY id`,
    [companyId],
  )
  return rows.map(({ type }) => type)
}

describe('invitations', () => {
  it('U7: create the user and sign in, once per link', async () => {
    const { id, admin } = await newCompany()
    const invited = await invite(admin, 'Nadia@example.com')
    const { url, expiresAt } = invited.body as LinkAnswer
    expect(url).toMatch(/^http.*\/invite\/[\w-]{43}\.[\w-]+$/)
    const days = (Date.parse(expiresAt) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(6.9)
    expect(days).toBeLessThanOrEqual(7)
    const token = tokenIn(invited)
    expect((await peopleOf(admin)).invitations).toMatchObject([
      { email: 'Nadia@example.com', role: 'MEMBER', invitedBy: 'The ADMIN', expiresAt },
    ])
    const opened = await postLink(server, 'open', { kind: 'invite', token })
    expect(opened.body).toEqual({ companyName: `Company ${id}`, email: 'Nadia@example.com', name: null })
    const answers = await Promise.all([join(token), join(token)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 404])
    const joined = answers.find(({ status }) => status === 204)
    if (joined === undefined) throw new Error('no request created the user')
    expect(await whoIs(browserOf(server, joined))).toMatchObject({
      session: { user: { name: 'Nadia Roy', email: 'Nadia@example.com', role: 'MEMBER' }, company: { id } },
    })
    const { users, invitations } = await peopleOf(admin)
    expect(users.map(({ name, role }) => [name, role])).toEqual([
      ['The ADMIN', 'ADMIN'],
      ['Nadia Roy', 'MEMBER'],
    ])
    expect(invitations).toEqual([])
    expect((await postLink(server, 'open', { kind: 'invite', token })).status).toBe(404)
    expect(await auditOf(id)).toEqual(['user.invited', 'user.joined'])
  })

  it('U7: expire after 7 days, when revoked, and when the address is invited again', async () => {
    const { id, admin } = await newCompany()
    const old = tokenIn(await invite(admin))
    await pool.query(`UPDATE invitations SET expires_at = now() WHERE company_id = $1`, [id])
    expect((await join(old)).status).toBe(404)
    expect((await peopleOf(admin)).invitations).toEqual([])
    const first = tokenIn(await invite(admin))
    const second = tokenIn(await invite(admin, 'NEW@example.com', 'ADMIN'))
    expect((await join(first)).status).toBe(404)
    const { invitations } = await peopleOf(admin)
    expect(invitations).toMatchObject([{ email: 'NEW@example.com', role: 'ADMIN' }])
    const path = `settings/people/invitations/${invitations[0]?.id}`
    expect((await admin.call('DELETE', path)).status).toBe(204)
    expect((await admin.call('DELETE', path)).status).toBe(404)
    expect((await join(second)).status).toBe(404)
  })

  it('U7: are rejected for the address of a user and for invalid input', async () => {
    const { id, admin } = await newCompany()
    const taken = await invite(admin, emailOf('ADMIN', id).toUpperCase())
    expect(taken.status).toBe(409)
    expect(messageOf(taken)).toMatch(/already belongs to a user/)
    for (const email of ['', 'nadia', 'a@b\0']) expect((await invite(admin, email)).status).toBe(400)
    expect((await invite(admin, 'a@b.example', 'OWNER')).status).toBe(400)
  })

  it('U7: need a name and a password of 8 characters, and stay valid after invalid input', async () => {
    const { admin } = await newCompany()
    const token = tokenIn(await invite(admin))
    expect((await join(token, { name: ' ' })).status).toBe(400)
    expect((await join(token, { password: 'short' })).status).toBe(400)
    expect((await join(token)).status).toBe(204)
  })

  it('U7: do not work for another company', async () => {
    const [one, two] = [await newCompany(), await newCompany()]
    const token = tokenIn(await invite(one.admin))
    const [secret = ''] = token.split('.')
    const foreign = `${secret}.${Buffer.from(two.id).toString('base64url')}`
    expect((await join(foreign)).status).toBe(404)
    expect((await postLink(server, 'open', { kind: 'reset', token })).status).toBe(404)
    expect((await reset(token)).status).toBe(404)
    expect((await join(token)).status).toBe(204)
  })

  it('U7: are stored as a hash, and are not in the log', async () => {
    const { admin } = await newCompany()
    const token = tokenIn(await invite(admin))
    const [secret = ''] = token.split('.')
    await server.call(`/invite/${token}`)
    await join(token)
    const { rows } = await pool.query(`SELECT * FROM invitations`)
    const audit = await pool.query('SELECT * FROM audit_entries')
    expect(JSON.stringify([rows, audit.rows, server.log])).not.toContain(secret)
  })
})

describe('users', () => {
  it('U6: administrators change their role, disable and enable them', async () => {
    const { id, admin } = await newCompany()
    const member = await signedIn(server, database, id, 'MEMBER')
    const patch = (body: object) => admin.call('PATCH', 'settings/people/user_MEMBER', body)
    expect((await patch({ role: 'ADMIN' })).status).toBe(204)
    expect((await patch({ role: 'ADMIN' })).status).toBe(204)
    expect((await member.call('GET', 'settings/people')).status).toBe(200)
    expect((await patch({ isEnabled: false })).status).toBe(204)
    expect((await member.call('GET', 'dashboard')).status).toBe(401)
    expect((await peopleOf(admin)).users[1]?.disabledAt).not.toBeNull()
    expect((await patch({ isEnabled: true })).status).toBe(204)
    expect((await peopleOf(admin)).users[1]?.disabledAt).toBeNull()
    expect(await auditOf(id)).toEqual(['user.role_changed', 'user.disabled', 'user.enabled'])
  })

  it('U6: the last active administrator stays, also with two concurrent requests', async () => {
    const { id, admin } = await newCompany()
    const patch = (user: string, body: object) => admin.call('PATCH', `settings/people/${user}`, body)
    for (const body of [{ role: 'MEMBER' }, { isEnabled: false }]) {
      const rejected = await patch('user_ADMIN', body)
      expect(rejected.status).toBe(409)
      expect(messageOf(rejected)).toMatch(/only active administrator/)
    }
    await signedIn(server, database, id, 'MEMBER')
    await patch('user_MEMBER', { role: 'ADMIN' })
    const both = await Promise.all([
      patch('user_MEMBER', { isEnabled: false }),
      patch('user_ADMIN', { role: 'MEMBER' }),
    ])
    expect(both.filter(({ status }) => status === 204)).toHaveLength(1)
    const { rows } = await pool.query(
      `SELECT FROM users WHERE company_id = $1 AND role = 'ADMIN' AND disabled_at IS NULL`,
      [id],
    )
    expect(rows).toHaveLength(1)
  })
})

describe('password resets', () => {
  const createReset = ({ call }: SignedIn, user = 'user_MEMBER') =>
    call('POST', `settings/people/${user}/reset-link`, {})

  it('U8: set the password, end all sessions and begin one, once per link', async () => {
    const { id, admin } = await newCompany()
    const member = await signedIn(server, database, id, 'MEMBER')
    const replaced = tokenIn(await createReset(admin))
    const created = await createReset(admin)
    expect((created.body as LinkAnswer).url).toMatch(/\/reset\/[\w-]{43}\.[\w-]+$/)
    const token = tokenIn(created)
    expect((await reset(replaced)).status).toBe(404)
    expect((await postLink(server, 'open', { kind: 'reset', token })).body).toEqual({
      companyName: `Company ${id}`,
      email: emailOf('MEMBER', id),
      name: 'The MEMBER',
    })
    expect((await whoIs(member)) as object).toMatchObject({ session: { user: { id: 'user_MEMBER' } } })
    const answer = await reset(token)
    expect(answer.status).toBe(204)
    expect(await whoIs(member)).toEqual({ session: null })
    expect(await whoIs(browserOf(server, answer))).toMatchObject({ session: { user: { id: 'user_MEMBER' } } })
    expect((await reset(token)).status).toBe(404)
    const body = { email: emailOf('MEMBER', id), password: 'another password', companyId: id }
    expect((await callConsole(server, '', 'POST', 'session', body)).status).toBe(204)
    expect(await auditOf(id)).toEqual([
      'user.reset_link_created',
      'user.reset_link_created',
      'user.password_reset',
    ])
  })

  it('U8: expire after a day, when the password changes, and when the user is disabled', async () => {
    const { id, admin } = await newCompany()
    await signedIn(server, database, id, 'MEMBER')
    const patch = (body: object) => admin.call('PATCH', 'settings/people/user_MEMBER', body)
    const late = tokenIn(await createReset(admin))
    await pool.query(`UPDATE password_resets SET expires_at = now() WHERE company_id = $1`, [id])
    expect((await reset(late)).status).toBe(404)
    const token = tokenIn(await createReset(admin))
    await patch({ isEnabled: false })
    const rejected = await createReset(admin)
    expect([rejected.status, messageOf(rejected)]).toEqual([409, 'Enable the user first.'])
    await patch({ isEnabled: true })
    expect((await reset(token)).status).toBe(404)
    const own = tokenIn(await createReset(admin))
    const { cookie } = await signedIn(server, database, id, 'MEMBER')
    const passwords = { current: 'a password for tests', next: 'my own password' }
    const changed = await callConsole(server, cookie, 'PUT', 'account/password', passwords)
    expect(changed.status).toBe(204)
    expect((await reset(own)).status).toBe(404)
  })
})

describe('the sessions of a user', () => {
  const sessionsOf = async ({ call }: SignedIn) =>
    ((await call('GET', 'account/sessions')).body as SessionsAnswer).sessions

  it('U9: show device, address and last use, and can be ended one by one', async () => {
    const { id } = await newCompany()
    const sign = (agent: string) =>
      server.call('/console/session', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': agent },
        body: JSON.stringify({ email: emailOf('ADMIN', id), password: 'a password for tests' }),
      })
    const phone = browserOf(server, await sign('Phone'))
    const desk = browserOf(server, await sign('Desk'.repeat(200)))
    const listed = await sessionsOf(desk)
    expect(listed.map(({ isCurrent }) => isCurrent)).toEqual([true, false, false])
    expect(listed[0]).toMatchObject({ userAgent: 'Desk'.repeat(100), address: '127.0.0.1' })
    const other = listed.find(({ userAgent }) => userAgent === 'Phone')
    expect(JSON.stringify(listed)).not.toMatch(/[0-9a-f]{64}/)
    expect((await desk.call('DELETE', `account/sessions/${other?.id}`)).status).toBe(204)
    expect(await whoIs(phone)).toEqual({ session: null })
    expect((await desk.call('DELETE', `account/sessions/${other?.id}`)).status).toBe(404)
    expect(await auditOf(id)).toEqual(['user.session_ended'])
  })

  it('U9: of another user of the company cannot be ended', async () => {
    const { id, admin } = await newCompany()
    const member = await signedIn(server, database, id, 'MEMBER')
    const [own] = await sessionsOf(member)
    expect((await admin.call('DELETE', `account/sessions/${own?.id}`)).status).toBe(404)
    expect(await sessionsOf(member)).toHaveLength(1)
  })

  it('U9: write their last use at most once a minute', async () => {
    const { id, admin } = await newCompany()
    const lastUse = async () => {
      const { rows } = await pool.query<{ at: string }>(
        'SELECT last_used_at::text AS at FROM sessions WHERE company_id = $1',
        [id],
      )
      return rows[0]?.at
    }
    const set = (ago: string) =>
      pool.query(`UPDATE sessions SET last_used_at = now() - $2::interval WHERE company_id = $1`, [id, ago])
    await set('50 seconds')
    const recent = await lastUse()
    await admin.call('GET', 'dashboard')
    expect(await lastUse()).toBe(recent)
    await set('2 minutes')
    const old = await lastUse()
    await admin.call('GET', 'dashboard')
    expect(await lastUse()).not.toBe(old)
  })
})
