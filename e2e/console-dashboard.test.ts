import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { loadDashboard } from '../src/records/dashboard/queries.ts'
import { insertCompany } from '../test/support/records.ts'
import { plantUser } from '../test/support/console.ts'
import { startConsole } from './console.ts'

const app = await startConsole()
const { database, companyId } = app

const load = () => loadDashboard(database.pool, companyId, new Date().toISOString())

async function openDashboard(path = '/'): Promise<Page> {
  const page = await app.open(path)
  await page.getByRole('heading', { name: 'Booked value' }).waitFor()
  // The pointer is over no bar.
  await page.mouse.move(1, 1)
  return page
}

const readout = (page: Page) => page.getByTestId('booked-readout').textContent()

const dollars = (cents: bigint) =>
  `$${(cents / 100n).toLocaleString('en-US')}.${String(cents % 100n).padStart(2, '0')}`

describe('the dashboard', () => {
  it('shows the number of quotes in each state, linked to the list', async () => {
    const page = await openDashboard()
    const { quotes } = await load()
    for (const [state, count] of Object.entries(quotes)) {
      const name = new RegExp(`^${state} ${count} `, 'i')
      const link = page.getByRole('region', { name: 'Quotes by state' }).getByRole('link', { name })
      await expect.poll(() => link.getAttribute('href')).toBe(`/quotes?state=${state}`)
    }
  })

  it('plots booked value in one currency, with the total and the exact amount of the hovered month', async () => {
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

  it('switches the currency, and lists the one with the most bookings first', async () => {
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

  it('moves between months with the arrow keys, with one tab stop', async () => {
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

  it('has the same figures as a table for screen readers', async () => {
    const page = await openDashboard()
    const { booked } = await load()
    const table = page.getByRole('table', { name: 'Booked value by month in USD' })
    const cells = await table.getByRole('row').evaluateAll((rows) => rows.map((row) => row.textContent))
    expect(cells).toHaveLength(13)
    const last = booked.values.findLast(({ currency }) => currency === 'USD')
    expect(cells.join('\n')).toContain(`${last?.bookings}${dollars(BigInt(last?.totalCents ?? 0))}`)
  })

  it('lists and links upcoming events, overdue tasks and overdue invoices', async () => {
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

  it('unfolds and folds the overdue lists', async () => {
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
      // The focus stays on the button.
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Show fewer')
      await expect.poll(() => region.getByRole('button').getAttribute('aria-expanded')).toBe('true')
      await page.keyboard.press('Enter')
      await expect.poll(() => rows.count()).toBe(8)
    }
  })

  it('shows a message if the rest of a list cannot be loaded, and retries', async () => {
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

  it('shows a message if figures cannot be loaded, and retries on demand', async () => {
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

  it('shows a skeleton while it loads', async () => {
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

  it('tells a new company how to start', async () => {
    await insertCompany(database.pool, 'new')
    await plantUser(database, 'new')
    const page = await app.open('/', { companyId: 'new' })
    await page.getByRole('heading', { name: 'First steps' }).waitFor()
    await plantUser(database, 'new', 'MEMBER')
    const member = await app.open('/', { companyId: 'new', role: 'MEMBER' })
    await member.getByRole('heading', { name: 'No quotes yet' }).waitFor()
    const link = member.getByRole('link', { name: 'New quote' })
    await expect.poll(() => link.getAttribute('href')).toBe('/quotes/new')
  })
})
