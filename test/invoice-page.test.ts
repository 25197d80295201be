import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createInvoiceTokens } from '../src/core/security/invoice-token.ts'
import { openPool } from '../src/db/connect.ts'
import { connectionUrl, onDatabase } from './support/connections.ts'
import { createOlderApi, plantInvoice } from './support/older.ts'
import { startCommand } from './support/process.ts'
import { KEY, plant } from './support/quotes.ts'
import type { Row } from './support/quotes.ts'
import { startServer } from './support/server.ts'
import type { Answer, TestServer } from './support/server.ts'

const SECRET = 'a secret for tests'
const { pool, connection, server } = await createOlderApi({ appSecrets: [SECRET] })
const { seal } = createInvoiceTokens(SECRET)

const PAST = '2020-01-01T00:00:00Z'
const FUTURE = '2999-12-31T00:00:00Z'

let lastId = 0
/** Makes an invoice that is issued and says how to open it. */
async function invoice(row: Row = {}): Promise<string> {
  const id = `inv_${++lastId}`
  await plantInvoice(pool, 'co_1', id, {
    issued_at: '2026-05-20T09:00:00Z',
    invoice_number: `No ${id}`,
    total_cents: 10_000,
    ...row,
  })
  return seal({ companyId: 'co_1', invoiceId: id })
}

const openAt = (where: TestServer, token: string, headers: Record<string, string> = {}) =>
  where.call(`/i/${token}`, { headers })
const open = (token: string, headers: Record<string, string> = {}) => openAt(server, token, headers)

async function render(row: Row, headers: Record<string, string> = {}): Promise<string> {
  const { status, text } = await open(await invoice(row), headers)
  expect(status).toBe(200)
  return text
}

/** What a person reads: no tags, entities resolved, any blank as one. */
function words(html: string): string {
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
  return html
    .replace(/<head>.*<\/head>/s, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => entities[name] ?? '')
    .replaceAll(/\s+/g, ' ')
}

const FRIENDLY = 'Invoice not found'

function expectNotFound(answer: Answer, why = ''): void {
  expect(answer.status, why).toBe(404)
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(words(answer.text)).toContain(FRIENDLY)
}

describe('L9: the token opens a page with no other credential', () => {
  it('200 with HTML', async () => {
    const answer = await open(await invoice({ description: 'Wedding' }))
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.text).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(words(answer.text)).toContain('Wedding')
  })

  it('as the invoice read gives it', async () => {
    await plantInvoice(pool, 'co_1', 'inv_read', { booking_id: 'book_read', invoice_number: 'As read' })
    const { invoiceUrls } = (await server.get('/api/invoice/book_read', KEY)).body as {
      invoiceUrls: string[]
    }
    const page = await server.call(new URL(invoiceUrls[0] ?? '').pathname)
    expect([page.status, page.text.includes('As read')]).toEqual([200, true])
  })

  it('for an invoice of a company whose plan has no API, that has no key, that allows one address', async () => {
    await pool.query(
      `INSERT INTO companies (id, name, plan, currency, allowed_ips)
      VALUES ('co_basic', 'Basic Co', 'BASIC', 'USD', '{192.0.2.1}')`,
    )
    await plantInvoice(pool, 'co_basic', 'inv_1')
    const answer = await open(seal({ companyId: 'co_basic', invoiceId: 'inv_1' }))
    expect([answer.status, words(answer.text).includes('Basic Co')]).toEqual([200, true])
  })

  it('a key, right or wrong, makes no difference', async () => {
    const token = await invoice()
    const { text } = await open(token)
    expect((await open(token, { 'x-api-key': KEY })).text).toBe(text)
    expect((await open(token, { 'x-api-key': 'key-nobody-has' })).text).toBe(text)
  })

  it('HEAD answers as GET; other methods are 405', async () => {
    const token = await invoice()
    const head = await server.call(`/i/${token}`, { method: 'HEAD' })
    expect([head.status, head.text, head.headers['cache-control']]).toEqual([200, '', 'no-store'])
    const posted = await server.call(`/i/${token}`, { method: 'POST' })
    expect([posted.status, posted.headers['allow']]).toEqual([405, 'GET, HEAD'])
  })

  it('query parameters are ignored', async () => {
    const token = await invoice()
    expect((await server.call(`/i/${token}?utm_source=mail&x=%ff`)).text).toBe((await open(token)).text)
  })

  it('shows what is stored now, not at the time of the link', async () => {
    const token = await invoice({ invoice_number: 'Changing' })
    expect(words((await open(token)).text)).toContain('Amount due $100.00')
    await pool.query(`UPDATE invoices SET amount_paid_cents = 4000 WHERE invoice_number = 'Changing'`)
    expect(words((await open(token)).text)).toContain('Amount due $60.00')
  })
})

