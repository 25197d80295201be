import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { loadDashboard } from '../src/records/dashboard/queries.ts'
import { insertCompany } from '../test/support/records.ts'
import { emailOf, plantUser } from '../test/support/console.ts'
import { signIn, startConsole } from './console.ts'

const app = await startConsole()
const { database, companyId } = app

const load = () => loadDashboard(database.pool, companyId, new Date().toISOString())

async function openDashboard(path = '/'): Promise<Page> {
  const page = await app.open(path)
  await page.getByRole('heading', { name: 'Booked value' }).waitFor()
  // Nothing is pointed at.
  await page.mouse.move(1, 1)
  return page
}

const readout = (page: Page) => page.getByTestId('booked-readout').textContent()

const dollars = (cents: bigint) =>
  `$${(cents / 100n).toLocaleString('en-US')}.${String(cents % 100n).padStart(2, '0')}`

describe('the dashboard', () => {
  it('shows how many quotes are in each state, each a way to the list of them', async () => {
    const page = await openDashboard()
    const { quotes } = await load()
    for (const [state, count] of Object.entries(quotes)) {
      const name = new RegExp(`^${state} ${count} `, 'i')
      const link = page.getByRole('region', { name: 'Quotes by state' }).getByRole('link', { name })
      await expect.poll(() => link.getAttribute('href')).toBe(`/quotes?state=${state}`)
    }
  })

  it('plots booked value of one currency, says its sum, and the exact figure of the month pointed at', async () => {
    const page = await openDashboard()
    const { booked } = await load()
    const usd = booked.values.filter(({ currency }) => currency === 'USD')
    const sum = usd.reduce((total, { totalCents }) => total + BigInt(totalCents), 0n)
    expect(await readout(page)).toBe(dollars(sum))

    const bars = page.getByRole('group', { name: /Booked value by month in USD/ }).getByRole('img')
    await expect.poll(() => bars.count()).toBe(12)
    for (const [place, month] of booked.months.entries()) {
      await bars.nth(place).hover()
      const { totalCents = '0' } = usd.find((one) => one.month === month) ?? {}
      expect(await readout(page)).toBe(dollars(BigInt(totalCents)))
      await expect
        .poll(() => bars.nth(place).getAttribute('aria-label'))
        .toContain(`${dollars(BigInt(totalCents))}, `)
    }
  })

  it('draws bars in proportion to their values', async () => {
    const page = await openDashboard()
    const { booked } = await load()
    const values = booked.months.map((month) =>
      Number(booked.values.find((one) => one.month === month && one.currency === 'USD')?.totalCents ?? 0),
    )
    const heights = await page
      .locator('.dashboard-bar')
      .evaluateAll((bars) => bars.map((bar) => Number(bar.getAttribute('height'))))
    const perPixel = Math.max(...values) / Math.max(...heights)
    for (const [i, height] of heights.entries())
      expect(Math.abs(height - (values[i] ?? 0) / perPixel)).toBeLessThanOrEqual(1)
  })

  it('changes the currency by the switch, the one with the most bookings first', async () => {
    const page = await openDashboard()
    const { booked } = await load()
    const counts = new Map<string, number>()
    for (const { currency, bookings } of booked.values)
      counts.set(currency, (counts.get(currency) ?? 0) + bookings)
    const byCount = [...counts].toSorted((a, b) => b[1] - a[1]).map(([currency]) => currency)
    const options = page.getByRole('radiogroup', { name: 'Currency' })
    expect(
      await options.getByRole('radio').evaluateAll((all) => all.map((one) => one.getAttribute('value'))),
    ).toEqual(byCount)
    await options.getByText('JPY').click()
    expect(await readout(page)).toMatch(/^¥[\d,]+$/)
    await page.getByRole('group', { name: /Booked value by month in JPY/ }).waitFor()
  })

  it('lets the keyboard go from month to month, with one stop in the order of the page', async () => {
    const page = await openDashboard()
    const bars = page.getByRole('group', { name: /Booked value by month/ }).getByRole('img')
    await page.getByRole('radio', { name: 'USD' }).focus()
    await page.keyboard.press('Tab')
    const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")')
    expect(await focused()).toBe(await bars.nth(11).getAttribute('aria-label'))
    await page.keyboard.press('ArrowLeft')
    expect(await focused()).toBe(await bars.nth(10).getAttribute('aria-label'))
    expect(await bars.nth(10).getAttribute('aria-label')).toContain(await readout(page))
    await page.keyboard.press('Home')
    expect(await focused()).toBe(await bars.nth(0).getAttribute('aria-label'))
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('All events')
  })

  it('has the same figures as a table for those who do not see it', async () => {
    const page = await openDashboard()
    const { booked } = await load()
    const table = page.getByRole('table', { name: 'Booked value by month in USD' })
    const cells = await table.getByRole('row').evaluateAll((rows) => rows.map((row) => row.textContent))
    expect(cells).toHaveLength(13)
    const last = booked.values.findLast(({ currency }) => currency === 'USD')
    expect(cells.join('\n')).toContain(`${last?.bookings}${dollars(BigInt(last?.totalCents ?? 0))}`)
  })

  it('lists what comes next and what is overdue, each the way to it', async () => {
    const page = await openDashboard()
    const { upcomingEvents, overdueTasks, overdueInvoices } = await load()
    const hrefs = (name: string) =>
      page
        .getByRole('region', { name })
        .getByRole('listitem')
        .getByRole('link')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    await expect.poll(() => hrefs('Upcoming events')).toEqual(upcomingEvents.map(({ id }) => `/events/${id}`))
    await expect
      .poll(() => hrefs('Overdue tasks'))
      .toEqual(overdueTasks.first.map(({ eventId }) => `/events/${eventId}`))
    const invoices = page.getByRole('region', { name: 'Overdue invoices' })
    await expect.poll(() => hrefs('Overdue invoices')).toHaveLength(overdueInvoices.first.length)
    const opening = page.waitForEvent('popup')
    await invoices.getByRole('listitem').getByRole('link').first().click()
    const opened = await opening
    await opened
      .getByText(overdueInvoices.first[0]?.invoiceNumber ?? '')
      .first()
      .waitFor()
  })

  it('shows the rest of what is overdue in its place, and folds it again', async () => {
    const page = await openDashboard()
    const { overdueTasks, overdueInvoices } = await load()
    const counts = {
      'Overdue tasks': overdueTasks.count,
      'Overdue invoices': overdueInvoices.totals.reduce((sum, { invoices }) => sum + invoices, 0),
    }
    for (const [name, count] of Object.entries(counts)) {
      expect(count).toBeGreaterThan(8)
      expect(count).toBeLessThan(100)
      const region = page.getByRole('region', { name })
      const rows = region.getByRole('listitem')
      await region.getByText(`${count - 8} more`, { exact: true }).waitFor()
      const more = region.getByRole('button', { name: 'Show more' })
      await expect.poll(() => more.getAttribute('aria-expanded')).toBe('false')
      await more.press('Enter')
      await expect.poll(() => rows.count()).toBe(count)
      // The keyboard is still there, to fold it again.
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Show fewer')
      await expect.poll(() => region.getByRole('button').getAttribute('aria-expanded')).toBe('true')
      await page.keyboard.press('Enter')
      await expect.poll(() => rows.count()).toBe(8)
    }
  })

  it('says when the rest cannot be loaded, and tries again', async () => {
    const page = await openDashboard()
    await page.route('**/console/dashboard/overdue-tasks', (route) =>
      route.fulfill({ status: 400, contentType: 'application/json', body: '{}' }),
    )
    const region = page.getByRole('region', { name: 'Overdue tasks' })
    await region.getByRole('button', { name: 'Show more' }).click()
    await region.getByRole('alert').waitFor()
    await page.unroute('**/console/dashboard/overdue-tasks')
    await region.getByRole('button', { name: 'Show more' }).click()
    await region.getByRole('button', { name: 'Show fewer' }).waitFor()
    expect(await region.getByRole('alert').count()).toBe(0)
  })

  it('says when figures cannot be loaded, and tries again on demand', async () => {
    const page = await openDashboard()
    await page.route('**/console/dashboard', (route) =>
      route.fulfill({ status: 400, contentType: 'application/json', body: '{}' }),
    )
    await page.reload()
    await page.getByRole('alert').waitFor()
    await page.unroute('**/console/dashboard')
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByRole('heading', { name: 'Booked value' }).waitFor()
  })

  it('shows a grey place of each part while figures are on their way', async () => {
    const page = await openDashboard()
    let send = (): void => undefined
    const held = new Promise<void>((resolve) => (send = resolve))
    await page.route('**/console/dashboard', async (route) => {
      await held
      await route.continue()
    })
    await page.reload()
    await page.getByRole('status', { name: 'Loading' }).waitFor()
    send()
    await page.getByRole('heading', { name: 'Booked value' }).waitFor()
  })

  it('tells a new company how to begin', async () => {
    await insertCompany(database.pool, 'new')
    await plantUser(database, 'new')
    const page = await (await app.browser.newContext()).newPage()
    await page.goto(app.url)
    await signIn(page, emailOf('ADMIN', 'new'))
    await page.getByRole('heading', { name: 'No quotes yet' }).waitFor()
    await page.getByText('npx quoting import FILE').waitFor()
    await expect
      .poll(() => page.getByRole('link', { name: 'Set up the API' }).getAttribute('href'))
      .toBe('/settings')
  })
})
