import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createInvoiceTokens } from '../src/core/security/invoice-token.ts'
import { openPool } from '../src/db/connect.ts'
import { onDatabase } from './support/connections.ts'
import { plantInvoice } from './support/older.ts'
import { KEY } from './support/quotes.ts'
import { startServer } from './support/server.ts'
import type { Answer } from './support/server.ts'
import { SECRET, createInvoicePages, openAt, seal, pageText } from './support/invoice-page.ts'

const { pool, connection, server, invoice, open } = await createInvoicePages()

const FRIENDLY = 'Invoice not found'

function expectNotFound(answer: Answer, why = ''): void {
  expect(answer.status, why).toBe(404)
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(pageText(answer.text)).toContain(FRIENDLY)
}

describe('L9: the token opens a page with no other credential', () => {
  it('responds with 200 and HTML', async () => {
    const answer = await open(await invoice({ description: 'Wedding' }))
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.text).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(pageText(answer.text)).toContain('Wedding')
  })

  it('is the link that the API returns', async () => {
    await plantInvoice(pool, 'co_1', 'inv_read', { booking_id: 'book_read', invoice_number: 'As read' })
    const { invoiceUrls } = (await server.get('/api/invoice/book_read', KEY)).body as {
      invoiceUrls: string[]
    }
    const page = await server.call(new URL(invoiceUrls[0] ?? '').pathname)
    expect([page.status, page.text.includes('As read')]).toEqual([200, true])
  })

  it('works for a company without API access, without keys, and with one allowed address', async () => {
    await pool.query(
      `INSERT INTO companies (id, name, plan, currency, allowed_ips)
      VALUES ('co_basic', 'Basic Co', 'BASIC', 'USD', '{192.0.2.1}')`,
    )
    await plantInvoice(pool, 'co_basic', 'inv_1')
    const answer = await open(seal({ companyId: 'co_basic', invoiceId: 'inv_1' }))
    expect([answer.status, pageText(answer.text).includes('Basic Co')]).toEqual([200, true])
  })

  it('ignores any API key', async () => {
    const token = await invoice()
    const { text } = await open(token)
    expect((await open(token, { 'x-api-key': KEY })).text).toBe(text)
    expect((await open(token, { 'x-api-key': 'key-that-is-unknown' })).text).toBe(text)
  })

  it('responds to HEAD as to GET, and to other methods with 405', async () => {
    const token = await invoice()
    const head = await server.call(`/i/${token}`, { method: 'HEAD' })
    expect([head.status, head.text, head.headers['cache-control']]).toEqual([200, '', 'no-store'])
    const posted = await server.call(`/i/${token}`, { method: 'POST' })
    expect([posted.status, posted.headers['allow']]).toEqual([405, 'GET, HEAD'])
  })

  it('ignores query parameters', async () => {
    const token = await invoice()
    expect((await server.call(`/i/${token}?utm_source=mail&x=%ff`)).text).toBe((await open(token)).text)
  })

  it('shows the current invoice, not that at the time of the link', async () => {
    const token = await invoice({ invoice_number: 'Changing' })
    expect(pageText((await open(token)).text)).toContain('Amount due $100.00')
    await pool.query(`UPDATE invoices SET amount_paid_cents = 4000 WHERE invoice_number = 'Changing'`)
    expect(pageText((await open(token)).text)).toContain('Amount due $60.00')
  })
})