describe('L9, O15: every status, marked', () => {
  it.each<[status: string, row: Row, shown: RegExp[], hidden: RegExp[]]>([
    ['Open', {}, [/Amount due \$100\.00/], [/Overdue/, /draft/, /void/i]],
    ['Open', { due_date: FUTURE }, [/Due December 31, 2999/], [/Was due/]],
    ['Partially paid', { amount_paid_cents: 2_500 }, [/Paid \$25\.00/, /Amount due \$75\.00/], []],
    ['Overdue', { due_date: PAST }, [/Was due January 1, 2020/], []],
    ['Overdue', { due_date: PAST, amount_paid_cents: 9_999 }, [/Amount due \$0\.01/], [/Partially/]],
    ['Paid', { amount_paid_cents: 10_000, due_date: PAST }, [/Amount due \$0\.00/], [/Was due/, /Overdue/]],
    ['Paid', { amount_paid_cents: 12_000 }, [/Paid \$120\.00/, /Amount due \$0\.00/], [/-/]],
    ['Draft', { issued_at: null }, [/This is a draft/, /may still change/], [/Issued/]],
    ['Draft', { issued_at: null, due_date: PAST }, [/This is a draft/], [/Was due/, /Overdue/]],
    [
      'Void',
      { voided_at: PAST },
      [/has been voided/, /Voided January 1, 2020/, /Amount due \$0\.00/],
      [/Was due/],
    ],
    ['Void', { voided_at: FUTURE, issued_at: null }, [/has been voided/], [/draft/i]],
  ])('%s: %j', async (status, row, shown, hidden) => {
    const html = await render({ ...row, invoice_number: 'N1' })
    expect(html).toContain(`<p class="status">${status}</p>`)
    for (const pattern of shown) expect(words(html)).toMatch(pattern)
    for (const pattern of hidden) expect(words(html)).not.toMatch(pattern)
  })

  it('is the status of the invoice summary', async () => {
    const rows: Row[] = [
      {},
      { due_date: PAST },
      { amount_paid_cents: 5 },
      { issued_at: null },
      { voided_at: PAST },
    ]
    for (const row of rows) await invoice({ ...row, booking_id: 'book_status' })
    await plant(pool, 'quotes', 'co_1', 'quote_status', { booking_id: 'book_status' })
    const answer = await server.get('/api/quotes/quote_status?expand[]=booking.invoices', KEY)
    const { booking } = answer.body as { booking: { invoices: { status: string; url: string }[] } }
    expect(booking.invoices.map(({ status }) => status)).toEqual([
      'Open',
      'Overdue',
      'PartiallyPaid',
      'Draft',
      'Void',
    ])
    for (const { status, url } of booking.invoices) {
      const page = await server.call(new URL(url).pathname)
      const [, shown = ''] = /<p class="status">([^<]*)</.exec(page.text) ?? []
      expect(shown.toLowerCase().replaceAll(' ', '')).toBe(status.toLowerCase())
    }
  })
})

