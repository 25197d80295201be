/** Messages about quotes to the customer and to the company. */
import { describe, expect, it, vi } from 'vitest'
import { runAction } from '../src/actions/action.ts'
import { remindOfExpiry } from '../src/actions/remind-of-expiry.ts'
import type { MailPreviewAnswer, QuoteMailsAnswer } from '../src/console/quote-mails.ts'
import { sendReminders } from '../src/server/reminders.ts'
import { contextOf } from './support/actions.ts'
import { signedIn } from './support/console.ts'
import { ACCEPT, createCustomerPages } from './support/customer-quote.ts'
import { mailsOf } from './support/mails.ts'
import { KEY, plant } from './support/quotes.ts'
import { startServer } from './support/server.ts'
import { MAIL_FROM, startMailServer, startTestMailWorker } from './support/smtp.ts'

const pages = await createCustomerPages()
const { pool, connection, plantQuote } = pages
const smtp = await startMailServer()
const worker = startTestMailWorker(pool, smtp.smtp)
const server = await startServer(connection, { mail: { from: MAIL_FROM, counts: worker.counts } })
const { readMails } = mailsOf(pool)
await pool.query(`UPDATE companies SET email = 'office@quay.example', locale = 'en-US' WHERE id = 'co_1'`)
const admin = await signedIn(server, { pool, connection }, 'co_1')