describe('L9: an invalid token gets 404 and a friendly page', () => {
  it('if it is changed, truncated or extended anywhere', async () => {
    const token = await invoice()
    const wrong = new Set<string>()
    for (let i = 0; i < token.length; i++) {
      const other = token[i] === 'A' ? 'B' : 'A'
      wrong.add(token.slice(0, i) + other + token.slice(i + 1))
      if (i > 0) wrong.add(token.slice(0, i))
    }
    for (const added of [
      'A',
      '=',
      '==',
      '.',
      ')',
      '%20',
      '%0A',
      '%00',
      '%',
      '%ff',
      '/',
      '/x',
      '/x/y',
      '%2F',
    ]) {
      wrong.add(token + added)
    }
    wrong.add(`A${token}`)
    wrong.add(token.toLowerCase())
    wrong.delete(token)
    for (const changed of wrong) expectNotFound(await open(changed), changed)
  })

  it('returns the same page for each of them', async () => {
    const pages = await Promise.all(
      ['x', 'x'.repeat(4000), (await invoice()).slice(1)].map((token) => open(token)),
    )
    expect(new Set(pages.map(({ text }) => text)).size).toBe(1)
  })

  it('rejects a token that was created with another secret', async () => {
    await plantInvoice(pool, 'co_1', 'inv_sealed')
    const ref = { companyId: 'co_1', invoiceId: 'inv_sealed' }
    expect((await open(seal(ref))).status).toBe(200)
    expectNotFound(await open(createInvoiceTokens('another secret').seal(ref)))
  })

  it('if the invoice is missing or deleted', async () => {
    expectNotFound(await open(seal({ companyId: 'co_1', invoiceId: 'inv_never' })))
    expectNotFound(await open(seal({ companyId: 'co_2', invoiceId: 'inv_1' })))
    expectNotFound(await open(seal({ companyId: 'co_none', invoiceId: 'inv_1' })))
    const token = await invoice({ invoice_number: 'Deleted' })
    expect((await open(token)).status).toBe(200)
    await pool.query(`DELETE FROM invoices WHERE invoice_number = 'Deleted'`)
    expectNotFound(await open(token))
  })

  it('if it is a plain id', async () => {
    for (const id of ['inv_1', 'co_1,inv_1', Buffer.from('["co_1","inv_1"]').toString('base64url')]) {
      expectNotFound(await open(id))
    }
  })

  it('if the link ends before the token', async () => {
    expectNotFound(await server.call('/i/'))
    expect((await server.call('/i')).status).toBe(404)
  })
})

describe('L9: the response', () => {
  it.each<[what: string, status: number, token: () => Promise<string>]>([
    ['an invoice', 200, () => invoice()],
    ['an invalid token', 404, async () => 'nonsense'],
    ['a token with a path after it', 404, async () => `${await invoice()}/x`],
  ])('has these headers for %s', async (_what, status, token) => {
    const { headers, text, status: given } = await open(await token())
    expect(given).toBe(status)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
    })
    expect(headers['x-request-id']).toMatch(/^\S+$/)
    expect(headers['set-cookie']).toBeUndefined()
    const policy = String(headers['content-security-policy'])
    const directives = Object.fromEntries(
      policy.split('; ').map((part) => {
        const [name = '', ...values] = part.split(' ')
        return [name, values.join(' ')]
      }),
    )
    const [, style = ''] = /<style>(.*)<\/style>/s.exec(text) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    expect(directives).toEqual({
      'default-src': "'none'",
      'style-src': `'sha256-${hash}'`,
      'font-src': "'self'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
    })
    expect(policy).not.toContain('unsafe')
    expect(text).toContain('<meta name="robots" content="noindex, nofollow">')
    expect(text).toContain('<meta name="referrer" content="no-referrer">')
    expect(text).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">')
  })

  it('does not log the token', async () => {
    const token = await invoice()
    await open(token)
    expect(JSON.stringify(server.log)).not.toContain(token.slice(0, 20))
  })

  it('is a page without details if the database is not available', async () => {
    const data = openPool(onDatabase(connection, 'no_such_database'), 'data', () => undefined)
    const broken = await startServer(connection, { data, appSecrets: [SECRET] })
    const answer = await openAt(broken, await invoice())
    expect(answer.status).toBe(500)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(pageText(answer.text)).toContain('not available right now')
    expect(answer.text).not.toMatch(/no_such_database|FATAL|postgres/i)
    expect(
      broken.log.some(({ msg, level }) => msg === 'request failed' && (level === 'error' || level === 50)),
    ).toBe(true)
    // What needs no store is answered as ever.
    expectNotFound(await openAt(broken, 'nonsense'))
    await data.end()
  })
})
