/** Mail in the console: invitations, password resets, the settings page and retries. */
import { describe, expect, it, vi } from 'vitest'
import type { MailSettingsAnswer } from '../src/console/mails.ts'
import type { LinkAnswer, PeopleAnswer } from '../src/console/people.ts'
import { queueMail } from '../src/records/mail/queue.ts'
import { emailOf, plantUser, signedIn } from './support/console.ts'
import type { SignedIn } from './support/console.ts'
import { createDatabase } from './support/database.ts'
import { browserOf, postLink } from './support/links.ts'
import { mailTo, mailsOf } from './support/mails.ts'
import { insertCompany } from './support/records.ts'
import { startServer } from './support/server.ts'
import type { Answer } from './support/server.ts'
import { MAIL_FROM, startMailServer, startTestMailWorker } from './support/smtp.ts'

const database = await createDatabase()
const { pool, connection } = database
const smtp = await startMailServer({
  reject: ({ to }) => (to[0]?.startsWith('refused') === true ? { code: 550, text: 'no such mailbox' } : null),
})
const worker = startTestMailWorker(pool, smtp.smtp)
const server = await startServer(connection, { mail: { from: MAIL_FROM, counts: worker.counts } })
const withoutMail = await startServer(connection)
const { readMails, untilMail } = mailsOf(pool)

let companies = 0
async function newCompany(): Promise<{ id: string; admin: SignedIn }> {
  const id = `mail-${++companies}`
  await insertCompany(pool, id)
  return { id, admin: await signedIn(server, database, id) }
}
const linkIn = (text: string | undefined, kind: string) =>
  new RegExp(`http://127\\.0\\.0\\.1:3000/${kind}/(\\S+)`).exec(text ?? '')?.[1] ?? ''
const messageOf = ({ body }: Answer) => (body as { error: { message: string } }).error.message
const invite = ({ call }: SignedIn, email: string) =>
  call('POST', 'settings/people/invitations', { email, role: 'MEMBER', byMail: true })
const peopleOf = async ({ call }: SignedIn) => (await call('GET', 'settings/people')).body as PeopleAnswer

describe('an invitation by email', () => {
  it('ML8: sends the link and does not return it', async () => {
    const { id, admin } = await newCompany()
    const invited = await invite(admin, 'nadia@example.com')
    expect(invited.body).toEqual({
      url: null,
      sentTo: 'nadia@example.com',
      expiresAt: expect.any(String) as string,
    })
    const { parsed } = await smtp.to('nadia@example.com')
    expect(parsed.subject).toBe(`Invitation to Company ${id}`)
    expect(parsed.text).toContain('The ADMIN invited you')
    const joined = await postLink(server, 'invite', {
      token: linkIn(parsed.text, 'invite'),
      name: 'Nadia Roy',
      password: 'a new password',
    })
    expect(joined.status).toBe(204)
    expect((await browserOf(server, joined).call('GET', 'session')).body).toMatchObject({
      session: { user: { email: 'nadia@example.com' }, company: { id } },
    })
  })

  it('ML8, ML9: shows the status and can be retried', async () => {
    const { id, admin } = await newCompany()
    await invite(admin, 'refused@example.com')
    const { invitations, isMailConfigured } = await vi.waitFor(async () => {
      const found = await peopleOf(admin)
      expect(found.invitations[0]?.mail).toMatchObject({ status: 'failed', error: '550 no such mailbox' })
      return found
    }, 20_000)
    expect(isMailConfigured).toBe(true)
    const mailId = invitations[0]?.mail?.id ?? ''
    const member = await signedIn(server, database, id, 'MEMBER')
    expect((await member.call('POST', `mails/${mailId}/retry`, {})).status).toBe(404)
    expect((await admin.call('POST', `mails/${mailId}/retry`, {})).status).toBe(204)
    await untilMail(id, mailId, { status: 'failed', attempts: 1 })
    await admin.call('DELETE', `settings/people/invitations/${invitations[0]?.id}`)
    const late = await admin.call('POST', `mails/${mailId}/retry`, {})
    expect([late.status, messageOf(late)]).toEqual([409, 'The link in the message is no longer valid.'])
  })

  it('ML10: is rejected without SMTP; the link is returned instead', async () => {
    const { id } = await newCompany()
    const admin = await signedIn(withoutMail, database, id)
    expect((await peopleOf(admin)).isMailConfigured).toBe(false)
    const rejected = await invite(admin, 'new@example.com')
    expect([rejected.status, messageOf(rejected)]).toEqual([
      409,
      'Email is not set up on this server, so nothing can be sent.',
    ])
    const link = await admin.call('POST', 'settings/people/invitations', {
      email: 'new@example.com',
      role: 'MEMBER',
    })
    expect((link.body as LinkAnswer).url).toContain('/invite/')
    expect((link.body as LinkAnswer).sentTo).toBeNull()
    expect(await readMails(id)).toEqual([])
  })
})

