/** The table of quotes with its URL, and the page of a quote, whose total is that of the API. */
import type { Page, Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { minorDigits } from '../src/core/pricing/currencies.ts'
import { plantUser } from '../test/support/console.ts'
import { quoteApi } from '../test/support/quotes.ts'
import type { QuoteObject } from '../test/support/quotes.ts'
import { insertCompany } from '../test/support/records.ts'
import { expectNoBarriers } from './barriers.ts'
import { TWO_LOOKS, startConsole } from './console.ts'
import { settle } from './console-pages.ts'

const app = await startConsole()
const { url, apiKey, server } = app
const api = quoteApi(server)

interface Quote extends QuoteObject {
  currency: { isoCode: string }
  lead: { name: string } | null
}

const newest: Quote[] = []
for (let after = ''; newest.length < 200; after = `&starting_after=${newest.at(-1)?.id}`)
  newest.push(...((await api.list(`limit=100&expand=data.lead${after}`, apiKey)).data as unknown as Quote[]))

/** A displayed amount in minor units. It must have the decimals of its currency. */
function parseFigure(text: string, currency: string): number {
  const [, sign, digits = ''] = /^(−?)[^\d−]*([\d.,\s\u00a0\u202f]*\d)[^\d]*$/.exec(text) ?? []
  const fraction = /[.,](\d+)$/.exec(digits)?.[1] ?? ''
  const isWhole = minorDigits(currency) === 0
  expect(isWhole ? 0 : fraction.length, text).toBe(minorDigits(currency))
  const cents = Number(digits.replaceAll(/\D/g, ''))
  return sign === '−' ? -cents : cents
}

async function eventually<Value>(read: () => Promise<Value>, value: Value): Promise<void> {
  await expect.poll(read).toEqual(value)
}

const textOf = async (page: Page, selector: string) => (await page.locator(selector).innerText()).trim()

/** Of a demo quote. */
const numberOf = (id: string) => `Q-${Number(id.slice('quote_'.length))}`

/** Opens a quote without a reload, as a link does. */
async function openQuote(page: Page, id: string): Promise<void> {
  const path = JSON.stringify(`/quotes/${encodeURIComponent(id)}`)
  await page.evaluate(`history.pushState(null, '', ${path}); dispatchEvent(new PopStateEvent('popstate'))`)
  await page.locator('.quote-id').getByText(numberOf(id), { exact: true }).waitFor()
  await page.locator('.receipt-total').waitFor()
}

describe('the page of a quote', () => {
  // Fifty of all ages, and some with missing references.
  const ids = [
    ...newest.filter((_, i) => i % 4 === 0).map(({ id }) => id),
    'quote_0257',
    'quote_0267',
    'quote_0275',
  ]

  it('shows the total of the API for fifty quotes, and its steps add up to it', async () => {
    const page = await app.open('/quotes')
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(String(error)))
    expect(new Set(ids).size).toBeGreaterThanOrEqual(50)
    const currencies = new Set<string>()
    for (const id of ids) {
      const { totalPriceCents, currency } = (await api.get(id, '', apiKey)) as Quote
      currencies.add(currency.isoCode)
      await openQuote(page, id)
      expect(parseFigure(await textOf(page, '.quote-total'), currency.isoCode), id).toBe(totalPriceCents)
      expect(parseFigure(await textOf(page, '.receipt-total td'), currency.isoCode), id).toBe(totalPriceCents)
      const steps = await page.locator('.receipt :is(.receipt-add, .receipt-subtract) td').allInnerTexts()
      const sum = steps.reduce((cents, text) => cents + parseFigure(text.trim(), currency.isoCode), 0)
      expect(sum, id).toBe(totalPriceCents)
    }
    expect(currencies.size).toBeGreaterThan(2)
    expect(problems).toEqual([])
  }, 180_000)

  it('shows totals in the user’s language', async () => {
    const page = await app.open('/quotes', { locale: 'de-DE' })
    for (const id of ids.slice(0, 5)) {
      const { totalPriceCents, currency } = (await api.get(id, '', apiKey)) as Quote
      await openQuote(page, id)
      const text = await textOf(page, '.quote-total')
      expect(parseFigure(text, currency.isoCode)).toBe(totalPriceCents)
      expect(text).toMatch(/\d[\u00a0 ]\S+$/)
    }
  })

  it('shows which lines and discounts do not count, and why', async () => {
    const page = await app.open('/quotes/quote_0275')
    await page.getByRole('heading', { name: 'Not counted' }).waitFor()
    await expect.poll(() => textOf(page, '.not-counted')).toContain('Its service no longer exists.')
    await expect.poll(() => page.locator('.quote-lines .is-not-counted').count()).toBe(1)
    await openQuote(page, 'quote_0267')
    await expect
      .poll(() => textOf(page, '.not-counted'))
      .toMatch(/Discount on the quote\s+It no longer exists\./)
  })

  it('distinguishes a missing tax rate from none', async () => {
    const { pool } = app.database
    const [gone, none] = newest.slice(-2).map(({ id }) => id)
    await pool.query(`UPDATE quotes SET tax_rate_id = 'gone' WHERE company_id = $1 AND id = $2`, [
      app.companyId,
      gone,
    ])
    await pool.query(`UPDATE quotes SET tax_rate_id = NULL WHERE company_id = $1 AND id = $2`, [
      app.companyId,
      none,
    ])
    const page = await app.open(`/quotes/${gone}`)
    await page.getByText('The tax rate no longer exists').waitFor()
    await expect.poll(() => textOf(page, '.not-counted')).toMatch(/Tax rate\s+It no longer exists\./)
    await page.goto(`${url}/quotes/${none}`)
    await page.getByText('No tax rate on this quote').waitFor()
  })

  it('moves the focus from the table to its heading', async () => {
    const page = await app.open('/quotes')
    await linkOf(page).first().press('Enter')
    await page.locator('.receipt-total').waitFor()
    await eventually(
      () =>
        page.evaluate<string>('document.activeElement.tagName + " " + document.activeElement.textContent'),
      `H1 ${await textOf(page, 'h1')}`,
    )
  })

  it('has the request that returns it, ready to be copied', async () => {
    const page = await app.open('/quotes/quote_0246', { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.getByRole('button', { name: 'Copy request' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    const [, path = ''] = /'http:\/\/[^/]+([^']+)'$/.exec(copied) ?? []
    const { body } = await server.get(path, apiKey)
    const { totalPriceCents } = body as Quote
    expect(parseFigure(await textOf(page, '.quote-total'), 'JPY')).toBe(totalPriceCents)
  })

  it('links to the customer, the events and back to the list', async () => {
    const page = await app.open('/quotes?state=booked&search=ironwood')
    await page.getByRole('link', { name: 'Ironwood Biosciences' }).first().click()
    await page.locator('.receipt-total').waitFor()
    await expect
      .poll(() => page.locator('a[href^="mailto:"]').first().getAttribute('href'))
      .toBe('mailto:events@ironwood.example.com')
    await expect.poll(() => page.locator('a[href*="/events/"]').count()).toBeGreaterThan(0)
    await page.getByRole('main').getByRole('link', { name: 'Quotes', exact: true }).click()
    await page.getByRole('table', { name: 'Quotes' }).waitFor()
    expect(new URL(page.url()).search).toBe('?state=booked&search=ironwood')
  })

  it('links to the page of the contact, also without a name', async () => {
    const { leadId } = (await api.get('quote_0246', '', apiKey)) as unknown as { leadId: string }
    const page = await app.open('/quotes/quote_0246')
    await page.getByRole('main').getByRole('link', { name: 'Ironwood Biosciences', exact: true }).click()
    await page.waitForURL(`${url}/contacts/${leadId}`)
    await page.getByRole('heading', { level: 1, name: 'Ironwood Biosciences' }).waitFor()
    const { pool } = app.database
    const { rows } = await pool.query<{ name: string | null }>(
      `UPDATE leads l SET company_name = NULL FROM leads o WHERE o.company_id = l.company_id AND o.id = l.id AND l.id = $1
       RETURNING o.company_name AS name`,
      [leadId],
    )
    await page.goBack()
    await page.reload()
    await page.getByRole('link', { name: 'Unnamed contact', exact: true }).waitFor()
    await pool.query('UPDATE leads SET company_name = $2 WHERE id = $1', [leadId, rows[0]?.name])
  })

  it('links to all quotes of the customer, and from there to all quotes', async () => {
    const page = await app.open('/quotes/quote_0246')
    await page.getByRole('link', { name: 'All quotes for this customer' }).click()
    const { leadId } = (await api.get('quote_0246', '', apiKey)) as unknown as { leadId: string }
    const { data } = await api.list(`lead_id=${leadId}&limit=25`, apiKey)
    expect(data.length).toBeGreaterThan(1)
    await eventually(
      () => idsShown(page),
      data.map(({ id }) => id),
    )
    await page.getByRole('button', { name: 'Only Ironwood Biosciences · Show all customers' }).click()
    await eventually(
      () => idsShown(page),
      newest.slice(0, 25).map(({ id }) => id),
    )
  })

  it('lists the invoices of its booking, each with a link that opens it', async () => {
    const page = await app.open('/quotes/quote_0299')
    const panel = page.getByRole('region', { name: 'Invoices' })
    const invoices = panel.getByRole('listitem')
    await expect.poll(() => invoices.count()).toBe(2)
    await expect.poll(() => invoices.first().innerText()).toMatch(/HE-2026-0299-1[^]*\$9,386\.65[^]*Void/)
    await expect.poll(() => invoices.last().innerText()).toMatch(/HE-2026-0299-2[^]*\$9,386\.65[^]*Paid/)
    const opening = page.waitForEvent('popup')
    await panel.getByRole('link', { name: 'HE-2026-0299-2' }).click()
    await (await opening).getByRole('heading', { name: 'Invoice HE-2026-0299-2' }).waitFor()
    await openQuote(page, 'quote_0297')
    expect(await panel.count()).toBe(0)
  })

  it.each(['light', 'dark'] as const)('has no barriers with invoices, in %s', async (colorScheme) => {
    const page = await app.open('/quotes/quote_0299', { colorScheme, viewport: { width: 360, height: 800 } })
    await page.getByRole('region', { name: 'Invoices' }).getByRole('link').first().waitFor()
    await expectNoBarriers(page)
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
  })

  it('shows a message if the quote does not exist', async () => {
    const page = await app.open('/quotes/nope')
    await page.getByText('Quote not found').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Quotes', exact: true }).waitFor()
  })
})

const rowsOf = (page: Page) => page.locator('.quote-table tbody tr')
const linkOf = (page: Page) => rowsOf(page).locator('.app-row-name')
const idsShown = async (page: Page) =>
  (
    await page.evaluate<string[]>(
      `[...document.querySelectorAll('.quote-table .app-row-name')].map((link) => link.getAttribute('href'))`,
    )
  ).map((href) => decodeURIComponent(href.split('/').at(-1) ?? ''))
const search = (page: Page) => new URL(page.url()).search

describe('the table', () => {
  it('shows the newest quotes with their totals, and keeps the page in the URL', async () => {
    const page = await app.open('/quotes')
    await rowsOf(page).first().waitFor()
    const first = newest.slice(0, 25).map(({ id }) => id)
    await expect.poll(() => idsShown(page)).toEqual(first)
    const totals = await rowsOf(page).locator('td:last-child').allInnerTexts()
    expect(totals.map((text, i) => parseFigure(text.trim(), newest[i]?.currency.isoCode ?? ''))).toEqual(
      newest.slice(0, 25).map(({ totalPriceCents }) => totalPriceCents),
    )
    await page.getByRole('link', { name: 'Next' }).click()
    await page.waitForURL(`**/quotes?after=${first[24]}`)
    await eventually(
      () => idsShown(page),
      newest.slice(25, 50).map(({ id }) => id),
    )
    await page.reload()
    await eventually(
      () => idsShown(page),
      newest.slice(25, 50).map(({ id }) => id),
    )
    await page.goBack()
    await eventually(() => idsShown(page), first)
    await page.goForward()
    await page.getByRole('link', { name: 'First page' }).click()
    await eventually(() => idsShown(page), first)
    expect(search(page)).toBe('')
  })

  it('ignores a page turn of an outdated list', async () => {
    const page = await app.open('/quotes')
    await rowsOf(page).first().waitFor()
    const held: Route[] = []
    await page.route(/console\/quotes\?[^/]*state=sent/, (route) => void held.push(route))
    await page.locator('.quote-states').getByText('Sent').click()
    await page.waitForURL('**/quotes?state=sent')
    const next = page.getByRole('link', { name: 'Next' })
    await eventually(() => next.getAttribute('aria-disabled'), 'true')
    await next.dispatchEvent('click')
    for (const route of held) await route.continue()
    await eventually(
      async () => new Set(await page.locator('.quote-table .quote-state').allInnerTexts()),
      new Set(['Sent']),
    )
    expect(search(page)).toBe('?state=sent')
  })

  it('scrolls and focuses the top of the table on a page turn', async () => {
    const page = await app.open('/quotes', { viewport: { width: 1280, height: 600 } })
    await rowsOf(page).first().waitFor()
    for (const [name, from] of [
      ['Next', 25],
      ['First page', 0],
    ] as const) {
      await page.getByRole('link', { name }).click()
      await eventually(
        () => idsShown(page),
        newest.slice(from, from + 25).map(({ id }) => id),
      )
      await eventually(
        () => page.evaluate<string | null>('document.activeElement.getAttribute("aria-label")'),
        'Quotes on this page',
      )
      const top = (await page.getByRole('columnheader').first().boundingBox())?.y ?? -1
      expect(top).toBeGreaterThanOrEqual(56)
      expect(top).toBeLessThan(300)
    }
  })

  it('has rows of at most two lines and no scrolling at 1280 pixels', async () => {
    const page = await app.open('/quotes', { viewport: { width: 1280, height: 900 } })
    for (let at = 0; at < 4; at++) {
      await eventually(
        () => idsShown(page),
        newest.slice(at * 25, at * 25 + 25).map(({ id }) => id),
      )
      const table = page.locator('.quote-table')
      expect(await table.evaluate((shown) => shown.scrollWidth - shown.clientWidth)).toBe(0)
      const heights = await rowsOf(page).evaluateAll((rows) => rows.map((row) => row.clientHeight))
      // Two lines are 69 pixels high, three are 90.
      expect(Math.max(...heights)).toBeLessThanOrEqual(75)
      await page.getByRole('link', { name: 'Next' }).click()
    }
  })

  it('keeps its filters in the URL', async () => {
    const page = await app.open('/quotes?state=lost')
    await rowsOf(page).first().waitFor()
    await expect.poll(() => page.getByRole('radio', { name: 'Lost' }).isChecked()).toBe(true)
    expect(new Set(await page.locator('.quote-table .quote-state').allInnerTexts())).toEqual(
      new Set(['Lost']),
    )
    await page.locator('.quote-states').getByText('Sent').click()
    await page.waitForURL('**/quotes?state=sent')
    await eventually(
      async () => new Set(await page.locator('.quote-table .quote-state').allInnerTexts()),
      new Set(['Sent']),
    )
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByRole('combobox', { name: 'Location' }).click()
    await page.getByRole('option', { name: 'Sumida Workshop' }).click()
    await page.waitForURL(/state=sent&location=/)
    await eventually(
      async () => new Set(await rowsOf(page).locator('td:nth-child(4)').allInnerTexts()),
      new Set(['Sumida Workshop']),
    )
    await page.goBack()
    expect(search(page)).toBe('?state=sent')
    await page.goBack()
    expect(search(page)).toBe('?state=lost')
    await eventually(
      async () => new Set(await page.locator('.quote-table .quote-state').allInnerTexts()),
      new Set(['Lost']),
    )
    await page.getByRole('link', { name: 'Clear filters' }).click()
    await eventually(
      () => idsShown(page),
      newest.slice(0, 25).map(({ id }) => id),
    )
  })

  it('shows service days in the time zone of their location, and filters by it', async () => {
    const location = 'loc_tokyo'
    const page = await app.open(`/quotes?location=${location}`, { timezoneId: 'America/Los_Angeles' })
    await rowsOf(page).first().waitFor()
    const { data } = await api.list(`location_id=${location}&limit=25&expand=data.serviceDays`, apiKey)
    const starts = data.map(
      (quote) => (quote['serviceDays'] as { serviceStartTime: string }[])[0]?.serviceStartTime,
    )
    const shown = (await rowsOf(page).locator('td:nth-child(5)').allInnerTexts()).map((text) =>
      text.replace(/\s*\d+ days$/, '').trim(),
    )
    const inTokyo = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'Asia/Tokyo' })
    expect(shown).toEqual(
      starts.map((start) => (start === undefined ? 'No day yet' : inTokyo.format(new Date(start)))),
    )
    // A day in that time zone.
    const start = starts.find((one) => one !== undefined) ?? ''
    const day = new Date(Date.parse(start) + 9 * 3_600_000).toISOString().slice(0, 10)
    await page.goto(`${url}/quotes?location=${location}&service_from=${day}&service_to=${day}`)
    await rowsOf(page).first().waitFor()
    const midnight = new Date(Date.parse(`${day}T00:00:00+09:00`))
    const bounds = [midnight, new Date(midnight.getTime() + 86_400_000)].map((time) => time.toISOString())
    const expected = await api.list(
      `location_id=${location}&service_start_time[gte]=${bounds[0]}&service_start_time[lt]=${bounds[1]}&limit=25`,
      apiKey,
    )
    await expect.poll(() => idsShown(page)).toEqual(expected.data.map(({ id }) => id))
  })

  it('searches once after typing, with one history entry', async () => {
    const page = await app.open('/quotes')
    await rowsOf(page).first().waitFor()
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/console/quotes?')) asked.push(new URL(request.url()).search)
    })
    const field = page.getByRole('searchbox', { name: 'Search by customer' })
    await field.pressSequentially('bianchi', { delay: 30 })
    await page.waitForURL('**/quotes?search=bianchi')
    await eventually(
      async () => (await linkOf(page).allInnerTexts()).every((name) => name.includes('Bianchi')),
      true,
    )
    expect(asked).toEqual(['?search=bianchi'])
    await page.goBack()
    await eventually(
      () => idsShown(page),
      newest.slice(0, 25).map(({ id }) => id),
    )
    await expect.poll(() => field.inputValue()).toBe('')
  })

  it('applies a date when it is complete', async () => {
    const page = await app.open('/quotes')
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByLabel('Created from').pressSequentially('10152026')
    await page.waitForURL('**/quotes?created_from=2026-10-15')
    const midnight = '2026-10-15T04:00:00.000Z'
    const { data } = await api.list(`created_at[gte]=${midnight}&limit=25`, apiKey)
    await eventually(
      () => idsShown(page),
      data.map(({ id }) => id),
    )
    await page.goBack()
    expect(search(page)).toBe('')
    await expect.poll(() => page.getByLabel('Created from').inputValue()).toBe('')
  })

  it('shows a message if nothing matches, and clears the filters', async () => {
    const page = await app.open('/quotes?search=no-such-customer')
    await page.getByRole('heading', { name: 'No matching quotes' }).waitFor()
    await page.getByRole('link', { name: 'Clear filters' }).last().click()
    await rowsOf(page).first().waitFor()
    await page.goto(`${url}/quotes?after=nope`)
    await page.getByRole('heading', { name: 'No more quotes' }).waitFor()
  })

  it('keeps the filters in the link from an empty later page to the first one', async () => {
    const page = await app.open('/quotes?state=lost&after=nope')
    await page.getByRole('heading', { name: 'No more quotes' }).waitFor()
    await page.getByRole('link', { name: 'First page' }).click()
    await page.waitForURL('**/quotes?state=lost')
    await rowsOf(page).first().waitFor()
  })

  it('shows a message if the company has no quotes', async () => {
    const { pool } = app.database
    await insertCompany(pool, 'co_empty')
    await plantUser(app.database, 'co_empty')
    const page = await app.open('/quotes', { companyId: 'co_empty' })
    await page.getByRole('heading', { name: 'No quotes yet' }).waitFor()
    expect(await page.getByText('Clear filters').count()).toBe(0)
  })

  it('shows a message without a network, and loads when it is back', async () => {
    const page = await app.open('/quotes')
    await rowsOf(page).first().waitFor()
    await page.context().setOffline(true)
    await page.locator('label', { hasText: 'Lost' }).click()
    await page.getByText('Cannot reach the server.').waitFor()
    await page.context().setOffline(false)
    await rowsOf(page).first().waitFor()
    expect(new URL(page.url()).search).toBe('?state=lost')
  })

  it('shows a message if it cannot be loaded, and retries', async () => {
    const page = await app.open('/account')
    let isAway = true
    await page.route('**/console/quotes', (route) => (isAway ? route.abort() : route.continue()))
    await page.getByRole('link', { name: 'Quotes' }).first().click()
    const button = page.getByRole('button', { name: 'Retry' })
    await button.waitFor()
    isAway = false
    await button.click()
    await rowsOf(page).first().waitFor()
  })

  it('ignores invalid filters in the URL', async () => {
    const page = await app.open('/quotes?state=nonsense&created_from=2026-02-31x&service_to=yesterday')
    await eventually(
      () => idsShown(page),
      newest.slice(0, 25).map(({ id }) => id),
    )
  })
})

describe('the quote pages', () => {
  it.each(TWO_LOOKS)('fit the screen: %s', async (_, options) => {
    const page = await app.open('/quotes?location=loc_tokyo', options)
    for (const path of [
      '/quotes',
      '/quotes?state=sent&lead=lead_0135',
      '/quotes/quote_0275',
      '/quotes/quote_0246',
    ]) {
      await page.goto(url + path)
      await settle(page)
      const [content, screen] = await page.evaluate<[number, number]>(
        '[document.documentElement.scrollWidth, screen.width]',
      )
      expect(content, path).toBeLessThanOrEqual(Math.max(screen, options.viewport?.width ?? 0))
    }
  })
})