const findMail = (subject: string) => smtp.find(({ parsed }) => parsed.subject === subject)
const api = (path: string, body: object) =>
  server.call(`/api/${path}`, {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const post = (path: string, fields: Record<string, string>) =>
  server.call(path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  })
const mailsOfQuote = async (id: string) =>
  (await admin.call('GET', `quotes/${id}/mails`)).body as QuoteMailsAnswer
async function sendFromConsole(id: string, body: object) {
  const { version } = (await admin.call('GET', `quotes/${id}/edit`)).body as { version: string }
  return admin.call('POST', `quotes/${id}/sent`, { version, ...body })
}

describe('sending a quote', () => {
  it('accepts a message of up to 10,000 characters; an emoji counts as one', async () => {
    const id = await plantQuote()
    const longer = await sendFromConsole(id, { message: '😀'.repeat(10_001) })
    expect([longer.status, longer.body]).toMatchObject([400, { error: { code: 'invalid_body' } }])
    expect((await sendFromConsole(id, { message: '😀'.repeat(10_000) })).status).toBe(200)
  })

  it('ML12: sends the previewed message and lists it on the quote', async () => {
    await pool.query(`UPDATE companies SET city = 'Washington, DC' WHERE id = 'co_1'`)
    const id = await plantQuote({ number: 'Q-77' })
    const input = {
      expiresAt: '2030-05-01T12:00:00.000Z',
      message: 'Dear Ada,\nhere it is.',
      mail: { to: 'ada@customer.example', subject: 'Your party' },
    }
    const preview = (await admin.call('POST', `quotes/${id}/mail-preview`, input)).body as MailPreviewAnswer
    expect(preview).toMatchObject({
      from: MAIL_FROM.address,
      to: 'ada@customer.example',
      replyTo: 'office@quay.example',
      subject: 'Your party',
    })
    expect((await mailsOfQuote(id)).mails).toEqual([])
    expect((await sendFromConsole(id, input)).status).toBe(200)
    const { to, parsed } = await findMail('Your party')
    expect(to).toEqual(['ada@customer.example'])
    expect(parsed.replyTo?.text).toBe('office@quay.example')
    const [link = ''] = /http\S+\/q\/\S+/.exec(parsed.text ?? '') ?? []
    const withoutLinks = (text: string | undefined) => text?.replaceAll(/\/q\/\S+/g, '').trim()
    expect(withoutLinks(parsed.text)).toBe(withoutLinks(preview.text))
    expect(parsed.text).toContain('Dear Ada,\nhere it is.')
    expect(parsed.text).toContain('\nWashington, DC\n')
    expect(parsed.text).toContain('Total: $143.00')
    expect(parsed.text).toContain('Valid until: May 1, 2030')
    expect((await server.call(new URL(link).pathname)).text).toContain('Open bar')
    await vi.waitFor(async () => {
      const { isMailConfigured, to: contact, mails } = await mailsOfQuote(id)
      expect([isMailConfigured, contact]).toEqual([true, 'ada@example.com'])
      expect(mails).toMatchObject([{ kind: 'quote_sent', to: 'ada@customer.example', status: 'sent' }])
    }, 20_000)
  })

  it('ML12: sends no message without an address or if the quote cannot be sent', async () => {
    const [id, empty] = [await plantQuote(), await plantQuote({}, [])]
    expect((await sendFromConsole(id, {})).status).toBe(200)
    const mail = { to: 'ada@customer.example' }
    expect((await sendFromConsole(empty, { mail })).status).toBe(409)
    for (const to of ['', 'ada', 'a@example.com, b@example.com', 'Ada <a@example.com>'])
      expect((await sendFromConsole(id, { mail: { to } })).status).toBe(400)
    expect([...(await mailsOfQuote(id)).mails, ...(await mailsOfQuote(empty)).mails]).toEqual([])
  })

  it('ML10: is rejected with an address if mail is not set up', async () => {
    const id = await plantQuote()
    const withoutMail = await signedIn(pages.server, { pool, connection }, 'co_1')
    const { version } = (await withoutMail.call('GET', `quotes/${id}/edit`)).body as { version: string }
    const mail = { to: 'ada@customer.example' }
    expect((await withoutMail.call('POST', `quotes/${id}/sent`, { version, mail })).status).toBe(409)
    expect((await withoutMail.call('POST', `quotes/${id}/sent`, { version })).status).toBe(200)
    const { isMailConfigured, mails } = (await withoutMail.call('GET', `quotes/${id}/mails`))
      .body as QuoteMailsAnswer
    expect([isMailConfigured, mails]).toEqual([false, []])
  })

  it('ML12: sends a message of the API to the address of the lead', async () => {
    const [id, silent] = [await plantQuote({ number: 'Q-78' }), await plantQuote()]
    expect((await api(`quotes/${id}/send`, { message: 'From the API' })).status).toBe(200)
    expect((await api(`quotes/${silent}/send`, {})).status).toBe(200)
    const { to, parsed } = await findMail('Your quote Q-78 from Company co_1')
    expect(to).toEqual(['ada@example.com'])
    expect(parsed.text).toContain('From the API')
    expect((await mailsOfQuote(silent)).mails).toEqual([])
    const unsent = await plantQuote()
    expect((await pages.api('POST', `quotes/${unsent}/send`, { message: 'Without SMTP' })).status).toBe(200)
    expect((await mailsOfQuote(unsent)).mails).toEqual([])
  })
})

describe('pending messages', () => {
  it('ML12: are canceled when the quote is sent again, lost, booked or accepted', async () => {
    const waiting = async () => {
      const id = await plantQuote()
      const path = await pages.send(id)
      await pool.query(
        `INSERT INTO mails (company_id, id, kind, to_address, subject, record_object, record_id, status, next_attempt_at)
         SELECT 'co_1', kind || status || $1, kind, 'ada@customer.example', 'x', 'quote', $1, status,
           CASE WHEN status = 'pending' THEN now() + interval '1 hour' END
         FROM unnest('{quote_sent,quote_reminder,quote_question}'::text[]) kind, unnest('{pending,failed}'::text[]) status`,
        [id],
      )
      return { id, path }
    }
    const [again, lost, booked, accepted] = [
      await waiting(),
      await waiting(),
      await waiting(),
      await waiting(),
    ]
    expect((await pages.api('POST', `quotes/${again.id}/send`, {})).status).toBe(200)
    expect((await pages.api('POST', `quotes/${lost.id}/lose`, { lostReason: 'PRICE' })).status).toBe(200)
    expect((await pages.api('POST', `quotes/${booked.id}/book`, {})).status).toBe(200)
    expect((await pages.post(`${accepted.path}/accept`, ACCEPT)).status).toBe(303)
    for (const { id } of [again, lost, booked, accepted]) {
      const { rows } = await pool.query<{ kind: string; status: string }>(
        'SELECT kind, status FROM mails WHERE record_id = $1 ORDER BY kind, status',
        [id],
      )
      expect(rows.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
        'quote_question failed',
        'quote_question pending',
        'quote_reminder canceled',
        'quote_reminder canceled',
        'quote_sent canceled',
        'quote_sent canceled',
      ])
      await pool.query('DELETE FROM mails WHERE record_id = $1', [id])
    }
  })
})

