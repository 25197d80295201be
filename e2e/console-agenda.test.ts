import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { smallWorld } from './small-world.ts'

const COMPANY = 'co_events'
const XSS = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'

const { record, event, start } = smallWorld(COMPANY)

const app = await start([
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
])
const { pool } = app.database

/** Collects errors of the page. */
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
  it('shows each event on its local day and time, with the time zone if it differs', async () => {
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
    // After midnight the event also appears on the next day.
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

  it('shows the same days in a distant time zone, except for events without a location', async () => {
    const page = await app.open('/events?period=2027-W07', { timezoneId: 'Pacific/Auckland' })
    await page.getByText('Tokyo breakfast').waitFor()
    await expect.poll(() => namesIn(page, 'Monday February 15')).toEqual(['New York dinner'])
    await expect.poll(() => namesIn(page, 'Tuesday February 16')).toEqual(['Tokyo breakfast'])
    await expect.poll(() => namesIn(page, 'Thursday February 18')).toEqual(['Called off', 'Late show'])
  })

  it('moves by week and month, and keeps the period in the URL', async () => {
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
    // Weeks begin on Sunday in this locale.
    await title('January 31 – February 6, 2027')
    expect(periodOf(page)).toBe('2027-01-31')
  })

  it('marks today and returns to it', async () => {
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

  it('begins weeks on Monday in a locale that does', async () => {
    const page = await app.open('/events?period=2027-02', { locale: 'de-DE' })
    await page.getByRole('table').waitFor()
    await expect
      .poll(() => page.getByRole('columnheader').allTextContents())
      .toEqual(['Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa', 'So'])
  })

  it('folds a full day of a month and unfolds it in place', async () => {
    const page = await app.open('/events?period=2027-02')
    await page.getByRole('table').waitFor()
    const cell = page.getByRole('cell', { name: 'Wednesday, February 10, 2027' })
    await expect.poll(() => cell.getByRole('link').count()).toBe(3)
    const more = cell.getByRole('button', { name: '+3 more' })
    await more.press('Enter')
    await expect.poll(() => cell.getByRole('link').count()).toBe(6)
    await cell.getByRole('button', { name: 'Show fewer' }).click()
    await expect.poll(() => cell.getByRole('link').count()).toBe(3)
    // An event of several days appears on each of them.
    for (const date of [23, 24, 25, 26])
      expect(
        await page
          .getByRole('cell', { name: `February ${date}, 2027` })
          .getByRole('link', { name: 'Fair' })
          .count(),
      ).toBe(1)
  })

  it('moves two weeks for two clicks before the next render', async () => {
    const page = await app.open('/events?period=2027-02-14')
    await page.getByText('Tokyo breakfast').waitFor()
    await page.evaluate(
      `const next = document.querySelector('[aria-label="Next week"]'); next.click(); next.click()`,
    )
    await page.getByRole('heading', { level: 2, name: 'February 28 – March 6, 2027' }).waitFor()
    expect(periodOf(page)).toBe('2027-02-28')
  })

  it('shows today in a view that was chosen before the next render', async () => {
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

  it('filters by location and keeps it in the URL', async () => {
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

  it('is a list of days on a phone without horizontal scrolling', async () => {
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
  it('opens from the agenda with all its data and runs no script in it', async () => {
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
    ['in two columns', { viewport: { width: 1280, height: 844 } }],
  ])('has its panels in reading order, %s', async (_, look) => {
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
      'History',
    ])
    // Column by column, each from top to bottom.
    for (const x of new Set(panels.map((panel) => panel.x))) {
      const tops = panels.filter((panel) => panel.x === x).map(({ y }) => y)
      expect(tops).toEqual(tops.toSorted((a, b) => a - b))
    }
  })

  it('moves the focus from the agenda to its heading', async () => {
    const page = await app.open('/events?period=2027-03')
    await page.getByRole('link', { name: /Gala/ }).first().press('Enter')
    await page.getByLabel('New task').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1')
  })

  it('shows a message if it does not exist', async () => {
    const page = await app.open('/events/no-such-event')
    await page.getByText('Event not found.').waitFor()
  })
})
