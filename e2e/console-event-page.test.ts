import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { runAction } from '../src/actions/action.ts'
import { recordPayment } from '../src/actions/record-payment.ts'
import { contextOf } from '../test/support/actions.ts'
import { expectNoBarriers } from './barriers.ts'
import { smallWorld } from './small-world.ts'
import { styleOf } from './styles.ts'

const COMPANY = 'co_event_page'
const { record, event, start } = smallWorld(COMPANY)
const invoice = (id: string, rest: object) =>
  record('invoice', id, { bookingId: 'book', currency: 'USD', ...rest })
const onDay = (id: string, rest: object = {}) =>
  event(id, '2027-04-05T15:00:00Z', '2027-04-05T19:00:00Z', rest)

const app = await start([
  record('location', 'york', { name: 'Pier 4', timeZone: 'America/New_York' }),
  event('Late show', '2027-02-19T02:00:00Z', '2027-02-19T07:00:00Z', { locationId: 'york' }),
  record('booking', 'book', { currency: 'USD', totalPriceCents: 500_000 }),
  record('booking', 'book_bare', { currency: 'USD', totalPriceCents: 5 }),
  onDay('ev_invoiced', { bookingId: 'book' }),
  onDay('ev_bare', { bookingId: 'book_bare' }),
  record('booking', 'book_history', { currency: 'USD', totalPriceCents: 5_000 }),
  onDay('ev_history', { bookingId: 'book_history' }),
  onDay('ev_unbooked'),
  invoice('inv_1', {
    invoiceNumber: 'Q-1',
    totalCents: 100_000,
    amountPaidCents: 100_000,
    issuedAt: '2027-01-01T00:00:00Z',
    createdAt: '2027-01-01T00:00:00Z',
  }),
  invoice('inv_2', {
    invoiceNumber: `Q-${'2'.repeat(80)}`,
    totalCents: 400_000,
    amountPaidCents: 150_000,
    issuedAt: '2027-01-02T00:00:00Z',
    dueDate: '2099-03-31T00:00:00Z',
    createdAt: '2027-01-02T00:00:00Z',
  }),
  invoice('inv_history', {
    bookingId: 'book_history',
    invoiceNumber: 'Q-3',
    totalCents: 5_000,
    issuedAt: '2027-01-01T00:00:00Z',
    createdAt: '2027-01-01T00:00:00Z',
  }),
  ...['ev_undo', 'ev_poll', 'ev_focus', 'ev_axe', 'ev_long'].map((id) => onDay(id)),
  ...Array.from({ length: 101 }, (_, i) =>
    record('task', `ev_long_${i}`, {
      eventId: 'ev_long',
      description: `Task ${i}`,
      createdAt: '2025-01-01T00:00:00Z',
    }),
  ),
  ...['ev_undo', 'ev_poll', 'ev_focus', 'ev_axe'].flatMap((eventId) =>
    ['First', 'Second', 'Third'].map((description, i) =>
      record('task', `${eventId}_${i}`, {
        eventId,
        description,
        createdAt: `2025-01-01T00:00:0${i}Z`,
      }),
    ),
  ),
])
const { pool } = app.database

const openEvent = async (id: string, options: Parameters<typeof app.open>[1] = {}) => {
  const page = await app.open(`/events/${id}`, options)
  await page.getByLabel('New task').waitFor()
  return page
}
const toDo = (page: Page) => page.getByRole('list', { name: 'To do' }).locator('.task-text').allTextContents()
const done = (page: Page) => page.getByRole('list', { name: 'Done' }).locator('.task-text').allTextContents()
const isDone = async (id: string) =>
  (await pool.query('SELECT FROM tasks WHERE id = $1 AND completed_at IS NOT NULL', [id])).rowCount === 1