describe('the company', () => {
  const sent = async (number: string) => {
    const { id, path } = await pages.sentQuote({ number })
    return { id, path, office: { replyTo: 'ada@example.com', to: ['office@quay.example'] } }
  }
  const received = async (subject: string) => {
    const { to, parsed } = await findMail(subject)
    return { text: parsed.text, office: { replyTo: parsed.replyTo?.text, to } }
  }

  it('ML13: gets a message when a quote is accepted', async () => {
    const { id, path, office } = await sent('Q-80')
    expect((await post(`${path}/accept`, ACCEPT)).status).toBe(303)
    const mail = await received('Accepted: quote Q-80 of Ada Noor')
    expect(mail.office).toEqual(office)
    expect(mail.text).toContain('Signed by: Ada Noor')
    expect(mail.text).toContain('Total: $143.00')
    expect(mail.text).toContain(`http://127.0.0.1:3000/quotes/${id}`)
  })

  it('ML13: gets a message when a quote is declined, and for each question', async () => {
    const { path, office } = await sent('Q-81')
    await post(`${path}/question`, { text: 'Is ice included?\nReally?' })
    const question = await received('Question about quote Q-81 from Ada Noor')
    expect(question.office).toEqual(office)
    expect(question.text).toContain('> Is ice included?\n> Really?')
    await post(`${path}/decline`, { reason: 'PRICE', text: 'Too expensive' })
    const declined = await received('Declined: quote Q-81 of Ada Noor')
    expect(declined.office).toEqual(office)
    expect(declined.text).toContain('> Too expensive')
  })

  it('ML13: gets nothing if its profile has no email address', async () => {
    await pool.query(`UPDATE companies SET email = NULL WHERE id = 'co_1'`)
    const { id, path } = await sent('Q-82')
    expect((await post(`${path}/accept`, ACCEPT)).status).toBe(303)
    expect((await mailsOfQuote(id)).mails).toEqual([])
    await pool.query(`UPDATE companies SET email = 'office@quay.example' WHERE id = 'co_1'`)
  })
})

