/** Secrets in messages, hostile texts and connection failures. */
import { describe, expect, it } from 'vitest'
import { renderMail } from '../src/core/mail/content.ts'
import { quoteQuestion } from '../src/core/mail/messages.ts'
import type { SmtpServer } from '../src/core/mail/settings.ts'
import { createMailSeal } from '../src/core/security/mail-seal.ts'
import { cancelMailsTo, queueMail } from '../src/records/mail/queue.ts'
import { removeExpiredSecrets } from '../src/records/mail/outbox.ts'
import { createDatabase } from './support/database.ts'
import { mailTo, mailsOf } from './support/mails.ts'
import { startMailServer, startTestMailWorker } from './support/smtp.ts'

const { pool } = await createDatabase()
const { addCompany, readMail, untilMail } = mailsOf(pool)
const { seal } = createMailSeal(['a secret for tests'])
const LINK = 'https://quotes.example.com/invite/very-secret'
const RECORD = { object: 'invitation', id: 'inv_1' } as const
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
const invitationTo = (to: string, expiresAt = inAnHour()) =>
  mailTo(to, { kind: 'invitation', record: RECORD, text: LINK, html: LINK, secret: { seal, expiresAt } })

describe('a message with a secret link', () => {
  it('ML6: is stored encrypted and erased after sending', async () => {
    const company = await addCompany()
    const id = await queueMail(pool, company, invitationTo('ada@example.com'))
    const stored = await readMail(company, id)
    expect(stored).toMatchObject({ text: null, sealed: expect.any(String) as string })
    expect(JSON.stringify(stored)).not.toContain('very-secret')
    const server = await startMailServer()
    const worker = startTestMailWorker(pool, server.smtp)
    expect((await server.to('ada@example.com')).parsed.text).toContain(LINK)
    await untilMail(company, id, { status: 'sent', text: null, sealed: null })
    await worker.stop()
  })

  it('ML6: is erased and not sent after the link has expired', async () => {
    const company = await addCompany()
    const server = await startMailServer()
    const swept = await queueMail(pool, company, invitationTo('swept@example.com', new Date(0).toISOString()))
    await removeExpiredSecrets(pool, company)
    expect(await readMail(company, swept)).toMatchObject({ status: 'canceled', sealed: null })
    const late = await queueMail(pool, company, invitationTo('late@example.com', new Date(0).toISOString()))
    const worker = startTestMailWorker(pool, server.smtp)
    await untilMail(company, late, { status: 'canceled', error: 'The link has expired.', sealed: null })
    expect(server.received).toEqual([])
    await worker.stop()
  })

  it('ML6: is canceled with its link, or if it cannot be decrypted', async () => {
    const company = await addCompany()
    const id = await queueMail(pool, company, invitationTo('revoked@example.com'))
    await cancelMailsTo(pool, company, 'Revoked@example.com', 'invitation')
    expect(await readMail(company, id)).toMatchObject({ status: 'canceled', sealed: null })
    const other = createMailSeal(['another secret']).seal
    const secret = { seal: other, expiresAt: inAnHour() }
    const foreign = await queueMail(pool, company, { ...invitationTo('foreign@example.com'), secret })
    const server = await startMailServer()
    const worker = startTestMailWorker(pool, server.smtp)
    await untilMail(company, foreign, {
      status: 'canceled',
      error: expect.stringContaining('APP_SECRET') as string,
    })
    expect(server.received).toEqual([])
    await worker.stop()
  })
})

describe('hostile texts', () => {
  it('ML3: add no header, no recipient and no markup', async () => {
    const evil = 'Eve\r\nBcc: victim@example.com\r\n\r\n<script>alert(1)</script>'
    const company = await addCompany(evil)
    const content = quoteQuestion({ customer: evil, quote: evil, url: 'https://q.example/1', question: evil })
    const rendered = renderMail({ name: evil, accentColor: evil, footer: [evil] }, content)
    const server = await startMailServer()
    await queueMail(pool, company, mailTo('office@example.com', { ...rendered, replyTo: 'eve@example.com' }))
    // An address with a comma does not become two recipients.
    const two = await queueMail(pool, company, mailTo('a@example.com, victim@example.com'))
    const worker = startTestMailWorker(pool, server.smtp)
    const { to, parsed, raw } = await server.to('office@example.com')
    expect(to).toEqual(['office@example.com'])
    expect(parsed.headers.has('bcc')).toBe(false)
    expect(raw).not.toMatch(/^Bcc:/im)
    expect(parsed.html).not.toContain('<script>')
    await untilMail(company, two, { attempts: 1 })
    expect(server.received.flatMap((mail) => mail.to)).not.toContain('victim@example.com')
    await worker.stop()
  })
})

describe('the connection', () => {
  /** Returns the error that users read and the log of operators. */
  const failWith = async (smtp: SmtpServer) => {
    const company = await addCompany()
    const lines: unknown[] = []
    const log = { debug: () => undefined, warn: (...line: unknown[]) => void lines.push(line) }
    const id = await queueMail(pool, company, mailTo('ada@example.com'))
    const worker = startTestMailWorker(pool, smtp, { log })
    await untilMail(company, id, { status: 'pending', attempts: 1, error: expect.any(String) as string })
    await worker.stop()
    const error = (await readMail(company, id))?.error ?? ''
    await pool.query('DELETE FROM mails WHERE company_id = $1', [company])
    return { error, logged: JSON.stringify(lines) }
  }

  it('ML7: reports a rejected login without the password', async () => {
    const server = await startMailServer({
      server: {
        allowInsecureAuth: true,
        disabledCommands: ['STARTTLS'],
        onAuth: (_auth, _session, callback) => callback(new Error('hunter2 is wrong')),
      },
    })
    const login = { user: 'service', password: 'hunter2' }
    const { error, logged } = await failWith({ ...server.smtp, login })
    expect(error).toBe(
      'The mail server refused the login of this service. The operator has to correct SMTP_URL.',
    )
    expect(logged).toContain('EAUTH')
    expect(logged).not.toContain('hunter2')
  })

  it('ML7: sends nothing without required TLS or with an unknown certificate', async () => {
    const plain = await startMailServer()
    const secure = await startMailServer({ server: { authOptional: true, secure: true } })
    const message =
      'No secure connection to the mail server is possible. The operator has to correct SMTP_URL.'
    expect((await failWith({ ...plain.smtp, tls: 'required' })).error).toBe(message)
    const unknown = await failWith({ ...secure.smtp, tls: 'implicit' })
    expect(unknown.error).toBe(message)
    expect(unknown.logged).toContain('certificate')
    expect([...plain.received, ...secure.received]).toEqual([])
  })

  it('ML7: shows the address of an unreachable server only to operators', async () => {
    const server = await startMailServer()
    await server.close()
    const { error, logged } = await failWith(server.smtp)
    expect(error).toBe('The mail server cannot be reached.')
    expect(logged).toContain('ECONNREFUSED')
  })
})
