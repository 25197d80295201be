import { describe, expect, it, vi } from 'vitest'
import { createSealedTokens } from '../src/core/security/sealed-token.ts'
import { createQuoteTokens } from '../src/core/security/quote-token.ts'
import { ACCEPT, createCustomerPages, figuresIn, visibleText } from './support/customer-quote.ts'
import { waitUntilBlocked } from './support/blocked.ts'
import type { ActivityAnswer } from '../src/console/activity.ts'
import { signedIn } from './support/console.ts'
import { renderPdf } from '../src/pages/pdf.ts'
import { KEY, OTHER_KEY, plant } from './support/quotes.ts'
import type { Row } from './support/quotes.ts'

const { pool, connection, server, plantQuote, send, sentQuote, open, post, api, typesOf } =
  await createCustomerPages()

const countBookings = async (quoteId: string) =>
  (await pool.query('SELECT FROM bookings WHERE quote_id = $1', [quoteId])).rowCount

/** The timeline of a quote, sorted by type. */
const timelineOf = async (quoteId: string) => {
  const { call } = await signedIn(server, { pool, connection }, 'co_1', 'MEMBER')
  const { body } = await call('GET', `timeline?object=quote&id=${quoteId}`)
  return (body as ActivityAnswer).entries.toSorted((a, b) => (a.type < b.type ? -1 : 1))
}

describe('the link', () => {
  it('V1, O25: sending creates a revision, and the link is for the newest revision', async () => {
    const id = await plantQuote()
    const early = await api('GET', `quotes/${id}/link`)
    expect([early.status, early.body]).toEqual([
      404,
      {
        error: {
          type: 'invalid_request_error',
          code: 'not_found',
          message: 'Quote was not sent',
          param: 'id',
        },
      },
    ])
    const first = await send(id)
    const second = await send(id, { expiresAt: '2035-01-01T00:00:00Z' })
    expect(second).not.toBe(first)
    const { body } = await api('GET', `quotes/${id}/link`)
    const quote = (await api('GET', `quotes/${id}`)).body as { sentAt: string }
    expect(body).toEqual({
      object: 'quoteLink',
      quoteId: id,
      revision: 2,
      url: `http://127.0.0.1:3000${second}`,
      sentAt: quote.sentAt,
      expiresAt: '2035-01-01T00:00:00.000Z',
    })
    const stored = await pool.query<{ revision: number; sha256: string; hash: string }>(
      `SELECT revision, sha256, encode(sha256(convert_to(content, 'UTF8')), 'hex') AS hash
       FROM quote_revisions WHERE quote_id = $1 ORDER BY revision`,
      [id],
    )
    expect(stored.rows.map(({ revision, sha256, hash }) => [revision, sha256 === hash])).toEqual([
      [1, true],
      [2, true],
    ])
  })

  it('V1: is 404 for another company and for an unknown quote', async () => {
    const { id } = await sentQuote()
    expect((await server.get(`/api/quotes/${id}/link`, OTHER_KEY)).status).toBe(404)
    expect((await server.get('/api/quotes/no_such/link', KEY)).body).toMatchObject({
      error: { message: 'Quote not found' },
    })
  })

  it('V5: is 404 if the token is modified, or sealed with another secret or for another purpose', async () => {
    const { id, path } = await sentQuote()
    const token = path.slice('/q/'.length)
    const other = createQuoteTokens('another secret').seal({ companyId: 'co_1', quoteId: id, revision: 1 })
    const flipped = `${token.slice(0, -2)}${token.endsWith('A') ? 'B' : 'A'}${token.at(-1)}`
    for (const invalid of [other, flipped, token.slice(1), `${token}A`, `${token}=`, 'x', `${token}%00`]) {
      const answer = await open(`/q/${invalid}`)
      expect([invalid, answer.status]).toEqual([invalid, 404])
      expect(answer.text).not.toContain('Ada')
    }
    expect((await open(`/i/${token}`)).status).toBe(404)
  })

  it('V6: is 410 without data for a replaced revision, and mentions the newer one', async () => {
    const { id, path } = await sentQuote()
    const next = await send(id)
    for (const answer of [
      await open(path),
      await open(`${path}/pdf`),
      await post(`${path}/accept`, ACCEPT),
      await post(`${path}/decline`, { reason: 'PRICE' }),
      await post(`${path}/question`, { text: 'Why?' }),
    ]) {
      expect(answer.status).toBe(410)
      expect(answer.text).toContain('newer revision')
      expect(answer.text).not.toMatch(/Ada|Open bar|143/)
    }
    expect((await open(next)).status).toBe(200)
    expect(await countBookings(id)).toBe(0)
  })

  it('V6: is 410 without data if the quote is sent again during a submission', async () => {
    const { id, path } = await sentQuote()
    const client = await pool.connect()
    try {
      await client.query('BEGIN')
      await client.query("SELECT FROM change_counters WHERE company_id = 'co_1' FOR UPDATE")
      const answer = post(`${path}/accept`, ACCEPT)
      await waitUntilBlocked(pool)
      await client.query(
        `INSERT INTO quote_revisions (company_id, id, quote_id, revision, content, sha256, sent_at)
         SELECT company_id, 'raced', quote_id, 2, content, sha256, sent_at FROM quote_revisions WHERE quote_id = $1`,
        [id],
      )
      await client.query('COMMIT')
      const { status, text } = await answer
      expect([status, text.includes('newer revision')]).toEqual([410, true])
      expect(text).not.toMatch(/Ada|Open bar|143/)
    } finally {
      client.release()
    }
  })

  it('V1: expires at the earlier time of quote and revision, like the page', async () => {
    const id = await plantQuote()
    await send(id, { expiresAt: '2035-01-01T00:00:00Z' })
    const expiryOf = async (expires: string | null) => {
      await pool.query('UPDATE quotes SET expires_at = $2 WHERE id = $1', [id, expires])
      return ((await api('GET', `quotes/${id}/link`)).body as { expiresAt: string }).expiresAt
    }
    for (const [expires, expected] of [
      ['2036-01-01T00:00:00Z', '2035-01-01T00:00:00.000Z'],
      [null, '2035-01-01T00:00:00.000Z'],
      ['2034-01-01T00:00:00Z', '2034-01-01T00:00:00.000Z'],
    ] as const) {
      expect(await expiryOf(expires)).toBe(expected)
    }
  })
})