describe('a password reset', () => {
  it('ML8: is sent to the user by an administrator', async () => {
    const { id, admin } = await newCompany()
    await plantUser(database, id, 'MEMBER')
    const sent = await admin.call('POST', 'settings/people/user_MEMBER/reset-link', { byMail: true })
    expect(sent.body).toMatchObject({ url: null, sentTo: emailOf('MEMBER', id) })
    const { parsed } = await smtp.to(emailOf('MEMBER', id))
    expect(linkIn(parsed.text, 'reset')).not.toBe('')
  })

  it('ML11: answers the same to an address without a user, but sends nothing', async () => {
    const { id } = await newCompany()
    const forgot = (email: string) => postLink(server, 'forgot', { email })
    const [known, unknown] = [
      await forgot(` ${emailOf('ADMIN', id).toUpperCase()} `),
      await forgot('unknown@example.com'),
    ]
    const facts = ({ status, text, headers }: Answer) => {
      const { date, 'x-request-id': requestId, ...others } = headers
      expect([date, requestId]).toEqual([expect.any(String), expect.any(String)])
      return { status, text, others }
    }
    expect(facts(unknown)).toEqual(facts(known))
    expect(known.status).toBe(204)
    const { parsed } = await smtp.to(emailOf('ADMIN', id))
    const token = linkIn(parsed.text, 'reset')
    expect((await postLink(server, 'reset', { token, password: 'another password' })).status).toBe(204)
    expect((await postLink(server, 'reset', { token, password: 'another password' })).status).toBe(404)
    expect(smtp.received.some(({ to }) => to.includes('unknown@example.com'))).toBe(false)
    const audit = await pool.query<{ actor: string }>(
      `SELECT actor_type AS actor FROM audit_entries WHERE company_id = $1 AND type = 'user.reset_link_created'`,
      [id],
    )
    expect(audit.rows).toEqual([{ actor: 'system' }])
  })

  it('ML11: is limited per address, with or without a user', async () => {
    const { id } = await newCompany()
    for (const email of [emailOf('ADMIN', id), 'also-unknown@example.com']) {
      for (let i = 0; i < 3; i++) expect((await postLink(server, 'forgot', { email })).status).toBe(204)
      const limited = await postLink(server, 'forgot', { email })
      expect([limited.status, messageOf(limited)]).toEqual([
        429,
        expect.stringContaining('Too many attempts'),
      ])
    }
  })

  it('ML11: sends nothing to a disabled user, and is rejected without SMTP', async () => {
    const { id } = await newCompany()
    await pool.query('UPDATE users SET disabled_at = now() WHERE company_id = $1', [id])
    expect((await postLink(server, 'forgot', { email: emailOf('ADMIN', id) })).status).toBe(204)
    expect((await postLink(withoutMail, 'forgot', { email: emailOf('ADMIN', id) })).status).toBe(409)
    expect((await server.call('/console/session')).body).toEqual({ session: null, mailsResets: true })
    expect((await withoutMail.call('/console/session')).body).toEqual({ session: null })
    expect(await readMails(id)).toEqual([])
  })
})

describe('the mail settings', () => {
  it('ML9: show the sender and the latest messages of the company, and send a test', async () => {
    const { id, admin } = await newCompany()
    const other = await newCompany()
    await queueMail(pool, other.id, mailTo('other@example.com'))
    expect((await admin.call('POST', 'settings/mail/test', {})).status).toBe(204)
    await smtp.to(emailOf('ADMIN', id))
    await vi.waitFor(async () => {
      const { from, mails } = (await admin.call('GET', 'settings/mail')).body as MailSettingsAnswer
      expect(from).toBe(MAIL_FROM.address)
      expect(mails).toMatchObject([
        { kind: 'test', to: emailOf('ADMIN', id), status: 'sent', error: null, nextAttemptAt: null },
      ])
      const again = await admin.call('POST', `mails/${mails[0]?.id}/retry`, {})
      expect([again.status, messageOf(again)]).toEqual([409, 'The message was sent.'])
    }, 20_000)
    const adminWithoutMail = await signedIn(withoutMail, database, id)
    expect((await adminWithoutMail.call('GET', 'settings/mail')).body).toMatchObject({ from: null })
    expect((await adminWithoutMail.call('POST', 'settings/mail/test', {})).status).toBe(409)
  })
})