describe('L9: a token that was not given out is 404 with a friendly page', () => {
  it('changed, truncated or extended, at every place', async () => {
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

  it('all of them get the same page', async () => {
    const pages = await Promise.all(
      ['x', 'x'.repeat(4000), (await invoice()).slice(1)].map((token) => open(token)),
    )
    expect(new Set(pages.map(({ text }) => text)).size).toBe(1)
  })

  it('of another secret', async () => {
    const ref = { companyId: 'co_1', invoiceId: `inv_${lastId}` }
    expect((await open(seal(ref))).status).toBe(200)
    expectNotFound(await open(createInvoiceTokens('another secret').seal(ref)))
  })

  it('of an invoice that is not there, or no longer', async () => {
    expectNotFound(await open(seal({ companyId: 'co_1', invoiceId: 'inv_never' })))
    expectNotFound(await open(seal({ companyId: 'co_2', invoiceId: 'inv_1' })))
    expectNotFound(await open(seal({ companyId: 'co_none', invoiceId: 'inv_1' })))
    const token = await invoice({ invoice_number: 'Deleted' })
    expect((await open(token)).status).toBe(200)
    await pool.query(`DELETE FROM invoices WHERE invoice_number = 'Deleted'`)
    expectNotFound(await open(token))
  })

  it('plain ids', async () => {
    for (const id of ['inv_1', 'co_1,inv_1', Buffer.from('["co_1","inv_1"]').toString('base64url')]) {
      expectNotFound(await open(id))
    }
  })

  it('a link that ends before the token', async () => {
    expectNotFound(await server.call('/i/'))
    expect((await server.call('/i')).status).toBe(404)
  })
})

describe('L9: APP_SECRET can be replaced', () => {
  it('with APP_SECRET_PREVIOUS old links live on, and new ones are of the new secret', async () => {
    const token = await invoice({ booking_id: 'book_replaced', invoice_number: 'Replaced' })
    const start = (settings: Record<string, string>) =>
      startCommand(['serve'], {
        DATABASE_URL: connectionUrl(connection),
        PORT: '0',
        LOG_LEVEL: 'error',
        ...settings,
      })
    const urlOf = async (command: ReturnType<typeof start>) =>
      (await command.waitFor(/API at (http:\/\/\S+)\/api/))[1] ?? ''
    const [both, onlyNew] = [
      start({ APP_SECRET: 'a new secret of forty or so characters', APP_SECRET_PREVIOUS: SECRET }),
      start({ APP_SECRET: 'a new secret of forty or so characters' }),
    ]
    const [bothUrl, onlyNewUrl] = [await urlOf(both), await urlOf(onlyNew)]
    expect((await fetch(`${bothUrl}/i/${token}`)).status).toBe(200)
    expect((await fetch(`${onlyNewUrl}/i/${token}`)).status).toBe(404)
    const read = await fetch(`${bothUrl}/api/invoice/book_replaced`, { headers: { 'x-api-key': KEY } })
    const { invoiceUrls } = (await read.json()) as { invoiceUrls: string[] }
    expect(invoiceUrls[0]).toMatch(new RegExp(`^${bothUrl}/i/[\\w-]+$`))
    expect(invoiceUrls[0]).not.toContain(token)
    for (const url of [bothUrl, onlyNewUrl]) {
      const page = await fetch((invoiceUrls[0] ?? '').replace(bothUrl, url))
      expect([page.status, (await page.text()).includes('Replaced')]).toEqual([200, true])
    }
    // A key pair of the old secret does not open links of the new one.
    expectNotFound(await open((invoiceUrls[0] ?? '').replace(`${bothUrl}/i/`, '')))
  })
})

describe('L9: what the page shows', () => {
  it('company, number, who it is for, dates, order number, description, lines, totals, notes', async () => {
    await plant(pool, 'bookings', 'co_1', 'book_full', { entity_to_invoice: 'Delacroix & Sons' })
    const html = await render({
      booking_id: 'book_full',
      invoice_number: 'HE-17',
      description: 'Wedding on the pier',
      notes: 'First line\nSecond line',
      po_number: 'PO-5',
      total_cents: 123_456,
      amount_paid_cents: 23_456,
      issued_at: '2026-05-20T23:59:59.999Z',
      due_date: '2999-06-01T00:00:00Z',
      lines: [
        { description: 'Bar', quantity: 2.5, amountCents: 100_000 },
        { description: 'Travel', amountCents: 23_456 },
      ],
    })
    const text = words(html)
    for (const part of [
      'Company co_1 Invoice HE-17 Partially paid',
      'Amount due $1,000.00 Due June 1, 2999',
      'Bill to Delacroix & Sons',
      'Issued May 20, 2026',
      'Due June 1, 2999',
      'Purchase order PO-5',
      'Wedding on the pier',
      'Description Quantity Amount Bar 2.5 $1,000.00 Travel 1 $234.56',
      'Total $1,234.56 Paid $234.56 Amount due $1,000.00',
      'Notes First line Second line',
    ]) {
      expect(text).toContain(part)
    }
    expect(html).toContain('<title>Invoice HE-17 · Company co_1</title>')
    expect(html).toContain('First line\nSecond line')
  })

  it('what is not there, or blank, leaves nothing behind', async () => {
    for (const blank of [null, '', ' \n\t']) {
      const html = await render({ description: blank, notes: blank, po_number: blank, due_date: null })
      expect(html).not.toMatch(/Notes|Purchase order|Bill to|class="lines"|class="text"|Due /)
      expect(html).not.toMatch(/null|undefined|NaN|Invalid/)
    }
  })

  it.each<[why: string, booking: Row, lead: Row | null, shown: string | null]>([
    ['the entity of the booking', { entity_to_invoice: 'Entity', full_name: 'Name' }, null, 'Entity'],
    ['the name of the booking', { entity_to_invoice: ' ', full_name: ' Name ' }, null, 'Name'],
    ['the contact', { full_name: '' }, { first_name: 'Ada', last_name: 'Lind' }, 'Ada Lind'],
    ['the contact’s company', {}, { first_name: ' ', company_name: 'Lind AB' }, 'Lind AB'],
    ['nobody', {}, { email: 'x@example.com' }, null],
  ])('billed to %s', async (why, booking, lead, shown) => {
    if (lead !== null) await plant(pool, 'leads', 'co_1', `lead ${why}`, lead)
    await plant(pool, 'bookings', 'co_1', `book ${why}`, { lead_id: `lead ${why}`, ...booking })
    const text = words(await render({ booking_id: `book ${why}` }))
    expect(text).toContain(shown === null ? 'Amount due $100.00 Issued' : `Bill to ${shown} Issued`)
  })

  it('lines in their order, as many as there are', async () => {
    const lines = Array.from({ length: 500 }, (_, i) => ({ description: `Line ${i}.`, amountCents: i }))
    const found = words(await render({ lines })).match(/Line \d+\./g)
    expect(found).toEqual(lines.map(({ description }) => description))
  })

  it.each([
    ['USD', 0, '$0.00'],
    ['USD', 1, '$0.01'],
    ['USD', 99, '$0.99'],
    ['USD', 100_000_000_000, '$1,000,000,000.00'],
    ['USD', 99_999_999_999, '$999,999,999.99'],
    ['EUR', 123_456, '€1,234.56'],
    ['JPY', 1, '¥1'],
    ['JPY', 100_000_000_000, '¥100,000,000,000'],
    ['KWD', 1, 'KWD 0.001'],
    ['KWD', 1_234_567, 'KWD 1,234.567'],
    ['KWD', 99_999_999_999, 'KWD 99,999,999.999'],
    ['KWD', 100_000_000_000, 'KWD 100,000,000.000'],
    ['CLF', 12_345, 'CLF 1.2345'],
    // Two digits by the standard, whatever people use in daily life.
    ['HUF', 123_456, 'HUF 1,234.56'],
    ['IDR', 5, 'IDR 0.05'],
    ['ISK', 500, 'ISK 500'],
  ])('%s %i is %s, exact in every place', async (currency, cents, shown) => {
    const lines = [{ description: 'All', quantity: 1, amountCents: cents }]
    const text = words(await render({ currency, total_cents: cents, lines }))
    expect(text).toContain(`All 1 ${shown} Total ${shown}`)
    expect(text).toContain(`Amount due ${shown}`)
  })

  it.each([
    [0, '0'],
    [1, '1'],
    [0.0001, '0.0001'],
    [999_999.1234, '999,999.1234'],
    [1_000_000, '1,000,000'],
    ['2.5', '2.5'],
  ])('quantity %j is %s', async (quantity, shown) => {
    const lines = [{ description: 'All', quantity, amountCents: 1 }]
    expect(words(await render({ lines }))).toContain(`All ${shown} $0.01`)
  })
})

describe('L9: accept-language', () => {
  const row = { due_date: '2999-03-01T00:00:00Z', total_cents: 123_456_789, currency: 'EUR' }
  const withLanguage = (language: string, also: Row = {}) =>
    render({ ...row, ...also }, { 'accept-language': language })
  const langOf = (html: string) => /<html lang="([^"]*)">/.exec(html)?.[1]

  it.each([
    ['de', 'de', '1.234.567,89 €', '1. März 2999'],
    ['de-CH', 'de-CH', "EUR 1'234'567.89", '1. März 2999'],
    ['fr-FR,fr;q=0.9,en;q=0.8', 'fr-FR', '1 234 567,89 €', '1 mars 2999'],
    ['en-GB', 'en-GB', '€1,234,567.89', '1 March 2999'],
    ['ja', 'ja', '€1,234,567.89', '2999年3月1日'],
    ['en;q=0.1, de;q=0.9', 'de', '1.234.567,89 €', '1. März 2999'],
    ['xx-unknown, de;q=0.5', 'de', '1.234.567,89 €', '1. März 2999'],
    ['de;q=0, en', 'en', '€1,234,567.89', 'March 1, 2999'],
    ['DE', 'de', '1.234.567,89 €', '1. März 2999'],
  ])('%s: lang %s, %s, %s', async (language, lang, money, date) => {
    const html = await withLanguage(language)
    expect(langOf(html)).toBe(lang)
    expect(words(html).replaceAll('’', "'")).toContain(`Amount due ${money} Due ${date}`)
  })

  it('without one, or with none that is known, it is English', async () => {
    for (const headers of [{}, { 'accept-language': 'tlh' }, { 'accept-language': '*' }]) {
      const html = await render(row, headers)
      expect(langOf(html)).toBe('en')
      expect(words(html)).toContain('€1,234,567.89')
    }
  })

  it('the year is the same in every language', async () => {
    for (const language of ['th', 'th-TH', 'fa', 'ar-SA', 'ja', 'zh-TW', 'he', 'am']) {
      const text = words(await withLanguage(language)).normalize('NFKC')
      expect(text, language).toMatch(/2999|۲۹۹۹|٢٩٩٩/)
    }
  })

  it('amounts are exact in every language', async () => {
    for (const language of ['de', 'hi', 'gsw', 'pl', 'sv', 'pt-BR', 'es', 'tr', 'en-IN']) {
      const html = await withLanguage(language, { total_cents: 99_999_999_999 })
      const [, figure = ''] = /<p class="figure[^"]*">([^<]*)</.exec(html) ?? []
      expect(figure.replaceAll('&#39;', '').replaceAll(/\D/g, ''), language).toBe('99999999999')
    }
  })

  it.each([
    ['"><script>alert(1)</script>'],
    ['en"><img src=x onerror=alert(1)>'],
    ["en' onload='alert(1)"],
    ['en-US-u-ca-buddhist-nu-thai'],
    ['en-u-nu-hanidec'],
    ['de-de-de'],
    ['en-x-private'],
    ['i-klingon'],
    ['root'],
    ['und'],
    ['c'],
    ['en_US'],
    ['en-US;q=abc'],
    ['en;q=NaN,de;q=Infinity'],
    ['en;q=1e999'],
    [';;;;,,,,;q=;'],
    [',,,'],
    [';q=1'],
    ['\u00e4\u00f6\u00fc'],
    ['en,'.repeat(3000)],
    ['a'.repeat(12_000)],
    ['a-'.repeat(5000)],
    ['x;q=0.'.repeat(1500)],
    ['__proto__'],
    ['constructor,toString'],
  ])('a hostile one does no harm: %#', async (language) => {
    const html = await withLanguage(language)
    expect(langOf(html)).toMatch(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/)
    expect(html).not.toMatch(/<script|<img|onload|alert/)
    expect(html).toMatch(/2999|۲۹۹۹/)
  })
})