describe('an event page', () => {
  it('lists the invoices of the booking, and each opens', async () => {
    const page = await openEvent('ev_invoiced', { role: 'MEMBER' })
    const rows = page.locator('.invoice')
    await expect.poll(() => rows.count()).toBe(2)
    await expect.poll(() => rows.nth(0).innerText()).toMatch(/Q-1[\s\S]*\$1,000\.00[\s\S]*Paid/)
    await expect
      .poll(() => rows.nth(1).innerText())
      .toMatch(/\$4,000\.00[\s\S]*Partially paid[\s\S]*\$2,500\.00 due Mar 31, 2099/)
    const opened = page.context().waitForEvent('page')
    await page.getByRole('link', { name: 'Invoice Q-1 (opens in a new tab)' }).click()
    await (await opened).getByRole('heading', { name: 'Invoice Q-1' }).waitFor()
  })

  it('T3: shows the history of an invoice', async () => {
    await runAction(contextOf(pool, COMPANY), recordPayment, { id: 'inv_history', amountCents: 2_000 })
    const page = await openEvent('ev_history')
    await page.getByRole('button', { name: 'History of invoice Q-3' }).click()
    const history = page.getByRole('dialog', { name: 'History of invoice Q-3' })
    await history.getByText('Invoice edited').waitFor()
    await expect
      .poll(() => history.innerText())
      .toMatch(/Open → Partially paid[\s\S]*Amount paid \$0\.00[\s\S]*\$20\.00/)
    await expectNoBarriers(page)
    await page.keyboard.press('Escape')
    await history.waitFor({ state: 'detached' })
  })

  it('shows a message without invoices, and no panel without a booking', async () => {
    const bare = await openEvent('ev_bare')
    await bare.getByText('No invoices yet.').waitFor()
    const unbooked = await openEvent('ev_unbooked')
    expect(await unbooked.getByRole('heading', { name: 'Invoices' }).count()).toBe(0)
  })

  it('fits a phone with long invoice numbers', async () => {
    const page = await openEvent('ev_invoiced', { viewport: { width: 360, height: 800 } })
    await page.locator('.invoice').first().waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  })

  it.each(['light', 'dark'] as const)('has no barriers, %s', async (colorScheme) => {
    const page = await openEvent('ev_invoiced', { colorScheme })
    await page.locator('.invoice').first().waitFor()
    await expectNoBarriers(page)
    const tasks = await openEvent('ev_axe', { colorScheme })
    const box = tasks.getByRole('checkbox', { name: 'First' })
    if (!(await box.isChecked())) await box.click()
    await expectNoBarriers(tasks)
  })

  it('shows a skeleton in the shape of the page while it loads', async () => {
    const page = await app.open('/quotes')
    await page.route('**/console/events/ev_bare', () => undefined)
    await page.route('**/console/agenda?*', () => undefined)
    await page.getByRole('link', { name: 'Events' }).click()
    const agenda = page.getByRole('status', { name: 'Loading events' })
    await agenda.waitFor()
    await expect.poll(() => agenda.locator('.agenda-day').count()).toBe(7)
    await page.getByText('Month', { exact: true }).click()
    await expect.poll(() => agenda.locator('.agenda-month td').count()).toBe(35)
    await page.goto(`${app.url}/events/ev_bare`)
    const skeleton = page.getByRole('status', { name: 'Loading the event' })
    await skeleton.waitFor()
    expect(await skeleton.locator('.app-panel').count()).toBeGreaterThan(4)
    expect(
      await styleOf(skeleton.locator('.mantine-Skeleton-root').first(), 'animation-name', '::after'),
    ).toBe('none')
  })
})

describe('the month', () => {
  it('names an event past midnight also on the next day', async () => {
    const page = await app.open('/events?period=2027-02')
    const chip = (date: number) =>
      page.getByRole('cell', { name: `February ${date}, 2027` }).getByRole('link', { name: 'Late show' })
    await chip(18).waitFor()
    await expect.poll(() => chip(18).locator('.agenda-chip-name').innerText()).toBe('Late show')
    await expect.poll(() => chip(19).locator('.agenda-chip-name').innerText()).toBe('↳ Late show')
    await expect.poll(() => chip(19).locator('.agenda-chip-name').isVisible()).toBe(true)
    await expect.poll(() => chip(19).textContent()).toMatch(/until 2:00\sAM.*\(continued\)/)
  })

  it('has names that look like links', async () => {
    const page = await app.open('/events?period=2027-W07')
    const link = page.getByRole('link', { name: /Late show/ }).first()
    const name = link.locator('.agenda-name')
    await name.waitFor()
    expect(await styleOf(name, 'color')).not.toBe(await styleOf(page.locator('h1'), 'color'))
    await link.hover()
    await expect.poll(() => styleOf(name, 'text-decoration-line')).toBe('underline')
  })
})

