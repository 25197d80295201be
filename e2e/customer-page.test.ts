/** The quote page in a real browser, with and without JavaScript. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { plantSession, plantUser } from '../test/support/console.ts'
import { createCustomerPages } from '../test/support/customer-quote.ts'
import { TEST_LOGO } from '../test/support/logo.ts'
import { findViolations } from './barriers.ts'
import { startBrowser } from './browser.ts'
import { findWidePanels, visit } from './console-pages.ts'

const { pool, connection, server, sentQuote, api } = await createCustomerPages()
const browser = await startBrowser()
const ORIGIN = `http://127.0.0.1:${server.port}`

const opened = async (path: string, options: BrowserContextOptions = {}): Promise<Page> => {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  await page.goto(ORIGIN + path)
  return page
}

/** The page of the quote in the console. */
async function openedByCompany(id: string): Promise<Page> {
  const database = { pool, connection }
  await plantUser(database, 'co_1')
  const value = await plantSession(database, 'co_1', 'ADMIN')
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  await context.addCookies([{ name: 'eqs_session', value, url: ORIGIN }])
  const page = await context.newPage()
  await visit(page, `${ORIGIN}/quotes/${id}`)
  return page
}

const total = (page: Page) => page.locator('.hero .figure').textContent()

async function accept(page: Page): Promise<void> {
  await page.getByLabel('Your full name').fill('Ada Noor')
  await page.getByLabel('I accept this quote').check()
  await page.getByRole('button', { name: 'Accept and book' }).click()
}

describe('the quote page', () => {
  it('V9: updates every figure at once with JavaScript, and books the chosen options', async () => {
    const { id, path } = await sentQuote()
    const page = await opened(path)
    const hosts: string[] = []
    page.on('request', (request) => void hosts.push(new URL(request.url()).origin))
    await page.getByLabel('Ice sculpture').check()
    await page.getByLabel('Wine').check()
    expect(await total(page)).toBe('$187.00')
    expect(await page.locator('[data-figure=tax]').textContent()).toBe('$17.00')
    expect(await page.getByRole('region', { name: 'Contract' }).textContent()).toContain('$187.00')
    expect(await page.getByRole('button', { name: 'Update total' }).isVisible()).toBe(false)
    await accept(page)
    await page.getByText('Accepted and booked').waitFor()
    expect(await total(page)).toBe('$187.00')
    expect((await api('GET', `quotes/${id}?expand[]=booking`)).body).toMatchObject({
      booking: { totalPriceCents: 18_700 },
    })
    expect(new Set(hosts)).toEqual(new Set([ORIGIN]))
  })

  it('V15: shows its acceptance to the company, on a page whose panels keep to their column', async () => {
    const { id, path } = await sentQuote()
    await accept(await opened(path))
    const page = await openedByCompany(id)
    await page.getByRole('region', { name: 'Revisions' }).getByText('by Ada Noor').waitFor()
    expect(await findWidePanels(page)).toEqual([])
  })

  it('V9: works without JavaScript, and never accepts a total that was not shown', async () => {
    const { id, path } = await sentQuote()
    const page = await opened(path, { javaScriptEnabled: false, viewport: { width: 360, height: 740 } })
    await page.getByLabel('Wine').check()
    await accept(page)
    await page.getByText('With your choice the total is $165.00.').waitFor()
    expect(await page.getByLabel('Your full name').inputValue()).toBe('Ada Noor')
    await page.getByLabel('Ice sculpture').check()
    await page.getByRole('button', { name: 'Update total' }).click()
    expect(await total(page)).toBe('$187.00')
    await accept(page)
    await page.getByText('Accepted and booked').waitFor()
    expect((await api('GET', `quotes/${id}?expand[]=booking`)).body).toMatchObject({
      booking: { totalPriceCents: 18_700 },
    })
  })

  it('V11, V12: takes a question and declines, by keyboard', async () => {
    const { id, path } = await sentQuote()
    const page = await opened(path)
    await page.getByText('Ask a question').focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Your question').fill('Is parking free?')
    await page.getByRole('button', { name: 'Send question' }).press('Enter')
    await page.getByText('Thank you for your question').waitFor()
    await page.getByText('Decline this quote').focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Why?').selectOption({ label: 'The date does not work' })
    await page.getByRole('button', { name: 'Decline quote' }).press('Enter')
    await page.getByText('This quote is closed').waitFor()
    expect((await api('GET', `quotes/${id}`)).body).toMatchObject({ lostReason: 'DATE_UNAVAILABLE' })
  })

  it(
    'V20: has no barriers and fits at 360 px, in light and dark, open and accepted',
    { timeout: 60_000 },
    async () => {
      await pool.query("UPDATE companies SET accent_color = '#7a2e4d'")
      const { path } = await sentQuote({
        event_description: `${'<script>hacked()</script>'.repeat(3)}${'x'.repeat(500)}`,
      })
      const check = async (colorScheme: 'light' | 'dark') => {
        const page = await opened(path, { colorScheme, viewport: { width: 360, height: 740 } })
        for (const summary of await page.locator('summary').all()) await summary.click()
        expect((await findViolations(page)).map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
        const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
        expect(await page.evaluate(overflow)).toBe(0)
        return page
      }
      await check('light')
      const page = await check('dark')
      await accept(page)
      await page.getByText('Accepted and booked').waitFor()
      await check('dark')
    },
  )

  it('V20: keeps the name of the company on one line beside its logo', async () => {
    await pool.query("UPDATE companies SET name = 'Fig & Fennel Catering', logo = $1", [TEST_LOGO])
    const { path } = await sentQuote()
    for (const width of [1280, 360]) {
      const page = await opened(path, { viewport: { width, height: 740 } })
      const lines = await page.evaluate<number>(`(() => {
        const name = document.querySelector('.seller-name')
        return Math.round(name.clientHeight / parseFloat(getComputedStyle(name).lineHeight))
      })()`)
      expect(lines, `lines at ${width} px`).toBe(1)
    }
  })
})
