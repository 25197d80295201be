/** New quotes from the first click to a priced draft, options, days, and copies. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectNoBarriers } from './barriers.ts'
import { dollars, isAt, totalOf } from './quote-editing.ts'
import { smallWorld } from './small-world.ts'

const { record, start } = smallWorld('quay')
const usd = (unitPriceCents: number) => ({ prices: [{ currency: 'USD', unitPriceCents }] })
const app = await start([
  record('location', 'pier', {
    name: 'Pier 4',
    streetAddress: '4 Pier Road',
    city: 'Boston',
    timeZone: 'America/New_York',
  }),
  record('location', 'dock', { name: 'Dock 9', timeZone: 'Europe/Berlin' }),
  record('eventType', 'wedding', { name: 'Wedding' }),
  record('lead', 'ada', {
    firstName: 'Ada',
    lastName: 'Noor',
    email: 'ada@example.com',
    phone: '+1 555 0100',
  }),
  record('service', 'bar', { name: 'Open bar', ...usd(10_000), unit: 'HOUR' }),
  record('service', 'dinner', { name: 'Dinner', ...usd(4_000), unit: 'GUEST' }),
  record('service', 'band', { name: 'Band', prices: [{ currency: 'EUR', unitPriceCents: 5 }] }),
  record('addon', 'tent', { name: 'Tent', ...usd(50_000), unit: 'DAY', taxable: false }),
  record('addon', 'chairs', { name: 'Chairs', ...usd(300) }),
  record('service', 'harp', { name: 'Harp', ...usd(9_000), archivedAt: '2026-01-01T00:00:00.000Z' }),
  record('package', 'classic', {
    name: 'Classic wedding',
    lines: [
      { kind: 'SERVICE', serviceId: 'harp' },
      { kind: 'SERVICE', serviceId: 'dinner' },
      { kind: 'ADDON', addonId: 'chairs', quantity: 100, unitPriceCents: 250 },
      { kind: 'CUSTOM', description: 'Planning', unitPriceCents: 90_000, optional: true, selected: false },
    ],
  }),
])
const { pool } = app.database

const apiTotal = async (id: string) => {
  const { body } = await app.server.get(`/api/quotes/${id}`, app.apiKey)
  return (body as { totalPriceCents: number }).totalPriceCents
}
const idIn = (page: Page) => decodeURIComponent(new URL(page.url()).pathname.split('/')[2] ?? '')
const adder = (page: Page) => page.getByPlaceholder('Add a service, add-on or package')

/** Types into the focused field that adds lines. */
async function addLine(page: Page, text: string): Promise<void> {
  const count = await page.locator('.edit-line').count()
  await page.keyboard.type(text)
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('.edit-line').count()).toBeGreaterThan(count)
}

async function newQuote(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Contact' }).fill('noor')
  await page.getByRole('option', { name: 'Ada Noor' }).click()
  await page.getByRole('combobox', { name: 'Location' }).fill('pier')
  await page.getByRole('option', { name: 'Pier 4' }).click()
  await page.getByLabel('Guests').fill('80')
  await page.getByRole('textbox', { name: 'Day 1' }).fill('2027-06-05')
  await page.getByLabel('Start').fill('16:00')
  await page.getByLabel('End').fill('21:00')
  await page.getByRole('button', { name: 'Create quote' }).click()
  await page.getByRole('heading', { name: 'Price', exact: true }).waitFor()
}

