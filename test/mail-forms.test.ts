/** The message to the company about a submitted form. */
import { describe, expect, it } from 'vitest'
import { createDatabase } from './support/database.ts'
import { FORM_WORLD, GOOD, bodyOf, bookingPath, createVisitor, stampOf } from './support/forms.ts'
import { startServer } from './support/server.ts'
import { MAIL_FROM, startMailServer, startTestMailWorker } from './support/smtp.ts'
import { importValid } from './support/world.ts'

const { pool, connection } = await createDatabase()
await importValid(connection, FORM_WORLD)
await pool.query(`UPDATE companies SET email = 'office@quay.example'`)
const smtp = await startMailServer()
const worker = startTestMailWorker(pool, smtp.smtp)
const server = await startServer(connection, { mail: { from: MAIL_FROM, counts: worker.counts } })
const { post, submit } = createVisitor(server)

describe('a submitted form', () => {
  it('ML13: is sent to the company with its answers and the visitor as Reply-To', async () => {
    expect((await submit({ ...GOOD, guests: '80', notes: 'By the\r\nriver' })).status).toBe(303)
    const { to, parsed } = await smtp.find(
      ({ parsed: { subject } }) => subject === 'Ask us: answers of Ada Noor',
    )
    expect([to, parsed.replyTo?.text]).toEqual([['office@quay.example'], 'Ada@example.com'])
    expect(parsed.text).toContain('Your guests: 80')
    expect(parsed.text).toContain('Your notes: By the river')
    expect(parsed.text).toMatch(/http:\/\/127\.0\.0\.1:3000\/quotes\/\S+/)
    const booking = bookingPath('booking-form', 'book')
    const stamp = stampOf(['c', 'booking-form', 'book'])
    const sent = await post(booking, bodyOf({ wishes: 'Candles' }, { stamp }))
    expect(sent.status).toBe(303)
    const details = await smtp.find(
      ({ parsed: { subject } }) => subject === 'Event details: answers of Ada Noor',
    )
    expect(details.parsed.text).toContain('Your wishes: Candles')
  })

  it('ML3: adds no header and no recipient from the input of the visitor', async () => {
    const evil = 'Eve\r\nBcc: victim@example.com\r\nSubject: Won\r\n\r\n<script>alert(1)</script>'
    expect((await submit({ ...GOOD, name: evil, notes: evil })).status).toBe(303)
    const { to, parsed, raw } = await smtp.find(
      ({ parsed: { subject } }) => subject?.includes('Eve') === true,
    )
    expect(to).toEqual(['office@quay.example'])
    expect(parsed.headers.has('bcc')).toBe(false)
    expect(raw).not.toMatch(/^(?:Bcc|Subject: Won)/im)
    expect(parsed.html).not.toContain('<script>')
    const invalid = await submit({ ...GOOD, email: 'eve@example.com\r\nBcc: victim@example.com' })
    expect(invalid.status).toBe(422)
  })
})
