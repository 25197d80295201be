/** The checklist of an event: shared by everyone who has the page open. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { smallWorld } from './small-world.ts'

const COMPANY = 'co_checklist'
const XSS = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'

const { record, event, start } = smallWorld(COMPANY)

const app = await start([
  record('location', 'york', { name: 'Pier 4', timeZone: 'America/New_York' }),
  ...[
    'ev_live',
    'ev_tick',
    'ev_edit',
    'ev_conflict',
    'ev_fail',
    'ev_typing',
    'ev_wide',
    'ev_away',
    'ev_many',
    'ev_quiet',
  ].map((id) => event(id, '2027-04-05T15:00:00Z', '2027-04-05T19:00:00Z', { locationId: 'york' })),
  record('task', 'task_1', { eventId: 'ev_tick', description: 'Order ice' }),
  record('task', 'task_2', {
    eventId: 'ev_edit',
    description: 'Count chairs',
    dueDate: '2020-05-01T13:30:00Z',
  }),
  record('task', 'task_3', { eventId: 'ev_conflict', description: 'Print cards' }),
  record('task', 'task_4', { eventId: 'ev_fail', description: 'Hire a van' }),
  record('task', 'task_5', { eventId: 'ev_typing', description: 'First' }),
  record('task', 'task_6', { eventId: 'ev_typing', description: 'Second' }),
])
const { pool } = app.database

async function createTask(eventId: string, description: string): Promise<void> {
  const answer = await fetch(`${app.url}/api/task/create`, {
    method: 'POST',
    headers: { 'x-api-key': app.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ eventId, description }),
  })
  expect(answer.status).toBe(201)
}

const stored = async (eventId: string) =>
  (
    await pool.query<{ description: string; due: string | null; done: boolean }>(
      `SELECT description, to_char(due_date, 'YYYY-MM-DD HH24:MI') AS due, completed_at IS NOT NULL AS done
      FROM tasks WHERE company_id = $1 AND event_id = $2 ORDER BY created_at, id`,
      [COMPANY, eventId],
    )
  ).rows

const openEvent = async (id: string, options: Parameters<typeof app.open>[1] = {}) => {
  const page = await app.open(`/events/${id}`, options)
  await page.getByLabel('New task').waitFor()
  return page
}
const task = (page: Page, description: string) => page.locator('.task', { hasText: description })

describe('the checklist', () => {
  it('shows a task from the API on the open page, marked and announced', async () => {
    const page = await openEvent('ev_live')
    await page.getByText('No tasks yet').waitFor()
    await page.evaluate('window.notReloaded = true')
    await page.getByLabel('New task').fill('half a thou')
    await createTask('ev_live', `Bring ${XSS}`)
    await task(page, 'Bring').waitFor()
    await expect.poll(() => task(page, 'Bring').getAttribute('data-arrived')).toBe('true')
    await expect.poll(() => page.getByRole('status').getByText('New task: Bring').count()).toBe(1)
    expect(await page.evaluate('window.notReloaded')).toBe(true)
    expect(await page.evaluate('window.hacked')).toBeUndefined()
    // Text and focus of the field are unchanged.
    expect(await page.getByLabel('New task').inputValue()).toBe('half a thou')
    await page.keyboard.type('ght')
    await expect.poll(() => page.getByLabel('New task').inputValue()).toBe('half a thought')
  })

  it('stores a tick and its removal', async () => {
    const page = await openEvent('ev_tick')
    const box = page.getByRole('checkbox', { name: 'Order ice' })
    await box.focus()
    await page.keyboard.press('Space')
    await expect.poll(() => stored('ev_tick')).toEqual([{ description: 'Order ice', due: null, done: true }])
    await page.getByText('1 of 1 done').waitFor()
    // The focus stays on the task.
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('task-task_1')
    await page.keyboard.press('Space')
    await expect.poll(() => stored('ev_tick')).toEqual([{ description: 'Order ice', due: null, done: false }])
    await expect.poll(() => box.isChecked()).toBe(false)
  })

  it('reverts a failed tick and shows a message', async () => {
    const page = await openEvent('ev_fail')
    await page.route('**/console/tasks/*', (route) => route.abort())
    await page.getByRole('checkbox', { name: 'Hire a van' }).click()
    await page.getByText('Could not complete the task').waitFor()
    await expect.poll(() => page.getByRole('checkbox', { name: 'Hire a van' }).isChecked()).toBe(false)
    expect(await stored('ev_fail')).toEqual([{ description: 'Hire a van', due: null, done: false }])
  })

  it('keeps a task that could not be sent, and shows a message until the server responds again', async () => {
    const page = await openEvent('ev_away')
    let isAway = true
    await page.route('**/console/events/*/tasks*', (route) => (isAway ? route.abort() : route.continue()))
    await page.getByLabel('New task').fill('Not lost')
    await page.keyboard.press('Enter')
    const failure = page.locator('.task-add').getByRole('alert')
    await failure.waitFor()
    const due = await page.getByLabel('Due (optional)').boundingBox()
    expect(((await failure.boundingBox())?.y ?? 0) - (due?.y ?? 0) - (due?.height ?? 0)).toBeGreaterThan(4)
    isAway = false
    await page.getByText('Connected again.').waitFor({ timeout: 15_000 })
    expect(await failure.count()).toBe(0)
    expect(await page.getByLabel('New task').inputValue()).toBe('Not lost')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await task(page, 'Not lost').waitFor()
    await page.getByText('Connected again.').waitFor({ state: 'detached' })
  })

  it('adds, edits, dates and deletes tasks', async () => {
    const page = await openEvent('ev_edit')
    const overdue = task(page, 'Count chairs')
    await expect.poll(() => overdue.innerText()).toMatch(/Overdue since May 1, 2020, 9:30\sAM/)
    await page.getByLabel('New task').fill('Order flowers')
    await page.keyboard.press('Enter')
    await task(page, 'Order flowers').waitFor()
    await expect.poll(() => page.getByLabel('New task').inputValue()).toBe('')
    expect(await task(page, 'Order flowers').getAttribute('data-arrived')).toBeNull()

    await page.getByRole('button', { name: 'Edit: Count chairs' }).click()
    await page.getByLabel('Task', { exact: true }).fill('Count all chairs')
    await page.getByLabel('Due (optional)').fill('2099-01-31T08:15')
    await page.keyboard.press('Enter')
    await page.getByText('Due Jan 31, 2099').waitFor()
    await expect
      .poll(() => stored('ev_edit'))
      .toEqual([
        { description: 'Count all chairs', due: '2099-01-31 13:15', done: false },
        { description: 'Order flowers', due: null, done: false },
      ])

    // An incomplete date is invalid, not empty.
    await page.getByRole('button', { name: 'Edit: Count all chairs' }).click()
    await page.getByLabel('Due (optional)').focus()
    await page.keyboard.press('Backspace')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Enter both a date and a time').waitFor()
    expect((await stored('ev_edit'))[0]?.due).toBe('2099-01-31 13:15')
    await page.getByRole('button', { name: 'Cancel' }).click()

    await page.getByRole('button', { name: 'Edit: Count all chairs' }).click()
    await page.getByLabel('Task', { exact: true }).fill('something else')
    await page.keyboard.press('Escape')
    await task(page, 'Count all chairs').waitFor()

    await page.getByRole('button', { name: 'Delete: Order flowers' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(await stored('ev_edit')).toHaveLength(2)
    await page.getByRole('button', { name: 'Delete: Order flowers' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await task(page, 'Order flowers').waitFor({ state: 'detached' })
    await expect
      .poll(() => stored('ev_edit'))
      .toEqual([{ description: 'Count all chairs', due: '2099-01-31 13:15', done: false }])
  })

  it('warns before overwriting a concurrent edit', async () => {
    const [one, other] = [await openEvent('ev_conflict'), await openEvent('ev_conflict', { role: 'MEMBER' })]
    for (const page of [one, other]) await page.getByRole('button', { name: 'Edit: Print cards' }).click()
    await one.getByLabel('Task', { exact: true }).fill('Print 80 cards')
    await one.getByRole('button', { name: 'Save' }).click()
    await task(one, 'Print 80 cards').waitFor()
    await expect.poll(() => stored('ev_conflict')).toMatchObject([{ description: 'Print 80 cards' }])
    await other.getByLabel('Task', { exact: true }).fill('Print no cards')
    await other.getByRole('button', { name: 'Save', exact: true }).click()
    await other.getByText('Someone else changed this task').waitFor()
    await expect.poll(() => other.getByRole('alert').innerText()).toContain('Print 80 cards')
    expect((await stored('ev_conflict'))[0]?.description).toBe('Print 80 cards')
    await other.getByRole('button', { name: 'Overwrite with mine' }).click()
    await task(other, 'Print no cards').waitFor()
    // The page shows it before it is stored.
    await expect.poll(() => stored('ev_conflict')).toMatchObject([{ description: 'Print no cards' }])
    await task(one, 'Print no cards').waitFor()
  })

  it('keeps the text of an edit while the list and the task change', async () => {
    const page = await openEvent('ev_typing')
    await page.getByRole('button', { name: 'Edit: First' }).click()
    await page.getByLabel('Task', { exact: true }).fill('First, but')
    await pool.query(
      `UPDATE tasks SET completed_at = now(), updated_at = now() WHERE company_id = $1 AND id = 'task_5'`,
      [COMPANY],
    )
    await pool.query(`UPDATE tasks SET due_date = now() WHERE company_id = $1 AND id = 'task_6'`, [COMPANY])
    await createTask('ev_typing', 'Third')
    await task(page, 'Third').waitFor()
    await page.keyboard.type(' better')
    expect(await page.getByLabel('Task', { exact: true }).inputValue()).toBe('First, but better')
    // The task was only ticked, so the text can be saved.
    await page.keyboard.press('Enter')
    await expect
      .poll(() => stored('ev_typing'))
      .toContainEqual({ description: 'First, but better', due: null, done: true })
    await page.getByRole('button', { name: 'Edit: First, but better' }).waitFor()
  })

  it('shows a hundred tasks at a time, and always a new task', async () => {
    await pool.query(
      `INSERT INTO tasks (company_id, id, event_id, description, created_at)
       SELECT $1, 'many_' || i, 'ev_many', 'Number ' || i || '.', now() - interval '1 day' + i * interval '1 second'
       FROM generate_series(1, 250) i`,
      [COMPANY],
    )
    const page = await openEvent('ev_many')
    await page.getByText('0 of 250 done').waitFor()
    expect(await page.locator('.task').count()).toBe(100)
    await page.getByText('150 more tasks').waitFor()
    await page.getByRole('button', { name: 'Show more' }).click()
    await task(page, 'Number 200.').waitFor()
    expect(await page.locator('.task').count()).toBe(200)
    // They are not new.
    expect(await page.locator('.task[data-arrived]').count()).toBe(0)
    await page.getByLabel('New task').fill('The last one')
    await page.keyboard.press('Enter')
    await task(page, 'The last one').waitFor()
    await task(page, 'Number 250.').waitFor()
    await page.getByText('0 of 251 done').waitFor()
    await expect.poll(() => page.locator('.task').count()).toBe(251)
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0)
  })

  it('polls without a body while nothing changes', async () => {
    const page = await openEvent('ev_quiet')
    const polls: [number, number][] = []
    page.on('response', (response) => {
      if (response.url().includes('/tasks'))
        polls.push([response.status(), Number(response.headers()['content-length'] ?? 0)])
    })
    await expect.poll(() => polls.length, { timeout: 20_000 }).toBeGreaterThan(2)
    expect(polls.filter(([status, bytes]) => status !== 204 || bytes !== 0)).toEqual([])
  })

  it('fits a long word on a phone', async () => {
    await createTask('ev_wide', 'x'.repeat(2_000))
    const page = await openEvent('ev_wide', { viewport: { width: 390, height: 844 }, isMobile: true })
    await task(page, 'xxx').waitFor()
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  })
})