describe('a reminder', () => {
  const outbox = { seal: () => '', publicUrl: () => 'http://127.0.0.1:3000', from: MAIL_FROM.address }
  const remind = () =>
    sendReminders({
      pool,
      contextOf: (companyId) => ({ ...contextOf(pool, companyId, 'system'), outbox }),
      onError: (error) => {
        throw error
      },
    })
  const sendByMail = async (number: string) => {
    const id = await plantQuote({ number })
    await sendFromConsole(id, {
      expiresAt: new Date(Date.now() + 30 * 86_400_000).toISOString(),
      mail: { to: 'ada@customer.example' },
    })
    return id
  }
  const age = (id: string, days: number) =>
    pool.query(
      `WITH q AS (UPDATE quotes SET sent_at = sent_at - $2 * interval '1 day', expires_at = expires_at - $2 * interval '1 day'
         WHERE id = $1)
       UPDATE mails SET created_at = created_at - $2 * interval '1 day' WHERE record_id = $1`,
      [id, days],
    )
  const remindersOf = async (id: string) =>
    (await mailsOfQuote(id)).mails.filter(({ kind }) => kind === 'quote_reminder')

  it('ML14: is sent once per revision, three days before a sent quote expires', async () => {
    const id = await sendByMail('Q-90')
    await age(id, 26)
    await remind()
    expect(await remindersOf(id)).toEqual([])
    await age(id, 1.5)
    await Promise.all([remind(), remind()])
    await runAction({ ...contextOf(pool, 'co_1', 'system'), outbox }, remindOfExpiry, { quoteId: id })
    expect(await remindersOf(id)).toMatchObject([{ to: 'ada@customer.example' }])
    const { parsed } = await findMail('Your quote Q-90 from Company co_1 expires soon')
    expect(parsed.text).toContain('Valid until:')
    await sendFromConsole(id, {
      expiresAt: new Date(Date.now() + 30 * 86_400_000).toISOString(),
      mail: { to: 'ada@customer.example' },
    })
    await pool.query(
      `UPDATE quotes SET sent_at = sent_at - interval '1 hour', expires_at = now() + interval '2 days' WHERE id = $1`,
      [id],
    )
    // The quote was sent an hour ago for two days, which is too short for a reminder.
    await remind()
    expect(await remindersOf(id)).toHaveLength(1)
  })

  it('ML14: is not sent for booked, lost or expired quotes, or quotes that were not sent by email', async () => {
    const [lost, booked, expired, ended, silent] = [
      await sendByMail('Q-91'),
      await sendByMail('Q-92'),
      await sendByMail('Q-93'),
      await sendByMail('Q-94'),
      await plantQuote(),
    ]
    await sendFromConsole(silent, { expiresAt: new Date(Date.now() + 30 * 86_400_000).toISOString() })
    for (const id of [lost, booked, ended, silent]) await age(id, 28)
    // The quote has a later expiry than the revision that the customer has.
    await pool.query(
      `UPDATE quote_revisions SET content = regexp_replace(content, '"expiresAt":"[^"]*"', '"expiresAt":"2020-01-01T00:00:00.000Z"')
       WHERE quote_id = $1`,
      [ended],
    )
    await age(expired, 31)
    expect((await api(`quotes/${lost}/lose`, { lostReason: 'PRICE' })).status).toBe(200)
    expect((await api(`quotes/${booked}/book`, {})).status).toBe(200)
    await remind()
    for (const id of [lost, booked, expired, ended, silent]) expect(await remindersOf(id)).toEqual([])
    expect((await readMails('co_1')).filter(({ kind }) => kind === 'quote_reminder')).toHaveLength(1)
  })

  it('ML14: is sent even if reminders of another company fail', async () => {
    await pool.query(
      `INSERT INTO companies (id, name, plan, currency) SELECT 'a_broken', 'Broken', plan, currency FROM companies WHERE id = 'co_1'`,
    )
    await plant(pool, 'leads', 'a_broken', 'lead_1')
    await plant(pool, 'locations', 'a_broken', 'loc_1')
    await plant(pool, 'quotes', 'a_broken', 'quote_broken')
    await pool.query(
      `UPDATE quotes SET sent_at = now() - interval '10 days', expires_at = now() + interval '2 days' WHERE id = 'quote_broken'`,
    )
    await pool.query(
      `INSERT INTO mails (company_id, id, kind, to_address, subject, record_object, record_id, status, sent_at, next_attempt_at)
       VALUES ('a_broken', 'mail_1', 'quote_sent', 'ada@customer.example', 'Your quote', 'quote', 'quote_broken', 'sent', now(), NULL)`,
    )
    const id = await sendByMail('Q-89')
    await age(id, 28)
    const failed: string[] = []
    await sendReminders({
      pool,
      contextOf: (companyId) => {
        if (companyId === 'a_broken') throw new Error(companyId)
        return { ...contextOf(pool, companyId, 'system'), outbox }
      },
      onError: (error) => void failed.push((error as Error).message),
    })
    expect(failed).toEqual(['a_broken'])
    expect(await remindersOf(id)).toHaveLength(1)
  })
})
