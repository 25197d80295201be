/** The outbox and its workers with a real SMTP server. */
import { describe, expect, it, vi } from 'vitest'
import { inTransaction } from '../src/db/transaction.ts'
import { queueMail } from '../src/records/mail/queue.ts'
import { claimMails } from '../src/records/mail/outbox.ts'
import { createDatabase } from './support/database.ts'
import { mailTo, mailsOf } from './support/mails.ts'
import { MAIL_FROM, startMailServer, startTestMailWorker } from './support/smtp.ts'

const { pool } = await createDatabase()
const { addCompany, readMail, untilMail, passTime } = mailsOf(pool)

describe('the outbox', () => {
  it('ML1: queues messages in the transaction, so that a rollback removes them', async () => {
    const company = await addCompany()
    const failing = inTransaction(pool, async (db) => {
      await queueMail(db, company, mailTo('ada@example.com'))
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect((await pool.query('SELECT FROM mails WHERE company_id = $1', [company])).rowCount).toBe(0)
  })

  it('ML1, ML2: sends text and HTML from MAIL_FROM in the name of the company', async () => {
    const company = await addCompany('Müller & Søn, Events')
    const server = await startMailServer()
    const id = await queueMail(pool, company, mailTo('ada@example.com', { replyTo: 'office@quay.example' }))
    const worker = startTestMailWorker(pool, server.smtp)
    const { from, to, parsed } = await server.to('ada@example.com')
    expect([from, to]).toEqual([MAIL_FROM.address, ['ada@example.com']])
    expect(parsed.from?.value).toEqual([{ name: 'Müller & Søn, Events', address: MAIL_FROM.address }])
    expect(parsed.replyTo?.text).toBe('office@quay.example')
    expect(parsed.messageId).toBe(`<${id}@service.example>`)
    expect(parsed.subject).toBe('Test message from Quay Street')
    expect(parsed.text).toContain('Messages of Quay Street reach this address.')
    expect(parsed.html).toContain('Messages of Quay Street reach this address.')
    await untilMail(company, id, { status: 'sent', attempts: 1, wait: null, error: null })
    expect(worker.counts()).toEqual({ running: 0, sent: 1, failed: 0 })
    await worker.stop()
  })

  it('ML4: retries after a temporary error with the same Message-ID', async () => {
    const company = await addCompany()
    let isBusy = true
    const reject = () => (isBusy ? { code: 451, text: 'try again later' } : null)
    const server = await startMailServer({ reject })
    const id = await queueMail(pool, company, mailTo('later@example.com'))
    const worker = startTestMailWorker(pool, server.smtp)
    await untilMail(company, id, {
      status: 'pending',
      attempts: 1,
      error: expect.stringContaining('try again later') as string,
    })
    const { wait } = (await readMail(company, id)) ?? {}
    expect(wait).toBeGreaterThan(50)
    expect(wait).toBeLessThan(67)
    isBusy = false
    await passTime(company)
    await untilMail(company, id, { status: 'sent', attempts: 2, error: null })
    expect((await server.to('later@example.com')).parsed.messageId).toBe(`<${id}@service.example>`)
    await worker.stop()
  })

  it('ML4: gives up after nine attempts', async () => {
    const company = await addCompany()
    const server = await startMailServer({ reject: () => ({ code: 450, text: 'still busy' }) })
    const id = await queueMail(pool, company, mailTo('never@example.com'))
    await pool.query('UPDATE mails SET attempts = 8 WHERE company_id = $1', [company])
    const worker = startTestMailWorker(pool, server.smtp)
    await untilMail(company, id, { status: 'failed', attempts: 9, wait: null })
    await worker.stop()
  })

  it('ML4: does not retry after a permanent error, and stores the response of the server', async () => {
    const company = await addCompany()
    const server = await startMailServer({ reject: () => ({ code: 552, text: 'mailbox\r\n is gone' }) })
    const unknown = await startMailServer({
      server: {
        onRcptTo: (_address, _session, callback) =>
          callback(Object.assign(new Error('no such user here'), { responseCode: 550 })),
      },
    })
    const id = await queueMail(pool, company, mailTo('gone@example.com'))
    const worker = startTestMailWorker(pool, server.smtp)
    await untilMail(company, id, {
      status: 'failed',
      attempts: 1,
      error: expect.stringMatching(/^552 mailbox/) as string,
    })
    await worker.stop()
    const other = await queueMail(pool, company, mailTo('unknown@example.com'))
    const second = startTestMailWorker(pool, unknown.smtp)
    await untilMail(company, other, { status: 'failed', error: '550 no such user here' })
    await second.stop()
  })

  it('ML5: sends each message once with two workers', async () => {
    const ids = await Promise.all([addCompany(), addCompany()])
    const server = await startMailServer()
    for (let i = 0; i < 40; i++) await queueMail(pool, ids[i % 2] ?? '', mailTo(`many${i}@example.com`))
    const workers = [startTestMailWorker(pool, server.smtp), startTestMailWorker(pool, server.smtp)]
    await vi.waitFor(async () => {
      const sql = `SELECT FROM mails WHERE company_id = ANY($1) AND status = 'sent'`
      expect((await pool.query(sql, [ids])).rowCount).toBe(40)
    }, 30_000)
    expect(server.received.flatMap(({ to }) => to).toSorted()).toEqual(
      Array.from({ length: 40 }, (_, i) => `many${i}@example.com`).toSorted(),
    )
    await Promise.all(workers.map((worker) => worker.stop()))
  })

  it('ML5: a message can be sent at the moment it is queued', async () => {
    const company = await addCompany()
    // Stored times are rounded to milliseconds, half of them to one that has not come yet.
    for (let i = 0; i < 20; i++) {
      const claimed = await inTransaction(pool, async (db) => {
        await queueMail(db, company, mailTo('now@example.com'))
        return claimMails(db, 5, 300)
      })
      expect(claimed).toHaveLength(1)
    }
    await pool.query('DELETE FROM mails WHERE company_id = $1', [company])
  })

  it('ML5: sends the messages of a killed process', async () => {
    const company = await addCompany()
    const id = await queueMail(pool, company, mailTo('killed@example.com'))
    // The killed process has claimed the message and not sent it.
    expect(await claimMails(pool, 5, 300)).toMatchObject([{ companyId: company, id, attempts: 1 }])
    expect(await claimMails(pool, 5, 300)).toEqual([])
    await passTime(company)
    const server = await startMailServer()
    const worker = startTestMailWorker(pool, server.smtp)
    await untilMail(company, id, { status: 'sent', attempts: 2 })
    await worker.stop()
  })

  it('ML5: waits for running deliveries when it stops', async () => {
    const company = await addCompany()
    let release = () => undefined as void
    let arrive = () => undefined as void
    const arrived = new Promise<void>((resolve) => (arrive = resolve))
    const server = await startMailServer({
      onData: () => {
        arrive()
        return new Promise((resolve) => (release = resolve))
      },
    })
    const id = await queueMail(pool, company, mailTo('stop@example.com'))
    const worker = startTestMailWorker(pool, server.smtp, { stopMaxMs: 20_000 })
    await arrived
    const stopped = worker.stop()
    release()
    await stopped
    expect(await readMail(company, id)).toMatchObject({ status: 'sent' })
  })
})