describe('a new quote', () => {
  it('Q22: takes two clicks and typing to a saved draft of five lines', async () => {
    const page = await app.open('/quotes')
    /** Types no faster than a person: once the field shows its options. Enter chooses the highlighted one. */
    const choose = async (text: string, name: string) => {
      await page.keyboard.press('Tab')
      await page.getByRole('option', { name }).waitFor()
      await page.keyboard.type(text)
      await page.locator('[role="option"][data-combobox-selected]', { hasText: name }).waitFor()
      await page.keyboard.press('Enter')
    }
    await page.evaluate(
      `globalThis.clicks = 0; addEventListener('click', (event) => (clicks += event.detail > 0 ? 1 : 0), true)`,
    )
    await page.getByRole('link', { name: 'New quote' }).first().click()
    await page.getByRole('heading', { name: 'New quote' }).waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.placeholder')).toMatch(/^Search by name/)
    await page.keyboard.type('noor')
    await page.getByRole('option', { name: 'Ada Noor' }).waitFor()
    await page.keyboard.press('Enter')
    await choose('wed', 'Wedding')
    await page.keyboard.press('Tab')
    await page.keyboard.type('80')
    await choose('pier', 'Pier 4')
    await expect.poll(() => page.getByLabel('Event address').inputValue()).toBe('4 Pier Road, Boston')
    await page.getByRole('textbox', { name: 'Day 1' }).fill('2027-06-05')
    await page.getByLabel('Start').fill('16:00')
    await page.getByLabel('End').fill('21:00')
    await page.getByLabel('End').focus()
    await expectNoBarriers(page)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Edit Q-1' }).waitFor()
    await adder(page).first().click()
    for (const text of ['open', 'dinner', 'tent', 'chairs', 'open']) await addLine(page, text)
    // 5 hours at $100 twice, 80 guests at $40, one day at $500, one chair at $3.
    await expect.poll(() => totalOf(page)).toBe(dollars(100_000 + 320_000 + 50_000 + 300))
    expect(await page.evaluate('clicks')).toBeLessThanOrEqual(12)
    await page.keyboard.press('Control+S')
    const id = idIn(page)
    await isAt(page, `/quotes/${id}`)
    expect(await apiTotal(id)).toBe(470_300)
    await page.getByText('Wedding · Pier 4 · Q-1').waitFor()
    expect(await page.title()).toContain('Q-1')
    await expectNoBarriers(page)
  })

  it('Q22: creates a contact with the quote, and keeps what was typed when the call fails', async () => {
    const page = await app.open('/quotes/new')
    await page.getByRole('combobox', { name: 'Contact' }).fill('Grace Hop')
    await page.getByRole('option', { name: /New contact/ }).click()
    expect(await page.getByLabel('Last name').inputValue()).toBe('Hop')
    await page.getByRole('button', { name: 'Create quote' }).click()
    await page.getByText('Choose a location.').waitFor()
    await page.getByRole('combobox', { name: 'Location' }).fill('pier')
    await page.getByRole('option', { name: 'Pier 4' }).click()
    await page.route('**/console/quotes', (route) => route.abort())
    await page.getByRole('button', { name: 'Create quote' }).click()
    await page.getByText('Cannot reach the server.').first().waitFor()
    expect(await page.getByLabel('First name').inputValue()).toBe('Grace')
    await page.unroute('**/console/quotes')
    await page.getByRole('button', { name: 'Create quote' }).click()
    await page.getByRole('heading', { name: /^Edit Q-/ }).waitFor()
    const { rows } = await pool.query(`SELECT 1 FROM leads WHERE first_name = 'Grace' AND last_name = 'Hop'`)
    expect(rows).toHaveLength(1)
  })

  it('Q1: an email address that a contact has is noticed, and that contact can be used', async () => {
    const page = await app.open('/quotes/new')
    await page.getByRole('combobox', { name: 'Contact' }).fill('someone')
    await page.getByRole('option', { name: /New contact/ }).click()
    await page.getByLabel('Email').fill('Ada@Example.com')
    await page.getByText('Also the email address of Ada Noor').waitFor()
    await expectNoBarriers(page)
    await page.getByRole('button', { name: 'Use Ada Noor' }).click()
    await expect.poll(() => page.getByRole('combobox', { name: 'Contact' }).inputValue()).toBe('Ada Noor')
    await page.getByRole('button', { name: 'Create quote' }).click()
    await page.getByText('Choose a location.').waitFor()
    expect(await page.getByText('Choose a contact').count()).toBe(0)
  })

  it('Q22: works on a phone and in dark mode', async () => {
    const page = await app.open('/quotes/new', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' })
    await page.getByRole('button', { name: 'Create quote' }).waitFor()
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    await expectNoBarriers(page)
  })
})

describe('the lines of a quote', () => {
  it('P27: can be optional and alternatives, and only selected lines are in the total', async () => {
    const page = await app.open('/quotes/new')
    await newQuote(page)
    const id = idIn(page)
    await adder(page).first().click()
    for (const text of ['dinner', 'open', 'chairs']) await addLine(page, text)
    const more = async (name: string, item: string) => {
      await page.getByRole('button', { name: `More for ${name}` }).click()
      await page.getByRole('menuitem', { name: item, exact: true }).click()
    }
    await more('Chairs', 'Make optional')
    await page.getByLabel('Chairs is selected').uncheck()
    await more('Open bar', 'Dinner')
    await expect.poll(() => totalOf(page)).toBe(dollars(320_000))
    await page.getByLabel('Open bar is selected').check()
    await expect.poll(() => totalOf(page)).toBe(dollars(50_000))
    expect(await page.getByText('Not in the total').count()).toBe(2)
    await expectNoBarriers(page)
    await page.getByRole('button', { name: 'Save' }).first().click()
    await isAt(page, `/quotes/${id}`)
    await expect.poll(() => page.getByText('not in the total').count()).toBe(2)
    expect(await apiTotal(id)).toBe(50_000)
    const { body } = await app.server.get(`/api/quotes/${id}?expand=services,addons`, app.apiKey)
    expect(body).toMatchObject({ services: [{ id: 'bar' }], addons: [] })
  })

  it('Q23: come from packages, are reordered by keyboard, copied, and recalculated on request', async () => {
    const page = await app.open('/quotes/new')
    await newQuote(page)
    const id = idIn(page)
    await adder(page).first().click()
    await addLine(page, 'classic')
    await page.getByText('No longer in the catalog: Harp.').waitFor()
    await expect.poll(() => totalOf(page)).toBe(dollars(320_000 + 25_000))
    await addLine(page, 'band')
    await page.getByText('The catalog has no price in USD. Enter one.').waitFor()
    await page.getByRole('listitem', { name: 'Band' }).getByLabel('Price', { exact: true }).fill('70')
    await page.getByRole('button', { name: 'Reorder Band' }).focus()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    const names = () =>
      page.locator('.edit-line').evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label')))
    await expect.poll(names).toEqual(['Dinner', 'Band', 'Chairs', 'Planning'])
    await page.getByRole('button', { name: 'More for Band' }).click()
    await page.getByRole('menuitem', { name: 'Copy line' }).click()
    await expect.poll(names).toEqual(['Dinner', 'Band', 'Band', 'Chairs', 'Planning'])
    await page.getByLabel('Guests').fill('100')
    await expect.poll(() => totalOf(page)).toBe(dollars(320_000 + 25_000 + 14_000))
    await page.getByRole('button', { name: 'Recalculate 1 line' }).click()
    await expect.poll(() => totalOf(page)).toBe(dollars(400_000 + 25_000 + 14_000))
    const dinner = page.getByRole('listitem', { name: 'Dinner' })
    await dinner.getByLabel('Price', { exact: true }).fill('3900')
    await page.getByLabel('Guests').fill('110')
    await page.getByText('1 line with a typed price keeps it: only the quantity changes.').waitFor()
    await page.getByRole('button', { name: 'Change quantity' }).click()
    expect(await dinner.getByLabel('Quantity').inputValue()).toBe('110')
    await expect.poll(() => totalOf(page)).toBe(dollars(390_000 + 25_000 + 14_000))
    await page.getByRole('button', { name: 'Save' }).first().click()
    await isAt(page, `/quotes/${id}`)
    expect(await apiTotal(id)).toBe(429_000)
    const { rows } = await pool.query(
      'SELECT coalesce(service_id, addon_id, description) AS name FROM line_items WHERE quote_id = $1 ORDER BY position',
      [id],
    )
    expect(rows.map(({ name }) => name as string)).toEqual(['dinner', 'band', 'band', 'chairs', 'Planning'])
  })

  it('Q23: move with their day, and the whole quote is duplicated', async () => {
    const page = await app.open('/quotes/new')
    await newQuote(page)
    const id = idIn(page)
    await page.getByRole('button', { name: 'Add day' }).click()
    await adder(page).nth(1).click()
    await addLine(page, 'open')
    await addLine(page, 'chairs')
    await page.getByRole('button', { name: /^Remove day Jun 6/ }).click()
    await page.getByRole('button', { name: 'Move lines', exact: true }).click()
    await expect.poll(() => page.locator('section[aria-label="Whole event"] .edit-line').count()).toBe(2)
    await page.getByRole('button', { name: 'Edit details' }).click()
    await page.getByLabel('Event address').fill('1 Long Wharf')
    await page.getByRole('combobox', { name: 'Location' }).fill('dock')
    await page.getByRole('option', { name: 'Dock 9' }).click()
    await page.getByRole('button', { name: 'Save' }).first().click()
    await isAt(page, `/quotes/${id}`)
    const { rows } = await pool.query(
      `SELECT q.event_address, q.location_id, d.service_start_time AT TIME ZONE 'Europe/Berlin' AS start
       FROM quotes q JOIN service_days d ON d.quote_id = q.id WHERE q.id = $1`,
      [id],
    )
    expect(rows).toMatchObject([{ event_address: '1 Long Wharf', location_id: 'dock' }])
    expect(String((rows[0] as { start: unknown }).start)).toContain('16:00')
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    await page.getByRole('heading', { name: /^Edit Q-/ }).waitFor()
    const copy = idIn(page)
    expect(copy).not.toBe(id)
    expect(await apiTotal(copy)).toBe(await apiTotal(id))
    expect(await page.locator('.edit-line').count()).toBe(2)
  })

  it('fits on a phone', async () => {
    const { rows } = await pool.query<{ id: string }>(
      `SELECT quote_id AS id FROM line_items WHERE optional ORDER BY created_at LIMIT 1`,
    )
    const page = await app.open(`/quotes/${rows[0]?.id}/edit`, {
      viewport: { width: 360, height: 740 },
      colorScheme: 'dark',
    })
    await page.getByRole('heading', { name: 'Price', exact: true }).waitFor()
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    await expectNoBarriers(page)
  })
})

describe('a conflict', () => {
  it('Q24: merges details, days and options of two users', async () => {
    const first = await app.open('/quotes/new')
    await newQuote(first)
    const id = idIn(first)
    await adder(first).first().click()
    await addLine(first, 'chairs')
    await first.getByRole('button', { name: 'Save' }).first().click()
    await isAt(first, `/quotes/${id}`)
    const [mine, theirs] = await Promise.all([app.open(`/quotes/${id}/edit`), app.open(`/quotes/${id}/edit`)])
    await theirs.getByLabel('Guests').fill('90')
    await theirs.getByRole('button', { name: 'Save' }).first().click()
    await isAt(theirs, `/quotes/${id}`)
    await mine.getByRole('button', { name: 'Add day' }).click()
    await mine.getByRole('button', { name: 'More for Chairs' }).click()
    await mine.getByRole('menuitem', { name: 'Make optional' }).click()
    await mine.getByRole('button', { name: 'Save' }).first().click()
    const dialog = mine.getByRole('dialog')
    await dialog.getByRole('rowheader', { name: 'Guests' }).waitFor()
    await dialog.getByRole('rowheader', { name: 'Day' }).waitFor()
    await dialog.getByRole('rowheader', { name: 'Chairs: optional' }).waitFor()
    await dialog.getByRole('button', { name: 'Apply mine on top' }).click()
    expect(await mine.getByLabel('Guests').inputValue()).toBe('90')
    await mine.getByRole('button', { name: 'Save' }).first().click()
    await isAt(mine, `/quotes/${id}`)
    const { rows } = await pool.query(
      `SELECT q.guest_count, l.optional, (SELECT count(*)::int FROM service_days d WHERE d.quote_id = q.id) AS days
       FROM quotes q JOIN line_items l ON l.quote_id = q.id WHERE q.id = $1`,
      [id],
    )
    expect(rows).toEqual([{ guest_count: 90, optional: true, days: 2 }])
  })
})
