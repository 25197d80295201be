import { describe, expect, it } from 'vitest'
import { ACCEPT, createCustomerPages, visibleText } from './support/customer-quote.ts'
import { plant } from './support/quotes.ts'
import { contextOf } from './support/actions.ts'
import { runAction } from '../src/actions/action.ts'
import { acceptQuote } from '../src/actions/accept-quote.ts'

const { pool, server, plantQuote, send, sentQuote, open, post, api, typesOf } = await createCustomerPages()

interface Expanded {
  totalPriceCents: number
  bookingId: string
  booking: { totalPriceCents: number; events: { clientName: string }[] }
}

const expanded = async (id: string) =>
  (await api('GET', `quotes/${id}?expand[]=booking.events`)).body as Expanded

const acceptancesOf = async (id: string) =>
  (
    await pool.query<Record<string, unknown>>(
      `SELECT a.name, a.choices, a.address, a.user_agent, a.sha256 = r.sha256 AS is_hash, r.revision, b.accepted_revision_id = r.id AS is_booked
       FROM acceptances a JOIN quote_revisions r ON r.id = a.quote_revision_id
         LEFT JOIN bookings b ON b.quote_id = r.quote_id
       WHERE r.quote_id = $1`,
      [id],
    )
  ).rows

const invoicesOf = async (id: string) =>
  (
    await pool.query<{ total: number; lines: object[] }>(
      `SELECT i.total_cents::integer AS total, i.lines FROM invoices i JOIN bookings b ON b.id = i.booking_id
       WHERE b.quote_id = $1 ORDER BY i.created_at, i.id`,
      [id],
    )
  ).rows

