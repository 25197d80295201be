import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { startConsole } from './console.ts'

const COMPANY = 'co_events'
const KEY = 'a-plain-key-for-events'
const XSS = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'

const record = (object: string, id: string, rest: object) =>
  JSON.stringify({ object, id, companyId: COMPANY, ...rest })
const event = (id: string, start: string, end: string, rest: object = {}) =>
  record('event', id, { name: id, serviceStartTime: start, serviceEndTime: end, ...rest })

const app = await startConsole({
  companyId: COMPANY,
  apiKey: KEY,
  lines: [
    JSON.stringify({ object: 'company', id: COMPANY, name: 'Quay & Co', plan: 'PREMIUM', currency: 'USD' }),
    record('apiKey', 'key', { name: 'Site', key: KEY }),
    record('location', 'tokyo', { name: 'Sumida Hall', city: 'Tokyo', timeZone: 'Asia/Tokyo' }),
    record('location', 'york', { name: 'Pier 4', timeZone: 'America/New_York' }),
    // 23:00 on Monday in UTC: Tuesday morning in Tokyo, Monday evening in New York.
    event('Tokyo breakfast', '2027-02-15T23:00:00Z', '2027-02-16T01:00:00Z', { locationId: 'tokyo' }),
    event('New York dinner', '2027-02-15T23:00:00Z', '2027-02-16T02:00:00Z', { locationId: 'york' }),
    event('Late show', '2027-02-19T02:00:00Z', '2027-02-19T07:00:00Z', { locationId: 'york' }),
    event('Fair', '2027-02-23T15:00:00Z', '2027-02-26T22:00:00Z', { locationId: 'york' }),
    event('Next week', '2027-02-24T15:00:00Z', '2027-02-24T17:00:00Z', { locationId: 'york' }),
    ...['one', 'two', 'three', 'four', 'five', 'six'].map((name, i) =>
      event(`Busy ${name}`, `2027-02-10T1${i}:00:00Z`, `2027-02-10T1${i}:30:00Z`, { locationId: 'york' }),
    ),
    record('booking', 'book_off', {
      currency: 'USD',
      totalPriceCents: 5,
      canceledAt: '2027-01-01T00:00:00Z',
    }),
    event('Called off', '2027-02-17T15:00:00Z', '2027-02-17T17:00:00Z', { bookingId: 'book_off' }),
    record('staff', 'staff_1', { firstName: 'Imani', lastName: 'Rahman', email: 'i@example.com', role: XSS }),
    record('resource', 'res_1', { name: 'Combi steamer', locationId: 'tokyo' }),
    record('service', 'srv_1', { name: 'Open bar' }),
    record('addon', 'add_1', { name: 'Backdrop' }),
    record('eventType', 'type_1', { name: 'Gala' }),
    record('booking', 'book_1', {
      quoteId: 'quote_9',
      eventTypeId: 'type_1',
      fullName: 'Nora Quint',
      currency: 'USD',
      totalPriceCents: 1_234_500,
    }),
    event('ev_gala', '2027-03-05T09:00:00Z', '2027-03-05T13:00:00Z', {
      name: `Gala ${XSS}`,
      clientName: 'Nora Quint',
      clientEmail: 'nora@example.com',
      siteContactName: 'Mara Diallo',
      siteContactPhone: '(312) 555-0142',
      specialNotes: XSS,
      locationId: 'tokyo',
      bookingId: 'book_1',
      staffIds: ['staff_1'],
      staffNumber: 3,
      resourceIds: ['res_1'],
      serviceIds: ['srv_1'],
      addonIds: ['add_1'],
    }),
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
  ],
})
const { pool } = app.database

/** What goes wrong in the page, to be nothing. */
function watch(page: Page): string[] {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  return problems
}

const periodOf = (page: Page) => new URL(page.url()).searchParams.get('period')

/** The day of a list by its heading, such as `Monday February 15`. */
const day = (page: Page, name: string) => page.getByRole('region', { name })
const namesIn = async (page: Page, name: string) =>
  (await day(page, name).locator('.agenda-name').allTextContents()).map((text) => text.trim())

