import type { Browser, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { createInvoiceTokens } from '../src/core/security/invoice-token.ts'
import { createOlderApi, plantInvoice } from '../test/support/older.ts'
import { plant } from '../test/support/quotes.ts'
import type { Row } from '../test/support/quotes.ts'
import { startBrowser } from './browser.ts'

const SECRET = 'a secret for tests'
const { pool, server } = await createOlderApi({ appSecrets: [SECRET] })
const { seal } = createInvoiceTokens(SECRET)
const browser: Browser = await startBrowser()
const ORIGIN = `http://127.0.0.1:${server.port}`

const WIDTHS = [360, 768, 1280]
const LOREM = 'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor. '

/** A character with enough marks to be wider than any line. */
const UNBREAKABLE = 'combining marks'

/** Each runs `hacked` if it is treated as markup, or breaks the layout. */
const HOSTILE: Record<string, string> = {
  'a script': '<script>hacked()</script>',
  'a script in capitals': '<SCRIPT>hacked()</SCRIPT>',
  'a script that closes everything': '</title></style></textarea></script><script>hacked()</script>',
  'a script from elsewhere': '<script src="https://evil.example/x.js"></script>',
  'an image handler': '<img src=x onerror=hacked()>',
  'an image from elsewhere': '<img src="https://evil.example/x.png">',
  'an svg': '<svg onload=hacked()>',
  'an svg with a script': '<svg><script>hacked()</script></svg>',
  'an animated svg': '<svg><animate onbegin=hacked() attributeName=x dur=1s>',
  'a body handler': '<body onload=hacked()>',
  'an input with focus': '<input onfocus=hacked() autofocus>',
  'a details handler': '<details open ontoggle=hacked()>',
  'a video': '<video><source onerror=hacked()></video>',
  'a frame': '<iframe srcdoc="<script>parent.hacked()</script>"></iframe>',
  'a frame of javascript': '<iframe src="javascript:parent.hacked()"></iframe>',
  'an object': '<object data="data:text/html,<script>hacked()</script>"></object>',
  'a link': '<a href="javascript:hacked()" style="position:fixed;inset:0">x</a>',
  'a base': '<base href="https://evil.example/">',
  'a refresh': '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
  'a style sheet': '<link rel=stylesheet href="https://evil.example/x.css">',
  'a style': '<style>*{display:none!important}</style>',
  'a style attribute': '<p style="width:9999px;height:9999px;position:fixed;inset:0">x</p>',
  'a form': '<form action="https://evil.example/"><button>Pay here</button></form>',
  'a comment left open': '<!--',
  'a CDATA section': '<![CDATA[<script>hacked()</script>]]>',
  'plain text for ever': '<plaintext>',
  'double quotes': '" onmouseover="hacked()" x="',
  'single quotes': "' onmouseover='hacked()' x='",
  'back quotes and templates': '`${hacked()}` {{hacked()}} <%= hacked() %>',
  entities: '&lt;script&gt;hacked()&lt;/script&gt; &#60;script&#62; &amp; &nbsp; &bogus;',
  'an entity cut off': '&#x3C',
  'a URL': 'javascript:hacked()//https://evil.example/?x=%3Cscript%3E',
  'UTF-7': '+ADw-script+AD4-hacked()+ADw-/script+AD4-',
  'a table end': '</td></tr></table></main></body></html><h1>After the end</h1>',
  'right-to-left override': '\u202Eevitirw siht\u202C and \u202Eleft open',
  'isolates left open': '\u2066\u2067\u2068\u202A\u202B left open',
  'right-to-left text': 'شركة المناسبات الكبرى ליד הים 123',
  'right-to-left marks': `${'\u200F'.repeat(50)}marks${'\u200E'.repeat(50)}`,
  'zero-width characters': 'zero\u200Bwidth\u200C\u200D\u2060\uFEFFcharacters'.repeat(20),
  'only zero-width characters': '\u200B\u2060',
  emoji: '👩‍👩‍👧‍👦🏳️‍🌈🇫🇷'.repeat(60),
  [UNBREAKABLE]: `Z${'\u0301\u0316\u0303\u0310\u0489'.repeat(60)}algo`,
  'wide letters': '𒐫﷽꧅'.repeat(40),
  'full-width letters': 'ＷＷＷＷ'.repeat(100),
  'line breaks': 'one\n\n\ntwo\r\nthree\rfour\u2028five\u2029six\u0085seven',
  'tabs and blanks': `a${'\t'.repeat(200)}b${' '.repeat(200)}c`,
  'no-break spaces': 'no\u00a0break\u202f'.repeat(100),
  'no-break hyphens': 'no\u2011break'.repeat(100),
  'soft hyphens': 'soft\u00adhyphen'.repeat(100),
  'control characters': 'bell\u0007escape\u001b[31mdelete\u007f\u0001\u009b',
  'non-characters': '\uFFFE\uFFFF\u{1FFFF}\uE000',
  '10,000 characters without a blank': 'W'.repeat(10_000),
  '10,000 characters with blanks': `${LOREM.repeat(125).slice(0, 9_999)}x`,
  'a long number': '9'.repeat(400),
  'a long path': '/a/very/long/path'.repeat(60),
}

let last = 0
/** Creates a company with an invoice, and returns the URL of its page. */
async function createInvoice(
  texts: { company?: string; number?: string; billTo?: string },
  row: Row = {},
): Promise<string> {
  const companyId = `co_e2e_${++last}`
  await pool.query(`INSERT INTO companies (id, name, plan, currency) VALUES ($1, $2, 'BASIC', 'USD')`, [
    companyId,
    texts.company ?? 'Harborlight Events',
  ])
  await plant(pool, 'bookings', companyId, 'book_1', {
    entity_to_invoice: texts.billTo ?? 'Marguerite Delacroix',
  })
  await plantInvoice(pool, companyId, 'inv_1', {
    invoice_number: texts.number ?? 'HE-2026-0017',
    issued_at: '2026-05-20T09:00:00Z',
    due_date: '2999-06-30T00:00:00Z',
    total_cents: 1_284_550,
    ...row,
  })
  return `${ORIGIN}/i/${seal({ companyId, invoiceId: 'inv_1' })}`
}

interface Watched {
  page: Page
  /** Dialogs, console messages and errors. */
  events: string[]
  /** Requests except for our font. */
  requests: string[]
  /** Forgets events and requests, and opens the URL. */
  open: (url: string) => Promise<number | undefined>
}

/** A page with all its events and requests. */
async function watchedPage(): Promise<Watched> {
  const page = await browser.newPage()
  const events: string[] = []
  const requests: string[] = []
  await page.exposeFunction('hacked', () => void events.push('hacked'))
  page.on('dialog', (dialog) => {
    events.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => void events.push(`console ${message.text()}`))
  page.on('pageerror', (error) => void events.push(`error ${error.message}`))
  page.on('popup', () => void events.push('popup'))
  page.on('request', (request) => {
    if (!request.url().startsWith(`${ORIGIN}/fonts/inter-`)) requests.push(request.url())
  })
  const open = async (url: string) => {
    events.length = 0
    requests.length = 0
    return (await page.goto(url))?.status()
  }
  return { page, events, requests, open }
}

interface Layout {
  overflow: number
  /** Amounts that are cut off, covered, on two lines or missing. */
  broken: string[]
  /** Lines whose amount or quantity overlaps their description. */
  overlaps: number
  /** Texts that are cut off horizontally. */
  cut: number
}

/** Runs in the page. */
const MEASURE = `(() => {
  const boxes = (element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    return [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0)
  }
  const broken = []
  const amounts = [...document.querySelectorAll('.figure, .number:not(th, :empty), .totals td')]
  for (const element of amounts) {
    scrollBy(0, (boxes(element)[0]?.top ?? 0) - innerHeight / 2)
    const all = boxes(element)
    const lines = new Set(all.map(({ top }) => Math.round(top)))
    const inside = all.every(({ left, right }) => left >= 0 && right <= innerWidth)
    const [{ left, top, width, height } = {}] = all
    const hit = all.length > 0 && document.elementFromPoint(left + width / 2, top + height / 2)
    if (lines.size !== 1 || !inside || hit !== element) broken.push(element.textContent)
  }
  const meet = (a, b) =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1
  let overlaps = 0
  for (const row of document.querySelectorAll('.lines tbody tr')) {
    const [description, ...numbers] = row.cells
    // Overflow of a cell is not painted.
    const edge = description.getBoundingClientRect().right
    const parts = boxes(description).filter(({ left }) => left < edge)
    const shown = parts.map(({ left, right, top, bottom }) => ({ left, right: Math.min(right, edge), top, bottom }))
    if (numbers.flatMap(boxes).some((number) => shown.some((part) => meet(number, part)))) overlaps++
  }
  const cut = [...document.querySelectorAll('.seller-name, .address, h1, dd, .text, td')].filter((element) => {
    const { left, right } = element.getBoundingClientRect()
    return boxes(element).some((part) => part.left < left - 2 || part.right > right + 2)
  })
  return {
    overflow: document.documentElement.scrollWidth - innerWidth,
    broken,
    overlaps,
    cut: cut.length,
  }
})()`

const measure = (page: Page) => page.evaluate<Layout>(MEASURE)
const textsOf = (page: Page, selectors: string[]) =>
  page.evaluate<string[]>(
    `${JSON.stringify(selectors)}.map((selector) => document.querySelector(selector)?.textContent)`,
  )

async function expectGoodLayout(page: Page, why: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    const { overflow, cut, ...layout } = await measure(page)
    expect(
      { ...layout, overflow: Math.max(0, overflow), cut: why === UNBREAKABLE ? 0 : cut },
      `${why} at ${width} px`,
    ).toEqual({ overflow: 0, broken: [], overlaps: 0, cut: 0 })
  }
}

const isPdf = (bytes: Buffer) => bytes.length > 5_000 && bytes.subarray(0, 5).toString() === '%PDF-'
const pagesOf = (bytes: Buffer) => bytes.toString('latin1').match(/\/Type \/Page\b(?!s)/g)?.length ?? 0

describe('L9: in a browser, texts of any kind', async () => {
  const { page, events, requests, open } = await watchedPage()

  it('are at least thirty', () => {
    expect(Object.keys(HOSTILE).length).toBeGreaterThanOrEqual(30)
  })

  it.each(Object.entries(HOSTILE))('%s: no script runs and no layout breaks', async (why, text) => {
    const url = await createInvoice(
      { company: text, number: text, billTo: text },
      {
        description: text,
        notes: text,
        po_number: text,
        lines: [
          { description: text, quantity: 2, unitPriceCents: 320_000, amountCents: 640_000 },
          { description: 'An ordinary line', amountCents: 644_550 },
          { description: text, quantity: 999_999.1234, amountCents: 100_000_000_000 },
        ],
      },
    )
    expect(await open(url)).toBe(200)
    await expectGoodLayout(page, why)
    // Some payloads run on interaction.
    await page.mouse.move(200, 200)
    await page.keyboard.press('Tab')

    // The page shows the whole text. HTML has only one kind of line break.
    const shown = text.replaceAll(/\r\n?/g, '\n')
    const places = ['.seller-name', 'h1 bdi', 'dd', '.text', '.lines tbody td', '.notes .text']
    const texts = await textsOf(page, places)
    expect(places.filter((_, i) => texts[i] !== shown)).toEqual([])
    expect(events).toEqual([])
    expect(requests).toEqual([url])
    const pdf = await fetch(`${url}/pdf`)
    expect([pdf.status, isPdf(Buffer.from(await pdf.arrayBuffer()))]).toEqual([200, true])
  })
})

describe('L9: in a browser, amounts of any size', async () => {
  const { page, events, open } = await watchedPage()

  it.each([
    ['en-US', 'USD'],
    ['en-US', 'KWD'],
    ['en-US', 'UGX'],
    ['en-US', 'CLF'],
    ['ja-JP', 'JPY'],
    ['de-CH', 'CHF'],
    ['fr-FR', 'XPF'],
    ['ar-EG', 'KWD'],
    ['fa-IR', 'IRR'],
    ['hi-IN', 'INR'],
    ['he-IL', 'ILS'],
    ['my', 'MMK'],
  ])('%s, %s: the largest amounts fit on one line, also on a phone', async (locale, currency) => {
    const greatest = { currency, total_cents: 100_000_000_000, amount_paid_cents: 1 }
    const lines = [
      {
        description: LOREM.repeat(3),
        quantity: 999_999.9999,
        unitPriceCents: 99_999_999_999,
        amountCents: 99_999_999_999,
      },
      { description: 'x', quantity: 1, amountCents: 1 },
    ]
    const url = await createInvoice({}, { ...greatest, lines })
    await page.setExtraHTTPHeaders({ 'accept-language': locale })
    await open(url)
    expect(await page.evaluate<string>('document.documentElement.lang')).toBe(locale)
    await expectGoodLayout(page, `${locale} ${currency}`)
    expect(events).toEqual([])
  })
})

describe('L9: in a browser, every status', async () => {
  const { page, events, open } = await watchedPage()

  it.each<[mark: string, row: Row, note: RegExp]>([
    ['Open', {}, /^$/],
    ['Partially paid', { amount_paid_cents: 500_000 }, /^$/],
    ['Overdue', { due_date: '2020-01-01T00:00:00Z' }, /^$/],
    ['Paid', { amount_paid_cents: 1_284_550 }, /^$/],
    ['Draft', { issued_at: null }, /draft/],
    ['Void', { voided_at: '2026-06-01T00:00:00Z' }, /voided/],
  ])('%s is marked, on a screen and on paper', async (mark, row, note) => {
    const lines = [{ description: 'Everything', amountCents: 1_284_550 }]
    await open(await createInvoice({}, { lines, ...row }))
    for (const media of ['screen', 'print'] as const) {
      await page.emulateMedia({ media })
      expect(await page.locator('.status').innerText()).toBe(mark)
      expect(await page.locator('.status').isVisible()).toBe(true)
      expect((await page.locator('.note').allInnerTexts()).join()).toMatch(note)
    }
    const struck = await page.evaluate<string>(
      `getComputedStyle(document.querySelector('.figure')).textDecorationLine`,
    )
    expect(struck).toBe(mark === 'Void' ? 'line-through' : 'none')
    await page.emulateMedia({ media: 'screen' })
    await expectGoodLayout(page, mark)
    expect(events).toEqual([])
  })
})

describe('L9: in a browser, paper', async () => {
  const { page, events, open } = await watchedPage()

  it('fits an ordinary invoice on one page, and repeats the head of a long one', async () => {
    const lines = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ description: `Line ${i}: ${LOREM}`, amountCents: i }))
    await open(await createInvoice({}, { lines: lines(5), notes: 'Thank you.' }))
    const short = await page.pdf({ format: 'A4' })
    expect([isPdf(short), pagesOf(short)]).toEqual([true, 1])
    await open(await createInvoice({}, { lines: lines(120) }))
    const long = await page.pdf({ format: 'A4' })
    expect(isPdf(long)).toBe(true)
    expect(pagesOf(long)).toBeGreaterThan(3)
    await page.emulateMedia({ media: 'print' })
    const style = (selector: string, name: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}'))['${name}']`)
    expect(await style('.lines thead', 'display')).toBe('table-header-group')
    expect(await style('.lines tbody tr', 'breakInside')).toBe('avoid')
    expect(await style('.sheet', 'boxShadow')).toBe('none')
    expect(events).toEqual([])
  })

  it.each(['a script', 'emoji', 'right-to-left override', '10,000 characters without a blank'])(
    'prints %s',
    async (why) => {
      const text = HOSTILE[why] ?? ''
      const lines = [{ description: text, amountCents: 5 }]
      await open(
        await createInvoice(
          { company: text, number: text, billTo: text },
          { lines, notes: text, po_number: text },
        ),
      )
      expect(isPdf(await page.pdf({ format: 'A4' }))).toBe(true)
      expect(events).toEqual([])
    },
  )
})

describe('L9: in a browser, no invoice', () => {
  it('shows a message at every width and on paper, and sends no request to other hosts', async () => {
    const { page, events, requests } = await watchedPage()
    // Chromium logs the 404.
    const expected = 'console Failed to load resource: the server responded with a status of 404 (Not Found)'
    const links = [
      'nonsense',
      `nonsense/${encodeURIComponent('<script>hacked()</script>')}`,
      'x'.repeat(8_000),
    ]
    for (const link of links) {
      const response = await page.goto(`${ORIGIN}/i/${link}`)
      expect(response?.status()).toBe(404)
      expect(await page.locator('h1').innerText()).toBe('Invoice not found')
      await expectGoodLayout(page, link)
    }
    expect(isPdf(await page.pdf())).toBe(true)
    expect(events.filter((event) => event !== expected)).toEqual([])
    expect(requests.every((url) => url.startsWith(`${ORIGIN}/i/`))).toBe(true)
  })
})