describe('L9: everything is escaped', () => {
  const evil = `<script>alert("1")</script><img src=x onerror='alert(2)'>&lt;&amp;</title></style>`
  const escaped =
    '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&lt;img src=x onerror=&#39;alert(2)&#39;&gt;&amp;lt;&amp;amp;&lt;/title&gt;&lt;/style&gt;'

  it('in every text, and in the title', async () => {
    await pool.query(
      `INSERT INTO companies (id, name, plan, currency) VALUES ('co_evil', $1, 'BASIC', 'USD')`,
      [`company${evil}`],
    )
    await plant(pool, 'bookings', 'co_evil', 'book_1', { entity_to_invoice: `entity${evil}` })
    await plantInvoice(pool, 'co_evil', 'inv', {
      invoice_number: `number${evil}`,
      description: `description${evil}`,
      notes: `notes${evil}`,
      po_number: `po${evil}`,
      lines: [{ description: `line${evil}`, quantity: 1, amountCents: 1 }],
    })
    const { text } = await open(seal({ companyId: 'co_evil', invoiceId: 'inv' }))
    for (const part of ['company', 'entity', 'number', 'description', 'notes', 'po', 'line']) {
      expect(text).toContain(`${part}${escaped}`)
    }
    expect(text).toContain(`<title>Invoice number${escaped} · company${escaped}</title>`)
    expect(text).not.toContain(evil)
    const tags = [...text.matchAll(/<([a-z0-9]+)/gi)].map(([, tag]) => tag)
    for (const tag of ['script', 'img', 'svg', 'iframe', 'link', 'base', 'form', 'a'])
      expect(tags).not.toContain(tag)
    expect(text.match(/<style>/g)).toHaveLength(1)
    expect(text.match(/<title>/g)).toHaveLength(1)
  })

  it('attributes hold only what we wrote', async () => {
    const html = await render({
      description: '" onmouseover="alert(1)',
      lines: [{ description: "' x='", amountCents: 1 }],
    })
    const attributes = [...html.replace(/<style>.*<\/style>/s, '').matchAll(/<[a-z0-9]+((?:\s[^>]*)?)>/gi)]
    for (const [, list = ''] of attributes) {
      expect(list).toMatch(/^(\s(lang|charset|name|content|class|scope)="[\w\s,.=/-]*")*$/)
    }
  })

  it('there is no script, no style attribute, no handler, no link, and only our own fonts load', async () => {
    for (const html of [await render({ notes: 'x' }), (await open('nonsense')).text]) {
      expect(html.replaceAll(/url\(\/fonts\/[a-z-]+-[0-9a-f]{12}\.woff2\)/g, '')).not.toMatch(
        /<script|javascript:|\son\w+=|\sstyle=|\ssrc=|\shref=|https?:\/\/|url\(|@import/i,
      )
    }
  })
})

describe('L9: headers', () => {
  it.each<[what: string, status: number, token: () => Promise<string>]>([
    ['an invoice', 200, () => invoice()],
    ['no invoice', 404, async () => 'nonsense'],
    ['a link with more behind it', 404, async () => `${await invoice()}/x`],
  ])('of %s', async (_what, status, token) => {
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

  it('the token is not in the log', async () => {
    const token = await invoice()
    await open(token)
    expect(JSON.stringify(server.log)).not.toContain(token.slice(0, 20))
  })

  it('when the store is away a person gets a page, too, without a detail of it', async () => {
    const data = openPool(onDatabase(connection, 'no_such_database'), 'data', () => undefined)
    const broken = await startServer(connection, { data, appSecrets: [SECRET] })
    const answer = await openAt(broken, await invoice())
    expect(answer.status).toBe(500)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(words(answer.text)).toContain('not available right now')
    expect(answer.text).not.toMatch(/no_such_database|FATAL|postgres/i)
    expect(
      broken.log.some(({ msg, level }) => msg === 'request failed' && (level === 'error' || level === 50)),
    ).toBe(true)
    // What needs no store is answered as ever.
    expectNotFound(await openAt(broken, 'nonsense'))
    await data.end()
  })
})