describe('the agenda in New York', () => {
  it('shows each event on its day and at its time where it takes place, with the zone where it is another', async () => {
    const page = await app.open('/events?period=2027-W07')
    await page.getByRole('heading', { name: 'February 15 – 21, 2027' }).waitFor()
    await page.getByText('Tokyo breakfast').waitFor()
    await expect.poll(() => namesIn(page, 'Monday February 15')).toEqual(['New York dinner'])
    await expect.poll(() => namesIn(page, 'Tuesday February 16')).toEqual(['Tokyo breakfast'])
    const tokyo = page.getByRole('link', { name: /Tokyo breakfast/ })
    await expect
      .poll(() => tokyo.locator('.agenda-time').innerText())
      .toMatch(/8:00\sAM – 10:00\sAM\s*GMT\+9/)
    const york = page.getByRole('link', { name: /New York dinner/ })
    await expect.poll(() => york.locator('.agenda-time').innerText()).toMatch(/^6:00\sPM – 9:00\sPM$/)
    // Over midnight: on its evening, and what is left of it on the day after.
    await expect.poll(() => namesIn(page, 'Thursday February 18')).toEqual(['Late show'])
    await expect
      .poll(() => day(page, 'Thursday February 18').locator('.agenda-time').innerText())
      .toMatch(/9:00\sPM – 2:00\sAM/)
    await expect
      .poll(() => day(page, 'Friday February 19').locator('.agenda-time').innerText())
      .toMatch(/until 2:00\sAM/)
    await expect.poll(() => day(page, 'Wednesday February 17').getByText('Canceled').count()).toBe(1)
    await expect.poll(() => day(page, 'Saturday February 20').innerText()).toContain('No events')
  })

  it('the same in a browser on the other side of the world, but for events without a place', async () => {
    const page = await app.open('/events?period=2027-W07', { timezoneId: 'Pacific/Auckland' })
    await page.getByText('Tokyo breakfast').waitFor()
    await expect.poll(() => namesIn(page, 'Monday February 15')).toEqual(['New York dinner'])
    await expect.poll(() => namesIn(page, 'Tuesday February 16')).toEqual(['Tokyo breakfast'])
    await expect.poll(() => namesIn(page, 'Thursday February 18')).toEqual(['Called off', 'Late show'])
  })

  it('turns by week and month, and its address can be shared and gone back to', async () => {
    const page = await app.open('/events?period=2027-02-14')
    const title = (name: string) => page.getByRole('heading', { level: 2, name, exact: true }).waitFor()
    await page.getByText('Tokyo breakfast').waitFor()
    await page.getByRole('button', { name: 'Next week' }).click()
    await title('February 21 – 27, 2027')
    expect(periodOf(page)).toBe('2027-02-21')
    await page.getByRole('link', { name: 'Next week' }).waitFor()
    await expect.poll(() => namesIn(page, 'Wednesday February 24')).toEqual(['Fair', 'Next week'])
    await page.getByText('Month', { exact: true }).click()
    await title('February 2027')
    await page.getByRole('table').waitFor()
    expect(periodOf(page)).toBe('2027-02')
    await page.getByRole('button', { name: 'Next month' }).click()
    await title('March 2027')
    for (const name of ['February 2027', 'January 2027']) {
      await page.getByRole('button', { name: 'Previous month' }).click()
      await title(name)
    }
    expect(periodOf(page)).toBe('2027-01')
    await page.goBack()
    await title('February 2027')
    await page.reload()
    await title('February 2027')
    await page.getByText('Week', { exact: true }).click()
    // The week begins on Sunday here.
    await title('January 31 – February 6, 2027')
    expect(periodOf(page)).toBe('2027-01-31')
  })

  it('marks today, and goes back to it', async () => {
    const now = new Date()
    const inAnHour = new Date(now.getTime() + 3_600_000)
    await pool.query(
      `INSERT INTO events (company_id, id, name, service_start_time, service_end_time)
      VALUES ($1, 'ev_now', 'Right now', $2, $3)`,
      [COMPANY, now, inAnHour],
    )
    const page = await app.open('/events?period=2027-02')
    await page.getByRole('table').waitFor()
    await page.getByText('Week', { exact: true }).click()
    await page.getByRole('button', { name: 'Today' }).click()
    await page.getByText('Right now').first().waitFor()
    const options = { timeZone: 'America/New_York', day: 'numeric', month: 'long' } as const
    const today = new Intl.DateTimeFormat('en-US', options).format(now)
    const marked = page.locator('.agenda-day[data-today]')
    await expect.poll(() => marked.count()).toBe(1)
    await expect.poll(() => marked.innerText()).toContain(today)
    await expect.poll(() => marked.innerText()).toContain('Today')
    await expect.poll(() => marked.innerText()).toContain('Right now')
  })

  it('a week begins on Monday where that is the custom', async () => {
    const page = await app.open('/events?period=2027-02', { locale: 'de-DE' })
    await page.getByRole('table').waitFor()
    await expect
      .poll(() => page.getByRole('columnheader').allTextContents())
      .toEqual(['Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa', 'So'])
  })

  it('a full day of a month is folded and opens in its place', async () => {
    const page = await app.open('/events?period=2027-02')
    await page.getByRole('table').waitFor()
    const cell = page.getByRole('cell', { name: 'Wednesday, February 10, 2027' })
    await expect.poll(() => cell.getByRole('link').count()).toBe(3)
    const more = cell.getByRole('button', { name: '+3 more' })
    await more.press('Enter')
    await expect.poll(() => cell.getByRole('link').count()).toBe(6)
    await cell.getByRole('button', { name: 'Show fewer' }).click()
    await expect.poll(() => cell.getByRole('link').count()).toBe(3)
    // Several days: on each of them.
    for (const date of [23, 24, 25, 26])
      expect(
        await page
          .getByRole('cell', { name: `February ${date}, 2027` })
          .getByRole('link', { name: 'Fair' })
          .count(),
      ).toBe(1)
  })

  it('turns twice for two clicks, also before it is drawn again', async () => {
    const page = await app.open('/events?period=2027-02-14')
    await page.getByText('Tokyo breakfast').waitFor()
    await page.evaluate(
      `const next = document.querySelector('[aria-label="Next week"]'); next.click(); next.click()`,
    )
    await page.getByRole('heading', { level: 2, name: 'February 28 – March 6, 2027' }).waitFor()
    expect(periodOf(page)).toBe('2027-02-28')
  })

  it('shows today in the view that was just chosen, also before it is drawn', async () => {
    const page = await app.open('/events?period=2027-02-14')
    await page.getByText('Tokyo breakfast').waitFor()
    await page.evaluate(
      `document.querySelector('input[value="month"]').click()
      for (const button of document.querySelectorAll('button')) if (button.textContent === 'Today') button.click()`,
    )
    await page.getByRole('button', { name: 'Previous month' }).waitFor()
    expect(periodOf(page)).toMatch(/^\d{4}-\d\d$/)
    await expect
      .poll(() => page.getByRole('button', { name: 'Today' }).getAttribute('aria-current'))
      .toBe('date')
  })

  it('can be of one location, which the address keeps', async () => {
    const page = await app.open('/events?period=2027-W07')
    await page.getByText('New York dinner').waitFor()
    await page.getByLabel('Location').selectOption({ label: 'Sumida Hall' })
    await expect.poll(() => page.locator('.agenda-name').allTextContents()).toEqual(['Tokyo breakfast'])
    expect(new URL(page.url()).searchParams.get('location')).toBe('tokyo')
    await page.reload()
    await page.getByText('Tokyo breakfast').waitFor()
    await expect.poll(() => page.locator('.agenda-name').allTextContents()).toEqual(['Tokyo breakfast'])
    await page.getByRole('button', { name: 'Next week' }).click()
    await page.getByText('No events this week').waitFor()
  })

  it('is a list of days on a phone, without scrolling sideways', async () => {
    const page = await app.open('/events?period=2027-02', {
      viewport: { width: 390, height: 844 },
      isMobile: true,
    })
    await page.getByText('Tokyo breakfast').waitFor()
    expect(await page.getByRole('table').count()).toBe(0)
    await expect.poll(() => namesIn(page, 'Tuesday February 16')).toEqual(['Tokyo breakfast'])
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  })
})

