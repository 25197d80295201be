import { describe, expect, it } from 'vitest'
import { plantInvoice } from './support/older.ts'
import { KEY, plant } from './support/quotes.ts'
import type { Row } from './support/quotes.ts'
import { createInvoicePages, seal, pageText } from './support/invoice-page.ts'

const { pool, server, invoice, open } = await createInvoicePages()

const PAST = '2020-01-01T00:00:00Z'
const FUTURE = '2999-12-31T00:00:00Z'

async function render(row: Row, headers: Record<string, string> = {}): Promise<string> {
  const { status, text } = await open(await invoice(row), headers)
  expect(status).toBe(200)
  return text
}

describe('L9, O15: the status of an invoice', () => {
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
  ])('is %s for %j', async (status, row, shown, hidden) => {
    const html = await render({ ...row, invoice_number: 'N1' })
    expect(html).toContain(`<p class="status">${status}</p>`)
    for (const pattern of shown) expect(pageText(html)).toMatch(pattern)
    for (const pattern of hidden) expect(pageText(html)).not.toMatch(pattern)
  })

  it('is the same as in the invoice summary', async () => {
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

describe('L9: the invoice page', () => {
  it('shows company, number, customer, dates, order number, description, lines, totals and notes', async () => {
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
    const text = pageText(html)
    for (const part of [
      'Company co_1 Partially paid Invoice HE-17',
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

  it('omits absent and blank fields', async () => {
    for (const blank of [null, '', ' \n\t']) {
      const html = await render({ description: blank, notes: blank, po_number: blank, due_date: null })
      expect(html).not.toMatch(/Notes|Purchase order|Bill to|class="lines"|class="text"|Due /)
      expect(html).not.toMatch(/null|undefined|NaN|Invalid/)
    }
  })

  it.each<[name: string, booking: Row, lead: Row | null, shown: string | null]>([
    [
      'the invoiced entity of the booking',
      { entity_to_invoice: 'Entity', full_name: 'Name' },
      null,
      'Entity',
    ],
    ['the name of the booking', { entity_to_invoice: ' ', full_name: ' Name ' }, null, 'Name'],
    ['the contact', { full_name: '' }, { first_name: 'Ada', last_name: 'Lind' }, 'Ada Lind'],
    ['the contact’s company', {}, { first_name: ' ', company_name: 'Lind AB' }, 'Lind AB'],
    ['no name', {}, { email: 'x@example.com' }, null],
  ])('is billed to %s', async (name, booking, lead, shown) => {
    if (lead !== null) await plant(pool, 'leads', 'co_1', `lead ${name}`, lead)
    await plant(pool, 'bookings', 'co_1', `book ${name}`, { lead_id: `lead ${name}`, ...booking })
    const text = pageText(await render({ booking_id: `book ${name}` }))
    expect(text).toContain(shown === null ? 'Amount due $100.00 Issued' : `Bill to ${shown} Issued`)
  })

  it('shows 500 lines in order', async () => {
    const lines = Array.from({ length: 500 }, (_, i) => ({ description: `Line ${i}.`, amountCents: i }))
    const found = pageText(await render({ lines })).match(/Line \d+\./g)
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
    // ISO 4217 defines two digits, although they are not in daily use.
    ['HUF', 123_456, 'HUF 1,234.56'],
    ['IDR', 5, 'IDR 0.05'],
    ['ISK', 500, 'ISK 500'],
  ])('shows %s %i as %s', async (currency, cents, shown) => {
    const lines = [{ description: 'All', quantity: 1, amountCents: cents }]
    const text = pageText(await render({ currency, total_cents: cents, lines }))
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
  ])('shows the quantity %j as %s', async (quantity, shown) => {
    const lines = [{ description: 'All', quantity, amountCents: 1 }]
    expect(pageText(await render({ lines }))).toContain(`All ${shown} $0.01`)
  })
})

describe('L9: accept-language', () => {
  const row = { due_date: '2999-03-01T00:00:00Z', total_cents: 123_456_789, currency: 'EUR' }
  const withLanguage = (language: string, columns: Row = {}) =>
    render({ ...row, ...columns }, { 'accept-language': language })
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
  ])('%s selects lang %s, %s and %s', async (language, lang, money, date) => {
    const html = await withLanguage(language)
    expect(langOf(html)).toBe(lang)
    expect(pageText(html).replaceAll('’', "'")).toContain(`Amount due ${money} Due ${date}`)
  })

  it('selects English if it is missing or unknown', async () => {
    for (const headers of [{}, { 'accept-language': 'tlh' }, { 'accept-language': '*' }]) {
      const html = await render(row, headers)
      expect(langOf(html)).toBe('en')
      expect(pageText(html)).toContain('€1,234,567.89')
    }
  })

  it('does not change the year', async () => {
    for (const language of ['th', 'th-TH', 'fa', 'ar-SA', 'ja', 'zh-TW', 'he', 'am']) {
      const text = pageText(await withLanguage(language)).normalize('NFKC')
      expect(text, language).toMatch(/2999|۲۹۹۹|٢٩٩٩/)
    }
  })

  it('does not round amounts', async () => {
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
  ])('has a safe result for hostile value %#', async (language) => {
    const html = await withLanguage(language)
    expect(langOf(html)).toMatch(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/)
    expect(html).not.toMatch(/<script|<img|onload|alert/)
    expect(html).toMatch(/2999|۲۹۹۹/)
  })
})

describe('L9: escaping', () => {
  const evil = `<script>alert("1")</script><img src=x onerror='alert(2)'>&lt;&amp;</title></style>`
  const escaped =
    '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&lt;img src=x onerror=&#39;alert(2)&#39;&gt;&amp;lt;&amp;amp;&lt;/title&gt;&lt;/style&gt;'

  it('covers every text and the title', async () => {
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
    for (const tag of ['script', 'img', 'svg', 'iframe', 'link', 'base', 'form'])
      expect(tags).not.toContain(tag)
    expect(tags.filter((tag) => tag === 'a')).toHaveLength(1)
    expect(text.match(/<style>/g)).toHaveLength(1)
    expect(text.match(/<title>/g)).toHaveLength(1)
  })

  it('leaves only attributes of the template', async () => {
    const html = await render({
      description: '" onmouseover="alert(1)',
      lines: [{ description: "' x='", amountCents: 1 }],
    })
    const attributes = [...html.replace(/<style>.*<\/style>/s, '').matchAll(/<[a-z0-9]+((?:\s[^>]*)?)>/gi)]
    for (const [, list = ''] of attributes) {
      expect(list).toMatch(/^(\s(lang|charset|name|content|class|scope|href)="[\w\s,.=/-]*")*$/)
    }
  })

  it('leaves no scripts, style attributes, handlers or links except PDF and fonts', async () => {
    for (const html of [await render({ notes: 'x' }), (await open('nonsense')).text]) {
      const rest = html
        .replaceAll(/url\(\/fonts\/[a-z-]+-[0-9a-f]{12}\.woff2\)/g, '')
        .replace(/<a href="\/i\/[\w-]+\/pdf">/, '')
      expect(rest).not.toMatch(
        /<script|javascript:|\son\w+=|\sstyle=|\ssrc=|\shref=|https?:\/\/|url\(|@import/i,
      )
    }
  })
})