describe('acceptance', () => {
  it('V15: stores the proof, books in the same transaction, and shows a receipt', async () => {
    const { id, path } = await sentQuote()
    const answer = await post(
      `${path}/accept`,
      { name: '  Ada   Noor ', agree: 'yes', shown: '1,3', option: '1', group0: '3' },
      { 'user-agent': 'A browser' },
    )
    expect([answer.status, answer.headers['location']]).toEqual([303, path])
    expect(await acceptancesOf(id)).toEqual([
      {
        name: 'Ada Noor',
        choices: [expect.stringMatching(/^ice_/), expect.stringMatching(/^wine_/)],
        address: '127.0.0.1',
        user_agent: 'A browser',
        is_hash: true,
        revision: 1,
        is_booked: true,
      },
    ])
    const { totalPriceCents, booking } = await expanded(id)
    expect([totalPriceCents, booking.totalPriceCents, booking.events.length]).toEqual([18_700, 18_700, 1])
    const receipt = visibleText((await open(path)).text)
    expect(receipt).toContain('Accepted and booked Signed by Ada Noor on')
    expect(receipt).toMatch(/Document hash \(SHA-256\): [0-9a-f]{64}/)
    expect(receipt).toContain('$187.00')
    expect(receipt).not.toContain('Beer')
    expect(await typesOf(id)).toEqual(['quote.sent', 'quote.accepted', 'quote.booked', 'quote.viewed'])
    const { body } = await api('GET', 'changes?order=desc&limit=20')
    const mine = (body as { data: { type: string; actor: object; previous: object }[] }).data.slice(1, 6)
    expect(mine.map(({ type }) => type)).toEqual([
      'invoice.created',
      'event.created',
      'booking.created',
      'quote.booked',
      'quote.accepted',
    ])
    for (const { actor } of mine) expect(actor).toEqual({ type: 'customer', id: null, name: 'Ada Noor' })
    expect(mine[4]?.previous).toEqual({ totalPriceCents: 14_300 })
  })

  it('V15: shows the receipt to a customer who sends the form twice', async () => {
    const { id, path } = await sentQuote()
    await post(`${path}/accept`, ACCEPT)
    for (const fields of [ACCEPT, { ...ACCEPT, name: '', agree: '' }]) {
      const again = await post(`${path}/accept`, fields)
      expect([again.status, again.headers['location']]).toEqual([303, path])
    }
    expect(await acceptancesOf(id)).toHaveLength(1)
  })

  it(
    'V16, IV4: 50 acceptances at once create one booking and one set of invoices',
    { timeout: 60_000 },
    async () => {
      const { id, path } = await sentQuote()
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) => post(`${path}/accept`, { ...ACCEPT, name: `Customer ${i}` })),
      )
      // Under load the server may ask a client to come back. It never books twice.
      expect(answers.filter(({ status }) => status !== 303 && status !== 503)).toEqual([])
      expect(answers.some(({ status }) => status === 303)).toBe(true)
      const { rows } = await pool.query('SELECT id FROM bookings WHERE quote_id = $1', [id])
      expect([rows.length, (await acceptancesOf(id)).length]).toEqual([1, 1])
      const invoices = await pool.query<{ number: string }>(
        `SELECT i.invoice_number AS number FROM invoices i JOIN bookings b ON b.id = i.booking_id WHERE b.quote_id = $1`,
        [id],
      )
      const next = await pool.query<{ number: number }>(
        `SELECT next_invoice_number AS number FROM companies WHERE id = 'co_1'`,
      )
      expect(invoices.rows).toEqual([{ number: `INV-${(next.rows[0]?.number ?? 0) - 1}` }])
      const types = await typesOf(id)
      expect(types.filter((type) => type === 'quote.booked')).toHaveLength(1)
    },
  )

  it.each<[reason: string, fields: Record<string, string>, message: string]>([
    ['no name', { ...ACCEPT, name: ' ' }, 'Type your full name.'],
    ['a very long name', { ...ACCEPT, name: 'x'.repeat(201) }, 'Use at most 200 characters.'],
    ['an unchecked box', { ...ACCEPT, agree: '' }, 'Check this box to accept.'],
    ['no alternative', { name: 'Ada', agree: 'yes', shown: '' }, 'Choose one option for Drinks.'],
    ['two alternatives', { ...ACCEPT, group1: '3' }, 'Choose one option for Drinks.'],
    [
      'a different total than on the screen',
      { ...ACCEPT, group0: '3' },
      'With your choice the total is $165.00.',
    ],
  ])('V8: is rejected with %s', async (_, fields, message) => {
    const { id, path } = await sentQuote()
    const answer = await post(`${path}/accept`, fields)
    expect([answer.status, answer.text.includes(message)]).toEqual([400, true])
    expect(await acceptancesOf(id)).toEqual([])
    expect(answer.text).toContain(`value="${fields['name']?.trim().slice(0, 200)}"`)
  })

  it('V17: restores the content that was sent, despite later edits', async () => {
    const id = await plantQuote()
    const path = await send(id)
    await pool.query("UPDATE line_items SET deleted_at = now() WHERE quote_id = $1 AND id LIKE 'bar_%'", [id])
    await pool.query("UPDATE line_items SET price_cents = 99 WHERE quote_id = $1 AND id LIKE 'beer_%'", [id])
    await pool.query("UPDATE quotes SET guest_count = 500, event_address = 'Elsewhere' WHERE id = $1", [id])
    await pool.query('DELETE FROM service_days WHERE quote_id = $1', [id])
    expect((await post(`${path}/accept`, ACCEPT)).status).toBe(303)
    const { totalPriceCents, booking } = await expanded(id)
    expect([totalPriceCents, booking.totalPriceCents, booking.events.length]).toEqual([14_300, 14_300, 1])
    expect(await invoicesOf(id)).toMatchObject([
      {
        total: 14_300,
        lines: [
          { description: 'Open bar', amountCents: 10_000 },
          { description: 'Beer', amountCents: 3_000 },
        ],
      },
    ])
    expect((await api('GET', `quotes/${id}`)).body).toMatchObject({
      guestCount: 80,
      eventAddress: '1 Quay Street',
    })
    const { body } = await api('GET', `changes?object_id=${id}&type=quote.accepted`)
    expect(body).toMatchObject({ data: [{ previous: { guestCount: 500, eventAddress: 'Elsewhere' } }] })
  })

  it('V17: books the accepted total even if an import changed a tax rate since', async () => {
    const { id, path } = await sentQuote()
    await pool.query("UPDATE tax_rates SET rate = 50 WHERE id = 'tax_1'")
    await post(`${path}/accept`, ACCEPT)
    await pool.query("UPDATE tax_rates SET rate = 10 WHERE id = 'tax_1'")
    expect((await expanded(id)).booking.totalPriceCents).toBe(14_300)
  })

  it('V17: invoices follow the accepted payment terms, despite later changes of them', async () => {
    await plant(pool, 'payment_terms', 'co_1', 'terms_1', {
      payment_schedule: 'DEPOSIT',
      deposit_type: 'PERCENT',
      deposit_percentage: '20',
    })
    const { id, path } = await sentQuote({ payment_terms_id: 'terms_1' })
    await pool.query("UPDATE payment_terms SET deposit_percentage = 50 WHERE id = 'terms_1'")
    await post(`${path}/accept`, ACCEPT)
    expect((await invoicesOf(id)).map(({ total }) => total)).toEqual([2_860, 11_440])
  })

  it('V16: remains valid if an import of an older export removes the booking from the quote', async () => {
    const { id, path } = await sentQuote()
    await post(`${path}/accept`, ACCEPT)
    await pool.query('UPDATE quotes SET booked_at = NULL, booking_id = NULL WHERE id = $1', [id])
    const page = visibleText((await open(path)).text)
    expect(page).toContain('Accepted and booked')
    expect(page).not.toContain('Accept this quote')
    await post(`${path}/accept`, ACCEPT)
    expect((await api('POST', `quotes/${id}/book`, {})).body).toMatchObject({
      error: { code: 'quote_booked' },
    })
    expect(await acceptancesOf(id)).toHaveLength(1)
  })

  it('V13: has no receipt after the booking is canceled, and can be repeated after the booking is undone', async () => {
    const { id, path } = await sentQuote()
    await post(`${path}/accept`, { ...ACCEPT, shown: '3', group0: '3' })
    await pool.query('UPDATE bookings SET canceled_at = now() WHERE quote_id = $1', [id])
    const canceled = visibleText((await open(path)).text)
    expect(canceled).toContain('This booking is canceled')
    expect(canceled).not.toContain('Signed by')
    expect(canceled).toContain('$165.00')
    const rejected = await post(`${path}/accept`, ACCEPT)
    expect([rejected.status, rejected.text.includes('The booking of this quote is canceled.')]).toEqual([
      409,
      true,
    ])
    await pool.query('UPDATE quotes SET booked_at = NULL, booking_id = NULL WHERE id = $1', [id])
    expect((await open(path)).text).toContain('Accept this quote')
    expect((await post(`${path}/accept`, ACCEPT)).status).toBe(303)
    expect(visibleText((await open(path)).text)).toContain('Accepted and booked')
  })

  it('V13: is rejected after the expiration, also if only the revision has expired', async () => {
    const id = await plantQuote()
    await send(id, { expiresAt: '2035-01-01T00:00:00Z' })
    const context = contextOf(pool, 'co_1', 'customer')
    const late = { ...context, presentation: { ...context.presentation, now: '2035-01-01T00:00:00.000Z' } }
    const signature = { quoteId: id, revision: 1, chosen: [2], name: 'Ada', address: null, userAgent: null }
    await expect(runAction(late, acceptQuote, signature)).rejects.toThrow('has expired')
    await pool.query('UPDATE quotes SET expires_at = NULL WHERE id = $1', [id])
    await expect(runAction(late, acceptQuote, signature)).rejects.toThrow('has expired')
  })

  it('V19: the PDF opens, and is named after the quote', async () => {
    const { path } = await sentQuote({ number: 'Q-7' })
    const answer = await server.call(`${path}/pdf?choices=1,3`)
    expect([answer.status, answer.headers['content-type'], answer.headers['content-disposition']]).toEqual([
      200,
      'application/pdf',
      'inline; filename="quote-Q-7.pdf"',
    ])
    expect(answer.text.startsWith('%PDF-')).toBe(true)
    expect(answer.headers['x-robots-tag']).toBe('noindex, nofollow')
  })
})