describe('an event', () => {
  it('is opened from the agenda, with all that belongs to it, and runs no script of its data', async () => {
    const page = await app.open('/events?period=2027-03', { role: 'MEMBER' })
    const problems = watch(page)
    await page.getByRole('link', { name: /Gala/ }).first().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: `Gala ${XSS}` }).waitFor()
    const text = await page.getByRole('main').innerText()
    for (const part of [
      'Friday, March 5, 2027, 6:00 PM – 10:00 PM GMT+9',
      '4:00 AM – 8:00 AM your time',
      'Sumida Hall',
      'Nora Quint',
      'nora@example.com',
      'Mara Diallo',
      '1 of 3 needed',
      'Imani Rahman',
      'Combi steamer',
      'Open bar',
      'Backdrop',
      '$12,345.00',
      'Gala',
      XSS,
    ])
      expect(text.replaceAll(/[\u00a0\u202f]/g, ' ')).toContain(part)
    await expect
      .poll(() => page.getByRole('link', { name: 'View quote' }).getAttribute('href'))
      .toBe('/quotes/quote_9')
    expect(await page.evaluate('window.hacked')).toBeUndefined()
    expect(problems).toEqual([])
    await page.getByRole('main').getByRole('link', { name: 'Events', exact: true }).click()
    await page.getByRole('heading', { name: 'February 28 – March 6, 2027' }).waitFor()
  })

  it.each([
    ['on a phone', { viewport: { width: 390, height: 844 }, isMobile: true }],
    ['with room for two columns', { viewport: { width: 1280, height: 844 } }],
  ])('is read in the order it is seen in, %s', async (_, look) => {
    const page = await app.open('/events/ev_gala', look)
    await page.getByLabel('New task').waitFor()
    const panels = await page.locator('.event-page .app-panel').evaluateAll((all) =>
      all.map((one) => ({
        name: one.querySelector('h2')?.textContent,
        x: one.getBoundingClientRect().x,
        y: one.getBoundingClientRect().y,
      })),
    )
    expect(panels.map(({ name }) => name)).toEqual([
      'When and where',
      'Checklist',
      'Customer',
      'Booking',
      'Invoices',
      'Staff',
      'Equipment',
      'Services and add-ons',
      'Notes',
    ])
    // Column by column, each from top to bottom.
    for (const x of new Set(panels.map((panel) => panel.x))) {
      const tops = panels.filter((panel) => panel.x === x).map(({ y }) => y)
      expect(tops).toEqual(tops.toSorted((a, b) => a - b))
    }
  })

  it('takes the keyboard along from the agenda to its name', async () => {
    const page = await app.open('/events?period=2027-03')
    await page.getByRole('link', { name: /Gala/ }).first().press('Enter')
    await page.getByLabel('New task').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1')
  })

  it('that is not there is said to be so', async () => {
    const page = await app.open('/events/no-such-event')
    await page.getByText('Event not found.').waitFor()
  })
})