describe('a task that was just completed', () => {
  it('keeps its place, struck through, and returns with Undo', async () => {
    const page = await openEvent('ev_undo')
    await page.getByRole('checkbox', { name: 'Second' }).click()
    const row = page.getByRole('listitem').filter({ hasText: 'Second' })
    const undo = row.getByRole('button', { name: 'Undo: Second' })
    await undo.waitFor()
    expect(await toDo(page)).toEqual(['First', 'Second', 'Third'])
    await expect.poll(() => styleOf(row.locator('.task-text'), 'text-decoration-line')).toBe('line-through')
    await expect
      .poll(() => page.getByRole('status').allTextContents())
      .toContain('Completed: Second. You can undo this.')
    await expect.poll(() => isDone('ev_undo_1')).toBe(true)
    await undo.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => isDone('ev_undo_1')).toBe(false)
    await undo.waitFor({ state: 'detached' })
    expect(await toDo(page)).toEqual(['First', 'Second', 'Third'])
    // The focus moves from the button to the task.
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('task-ev_undo_1')
  })

  it('keeps its place while the list is refreshed, and then moves to the done tasks', async () => {
    const page = await openEvent('ev_poll')
    await page.getByRole('checkbox', { name: 'First' }).click()
    await expect.poll(() => isDone('ev_poll_0')).toBe(true)
    // A new task shows that the list was refreshed after the tick.
    await pool.query(
      `INSERT INTO tasks (company_id, id, event_id, description) VALUES ($1, 'ev_poll_9', 'ev_poll', 'Fourth')`,
      [COMPANY],
    )
    await expect.poll(() => toDo(page)).toEqual(['First', 'Second', 'Third', 'Fourth'])
    // It stays while it is hovered.
    await page.mouse.move(0, 0)
    await expect.poll(() => toDo(page)).toEqual(['Second', 'Third', 'Fourth'])
    expect(await done(page)).toEqual(['First'])
    expect(await page.getByRole('button', { name: 'Undo: First' }).count()).toBe(0)
  })

  it('keeps its place in a list with more tasks than are shown, and counts once', async () => {
    const page = await openEvent('ev_long')
    const first = page.getByRole('list', { name: 'To do' }).getByRole('listitem').first()
    await page.getByText('0 of 101 done').waitFor()
    await page.getByText('1 more task', { exact: true }).waitFor()
    await first.getByRole('checkbox').click()
    await expect.poll(() => isDone('ev_long_0')).toBe(true)
    // The refreshed list contains the other 100 tasks.
    await expect.poll(async () => (await toDo(page)).length).toBe(101)
    await page.getByText('1 of 101 done').waitFor()
    await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' })
    await first.getByRole('button', { name: 'Undo: Task 0' }).click()
    await expect.poll(() => isDone('ev_long_0')).toBe(false)
    await page.getByText('0 of 101 done').waitFor()
    await page.getByText('1 more task', { exact: true }).waitFor()
    expect((await toDo(page))[0]).toBe('Task 0')
    await first.getByRole('checkbox').click()
    await page.mouse.move(0, 0)
    // Later it is a done task that is not shown.
    await expect.poll(async () => (await toDo(page)).includes('Task 0'), { timeout: 15_000 }).toBe(false)
    await page.getByText('1 of 101 done').waitFor()
    await page.getByText('1 more task', { exact: true }).waitFor()
  })

  it('stays while it has the focus', async () => {
    const page = await openEvent('ev_focus')
    await page.clock.install()
    const box = page.getByRole('checkbox', { name: 'First' })
    await box.focus()
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Undo: First' }).waitFor()
    await page.clock.runFor(8_000)
    expect(await toDo(page)).toEqual(['First', 'Second', 'Third'])
    await page.getByLabel('New task').focus()
    await expect.poll(() => done(page)).toEqual(['First'])
  })
})
