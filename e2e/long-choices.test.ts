/** Fields with more choices than a page loads. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectNoBarriers } from './barriers.ts'
import { TWO_LOOKS } from './console.ts'
import { isAt, save, startQuoteEditing, totalOf } from './quote-editing.ts'

const app = await startQuoteEditing()
const { takeQuote, openEditor, companyId } = app
const { pool } = app.database

/** By name, `Zebra …` comes after the 2,000 that a page loads. */
await pool.query(
  `INSERT INTO locations (company_id, id, name, time_zone)
   SELECT $1, 'loc_long_' || i, 'Branch ' || lpad(i::text, 4, '0'), 'UTC' FROM generate_series(1, 5000) i
   UNION ALL SELECT $1, 'loc_zebra', 'Zebra wharf', 'Asia/Tokyo'`,
  [companyId],
)
await pool.query(
  `INSERT INTO payment_terms (company_id, id, name, payment_schedule, invoice_due_days)
   SELECT $1, 'terms_long_' || i, 'Terms ' || lpad(i::text, 4, '0'), 'FULL', i % 30 FROM generate_series(1, 2100) i
   UNION ALL SELECT $1, 'terms_zebra', 'Zebra terms', 'FULL', 5`,
  [companyId],
)
await pool.query(
  `INSERT INTO service_charges (company_id, id, name, type, percentage)
   SELECT $1, 'charge_long_' || i, 'Charge ' || lpad(i::text, 4, '0'), 'PERCENT', 1 FROM generate_series(1, 2100) i
   UNION ALL SELECT $1, 'charge_zebra', 'Zebra charge', 'PERCENT', 50`,
  [companyId],
)

await pool.query(
  `INSERT INTO tax_rates (company_id, id, name, rate)
   SELECT $1, 'rate_long_' || i, 'Rate ' || lpad(i::text, 4, '0'), 5 FROM generate_series(1, 2100) i
   UNION ALL SELECT $1, 'rate_zebra', 'Zebra rate', 5`,
  [companyId],
)

const field = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true })

async function choose(page: Page, name: string, words: string, option: string): Promise<void> {
  await field(page, name).fill(words)
  await page.getByRole('option', { name: option }).click()
}

describe('a company with 5,000 locations', () => {
  it.each(TWO_LOOKS)('finds a location for a new quote by typing (%s)', async (_, options) => {
    const page = await app.open('/quotes/new', options)
    await page.getByText('Type to search all locations.').waitFor()
    await page.getByRole('combobox', { name: 'Contact' }).fill('a')
    await page.getByRole('option').first().click()
    await choose(page, 'Location', 'wharf zeb', 'Zebra wharf')
    await expectNoBarriers(page)
    await page.getByLabel('Event address').fill('1 Quay Street')
    await page.getByRole('textbox', { name: 'Day 1' }).fill('2027-06-05')
    await page.getByLabel('Start').fill('16:00')
    await page.getByLabel('End').fill('21:00')
    await page.getByRole('button', { name: 'Create quote' }).click()
    await page.getByRole('heading', { name: 'Price', exact: true }).waitFor()
    const id = new URL(page.url()).pathname.split('/')[2]
    const { rows } = await pool.query(
      `SELECT q.location_id AS location, d.service_start_time AS start FROM quotes q
       JOIN service_days d ON d.company_id = q.company_id AND d.quote_id = q.id WHERE q.company_id = $1 AND q.id = $2`,
      [companyId, id],
    )
    expect(rows).toEqual([{ location: 'loc_zebra', start: '2027-06-05 07:00:00+00' }])
  })

  it('finds location, payment terms and charges of a quote, and keeps them', async () => {
    const id = await takeQuote()
    const page = await openEditor(id)
    await page.getByRole('button', { name: 'Edit details' }).click()
    await choose(page, 'Location', 'wharf', 'Zebra wharf')
    await choose(page, 'Payment terms', 'zebra', 'Zebra terms')
    await choose(page, 'Service charges', 'zebra', 'Zebra charge')
    await expect.poll(() => field(page, 'Location').inputValue()).toBe('Zebra wharf')
    await page.getByRole('term').filter({ hasText: 'Zebra charge' }).waitFor()
    const total = await totalOf(page)
    await save(page, id)
    await page.getByText('Zebra wharf').first().waitFor()
    const again = await openEditor(id)
    await again.getByRole('button', { name: 'Edit details' }).click()
    expect(await field(again, 'Location').inputValue()).toBe('Zebra wharf')
    expect(await field(again, 'Payment terms').inputValue()).toBe('Zebra terms')
    expect(await totalOf(again)).toBe(total)
  })

  it('searches only for what is typed, not for the chosen tax rate', async () => {
    const id = await takeQuote()
    const page = await openEditor(id)
    await page.clock.install()
    const searches: (string | null)[] = []
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.pathname === '/console/tax-rates') searches.push(url.searchParams.get('search'))
    })
    await choose(page, 'Tax', 'zebra', 'Zebra rate · 5%')
    expect(await field(page, 'Tax').inputValue()).toBe('Zebra rate · 5%')
    await page.clock.fastForward(1_000)
    const next = page.waitForRequest(/search=more/)
    await field(page, 'Tax').fill('more')
    await next
    expect(searches).toEqual(['zebra', 'more'])
  })

  it('filters quotes, equipment and events by any location, also after a reload', async () => {
    for (const [path, name] of [
      ['/quotes', 'Location'],
      ['/equipment', 'By location'],
      ['/events', 'Location'],
    ] as const) {
      const page = await app.open(path)
      if (path === '/quotes') await page.getByRole('button', { name: 'Filters' }).click()
      await choose(page, name, 'wharf', 'Zebra wharf')
      await page.waitForURL(/loc_zebra/)
      await page.reload()
      await expect.poll(() => field(page, name).inputValue()).toBe('Zebra wharf')
      await isAt(page, path)
    }
  })

  it('chooses defaults of new quotes among all', async () => {
    const page = await app.open('/settings/company')
    await choose(page, 'Payment terms', 'zebra', 'Zebra terms')
    await choose(page, 'Service charges', 'zebra', 'Zebra charge')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Saved the company profile.').waitFor()
    const { rows } = await pool.query(
      'SELECT default_payment_terms_id AS terms FROM companies WHERE id = $1',
      [companyId],
    )
    expect(rows).toEqual([{ terms: 'terms_zebra' }])
  })
})