async function createTask(eventId: string, description: string): Promise<void> {
  const answer = await fetch(`${app.url}/api/task/create`, {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
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

describe('the admin checklist', () => {
  it('a task made over the API appears on the open page within two seconds, marked and announced', async () => {
    const page = await openEvent('ev_live')
    await page.getByText('No tasks yet').waitFor()
    await page.evaluate('window.notReloaded = true')
    await page.getByLabel('New task').fill('half a thou')
    await createTask('ev_live', `Bring ${XSS}`)
    const made = Date.now()
    await task(page, 'Bring').waitFor()
    // A little more than the promise, for a busy machine.
    expect(Date.now() - made).toBeLessThan(4_000)
    await expect.poll(() => task(page, 'Bring').getAttribute('data-arrived')).toBe('true')
    await expect.poll(() => page.getByRole('status').getByText('New task: Bring').count()).toBe(1)
    expect(await page.evaluate('window.notReloaded')).toBe(true)
    expect(await page.evaluate('window.hacked')).toBeUndefined()
    // What was being typed is as it was, where it was.
    expect(await page.getByLabel('New task').inputValue()).toBe('half a thou')
    await page.keyboard.type('ght')
    await expect.poll(() => page.getByLabel('New task').inputValue()).toBe('half a thought')
  })

  it('a tick is stored, and so is taking it away', async () => {
    const page = await openEvent('ev_tick')
    const box = page.getByRole('checkbox', { name: 'Order ice' })
    await box.focus()
    await page.keyboard.press('Space')
    await expect.poll(() => stored('ev_tick')).toEqual([{ description: 'Order ice', due: null, done: true }])
    await page.getByText('1 of 1 done').waitFor()
    // The keyboard goes on from the same task.
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('task-task_1')
    await page.keyboard.press('Space')
    await expect.poll(() => stored('ev_tick')).toEqual([{ description: 'Order ice', due: null, done: false }])
    await expect.poll(() => box.isChecked()).toBe(false)
  })

  it('a tick that fails is taken back, and said', async () => {
    const page = await openEvent('ev_fail')
    await page.route('**/console/tasks/*', (route) => route.abort())
    await page.getByRole('checkbox', { name: 'Hire a van' }).click()
    await page.getByText('Could not complete the task').waitFor()
    await expect.poll(() => page.getByRole('checkbox', { name: 'Hire a van' }).isChecked()).toBe(false)
    expect(await stored('ev_fail')).toEqual([{ description: 'Hire a van', due: null, done: false }])
  })

  it('a task that could not be sent says so until the service can be reached again', async () => {
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

  it('tasks are added with Enter, edited in place, given a date, and removed', async () => {
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

    // Half a date is no date, and is not taken for none.
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

  it('two people who edit the same task do not overwrite each other in silence', async () => {
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
    // It is shown before it is stored.
    await expect.poll(() => stored('ev_conflict')).toMatchObject([{ description: 'Print no cards' }])
    await task(one, 'Print no cards').waitFor()
  })

  it('what is being typed in an edit stays, whatever happens to the list and the task', async () => {
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
    // Somebody only ticked it: the text can be saved.
    await page.keyboard.press('Enter')
    await expect
      .poll(() => stored('ev_typing'))
      .toContainEqual({ description: 'First, but better', due: null, done: true })
    await page.getByRole('button', { name: 'Edit: First, but better' }).waitFor()
  })

  it('a long checklist is shown a hundred tasks at a time, and a new task is always shown', async () => {
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
    // They were there before.
    expect(await page.locator('.task[data-arrived]').count()).toBe(0)
    await page.getByLabel('New task').fill('The last one')
    await page.keyboard.press('Enter')
    await task(page, 'The last one').waitFor()
    await task(page, 'Number 250.').waitFor()
    await page.getByText('0 of 251 done').waitFor()
    await expect.poll(() => page.locator('.task').count()).toBe(251)
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0)
  })

  it('polls without a change bring no tasks', async () => {
    const page = await openEvent('ev_quiet')
    const polls: [number, number][] = []
    page.on('response', (response) => {
      if (response.url().includes('/tasks'))
        polls.push([response.status(), Number(response.headers()['content-length'] ?? 0)])
    })
    await expect.poll(() => polls.length, { timeout: 20_000 }).toBeGreaterThan(2)
    expect(polls.filter(([status, bytes]) => status !== 204 || bytes !== 0)).toEqual([])
  })

  it('takes a long word on a phone without scrolling sideways', async () => {
    await createTask('ev_wide', 'x'.repeat(2_000))
    const page = await openEvent('ev_wide', { viewport: { width: 390, height: 844 }, isMobile: true })
    await task(page, 'xxx').waitFor()
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  })
})