describe('the page', () => {
  it('V7: shows the quote with every amount, without internal notes', async () => {
    const { path } = await sentQuote({ event_description: '<script>alert(1)</script>' })
    const answer = await open(path)
    const text = visibleText(answer.text)
    for (const part of [
      'Ada Noor',
      'Wedding',
      '1 Quay Street',
      'Open bar',
      'Ice sculpture',
      'Wine',
      '$143.00',
      '80',
    ]) {
      expect([part, text.includes(part)]).toEqual([part, true])
    }
    expect(figuresIn(answer.text)).toMatchObject({ subtotal: '$130.00', tax: '$13.00', total: '$143.00' })
    expect(text).toContain('Ada Noor pays $143.00 .')
    expect(answer.text).not.toContain('<script>alert')
    expect(answer.text).not.toContain('INTERNAL NOTE')
    expect(answer.headers).toMatchObject({
      'x-robots-tag': 'noindex, nofollow',
      'cache-control': 'no-store',
      'content-security-policy': expect.stringMatching(
        /default-src 'none'.*script-src 'self'.*form-action 'self'/,
      ),
    })
    expect(answer.text.match(/(?:src|href|action)="(?!\/)[^"]*"/g)).toBeNull()
  })

  it.each<[terms: Row, text: string]>([
    [{ payment_schedule: 'FULL', invoice_due_days: 1 }, 'The total is due 1 day after you accept.'],
    [{ payment_schedule: 'INVOICE_ONLY', invoice_due_days: 0 }, 'The total is due on the day of the event.'],
    [{ payment_schedule: 'DEPOSIT', invoice_due_days: 7 }, 'The total is due 7 days before the event.'],
    [
      { payment_schedule: 'DEPOSIT', deposit_type: 'PERCENT', deposit_percentage: '20', invoice_due_days: 0 },
      'A deposit of 20 % is due when you accept. The rest is due on the day of the event.',
    ],
  ])('V7: describes the payment terms %j', async (terms, text) => {
    const id = `terms_${text}`
    await plant(pool, 'payment_terms', 'co_1', id, terms)
    const { path } = await sentQuote({ payment_terms_id: id })
    expect(visibleText((await open(path)).text)).toContain(text)
  })

  it('V9: recalculates the total with a request without JavaScript', async () => {
    const { path } = await sentQuote()
    const redirect = await post(`${path}/choices`, { option: '1', group0: '3' })
    expect([redirect.status, redirect.headers['location']]).toEqual([303, `${path}?choices=1,3`])
    const { text } = await open(String(redirect.headers['location']))
    expect(figuresIn(text)).toMatchObject({ subtotal: '$170.00', tax: '$17.00', total: '$187.00' })
    expect(text).toContain('name="shown" value="1,3"')
    expect(figuresIn((await open(`${path}?choices=0,99`)).text)['total']).toBe('$143.00')
  })

  it('V10: records the first view, except views of users of the company and HEAD requests', async () => {
    const { id, path } = await sentQuote()
    const { cookie } = await signedIn(server, { pool, connection }, 'co_1')
    await server.call(path, { method: 'HEAD' })
    await open(path, { cookie })
    // Browsers do not send the session with a link from another site, such as web mail.
    const company = createSealedTokens('company cookie', 'a secret for tests').seal(['co_1'])
    await open(path, { cookie: `eqs_company=${company}` })
    expect(await typesOf(id)).toEqual(['quote.sent'])
    await open(path)
    await open(path)
    expect(await typesOf(id)).toEqual(['quote.sent', 'quote.viewed'])
    const { body } = await api('GET', `changes?object_id=${id}&type=quote.viewed`)
    expect(body).toMatchObject({
      data: [{ actor: { type: 'customer', id: null, name: 'Ada Noor' }, previous: {} }],
    })
    const { cookie: theirs } = await signedIn(server, { pool, connection }, 'co_2')
    const other = await sentQuote()
    await open(other.path, { cookie: theirs })
    expect(await typesOf(other.id)).toEqual(['quote.sent', 'quote.viewed'])
  })

  it('V11: stores a question for the company and confirms it', async () => {
    const { id, path } = await sentQuote()
    const sent = await post(`${path}/question`, { text: ' Is parking free?\r\n' })
    expect([sent.status, sent.headers['location']]).toEqual([303, `${path}?asked`])
    expect((await open(`${path}?asked`)).text).toContain('Thank you for your question')
    const { rows } = await pool.query(
      'SELECT kind, name, text, revision FROM quote_questions WHERE quote_id = $1',
      [id],
    )
    expect(rows).toEqual([{ kind: 'QUESTION', name: 'Ada Noor', text: 'Is parking free?', revision: 1 }])
    expect(await timelineOf(id)).toMatchObject([
      { type: 'quote.question_asked', actor: { name: 'Ada Noor' }, details: { text: 'Is parking free?' } },
      { type: 'quote.sent' },
      { type: 'quote.viewed' },
    ])
    const empty = await post(`${path}/question`, { text: ' ' })
    expect([empty.status, empty.text.includes('Type your question.')]).toEqual([400, true])
    await pool.query(
      `INSERT INTO quote_questions (company_id, id, quote_id, revision, kind, text)
       SELECT 'co_1', 'many_' || n, $1, 1, 'QUESTION', 'x' FROM generate_series(1, 49) n`,
      [id],
    )
    const rejected = await post(`${path}/question`, { text: 'One more' })
    expect([rejected.status, rejected.text.includes('Call or write to us')]).toEqual([409, true])
  })

  it('V12: declines with a reason', async () => {
    const { id, path } = await sentQuote()
    const declined = await post(`${path}/decline`, { reason: 'PRICE', text: 'Too much for us' })
    expect(declined.status).toBe(303)
    expect((await api('GET', `quotes/${id}`)).body).toMatchObject({
      lostReason: 'PRICE',
      lostAt: expect.any(String),
    })
    const { text } = await open(path)
    expect(text).toContain('This quote is closed')
    expect(text).not.toContain('Accept and book')
    const { rows } = await pool.query('SELECT kind, text FROM quote_questions WHERE quote_id = $1', [id])
    expect(rows).toEqual([{ kind: 'DECLINE', text: 'Too much for us' }])
    expect(await timelineOf(id)).toMatchObject([
      { type: 'quote.declined', details: { text: 'Too much for us' } },
      { type: 'quote.lost' },
      { type: 'quote.sent' },
      { type: 'quote.viewed' },
    ])
    const { body } = await api('GET', `changes?object_id=${id}&type=quote.lost`)
    expect(body).toMatchObject({ data: [{ actor: { type: 'customer', name: 'Ada Noor' } }] })
    expect((await post(`${path}/accept`, ACCEPT)).status).toBe(409)
  })

  it.each<[state: string, change: string, message: string]>([
    ['expired', "expires_at = now() - interval '1 day'", 'This quote has expired'],
    ['lost', "lost_at = now(), lost_reason = 'OTHER'", 'This quote is closed'],
    ['booked', 'booked_at = now()', 'This quote is booked'],
    ['withdrawn', 'sent_at = NULL', 'This quote is being revised'],
  ])('V13: shows that the quote is %s and rejects an acceptance', async (_, change, message) => {
    const { id, path } = await sentQuote()
    await pool.query(`UPDATE quotes SET ${change} WHERE id = $1`, [id])
    const page = await open(path)
    expect([page.status, page.text.includes(message)]).toEqual([200, true])
    expect(page.text).not.toMatch(/Accept and book|<input/)
    const answer = await post(`${path}/accept`, ACCEPT)
    expect([answer.status, answer.text.includes('This did not work')]).toEqual([409, true])
    expect(await countBookings(id)).toBe(0)
    expect((await pool.query('SELECT FROM acceptances')).rowCount).toBe(0)
  })

  it('V13: rejects an acceptance without a day, and is 404 after the quote is deleted', async () => {
    const id = await plantQuote()
    await pool.query('DELETE FROM service_days WHERE quote_id = $1', [id])
    const path = await send(id)
    expect((await open(path)).text).toContain('No date yet')
    expect((await post(`${path}/accept`, ACCEPT)).status).toBe(409)
    await pool.query('UPDATE quotes SET deleted_at = now() WHERE id = $1', [id])
    expect((await open(path)).status).toBe(404)
  })

  it('V14: counts a line break as one character, and rejects longer texts instead of truncating them', async () => {
    const { id, path } = await sentQuote()
    const full = 'x\r\n'.repeat(2_499)
    expect((await post(`${path}/question`, { text: `${full}xx` })).status).toBe(303)
    const long = await post(`${path}/decline`, { reason: 'PRICE', text: `${full}xxx` })
    expect([long.status, long.text.includes('Use at most 5,000 characters.')]).toEqual([400, true])
    expect((await post(`${path}/decline`, { reason: 'PRICE', text: `${full}xx` })).status).toBe(303)
    const { rows } = await pool.query('SELECT length(text) FROM quote_questions WHERE quote_id = $1', [id])
    expect(rows).toEqual([{ length: 5_000 }, { length: 5_000 }])
  })

  it('V19: answers 503 to a PDF if too many wait, and skips disconnected clients', async () => {
    const { path } = await sentQuote()
    const parts = { title: 'x', locale: 'en', author: 'x', createdAt: new Date(0) }
    let release = () => {}
    const isReleased = new Promise<void>((resolve) => (release = resolve))
    const first = renderPdf(
      parts,
      () => true,
      () => isReleased,
    )
    const draw = vi.fn<() => Promise<void>>()
    const disconnected = Array.from({ length: 100 }, () => renderPdf(parts, () => false, draw))
    const rejected = await open(`${path}/pdf`)
    expect([rejected.status, rejected.headers['retry-after']]).toEqual([503, '1'])
    expect(rejected.text).toContain('This quote is not available right now')
    release()
    expect((await first).length).toBeGreaterThan(0)
    expect((await Promise.all(disconnected)).every(({ length }) => length === 0)).toBe(true)
    expect(draw).not.toHaveBeenCalled()
    expect((await open(`${path}/pdf`)).status).toBe(200)
  })

  it('V14: rejects forms of another type or size with a page', async () => {
    const { path } = await sentQuote()
    const json = await server.call(`${path}/question`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"text":"a"}',
    })
    expect([json.status, json.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8'])
    const long = await post(`${path}/question`, { text: 'x'.repeat(5_001) })
    expect(long.status).toBe(400)
    const large = await post(`${path}/question`, { text: 'x'.repeat(200_000) })
    expect([large.status, large.text.includes('Your text is too long.')]).toEqual([413, true])
    expect(large.text).not.toContain('on our side')
    expect((await post(`${path}/question`, { text: 'a\0b' })).status).toBe(400)
  })
})
