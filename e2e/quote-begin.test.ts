/** How a new quote begins: empty, with what was typed earlier, for a contact, or in another currency. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectNoBarriers } from './barriers.ts'
import { TWO_LOOKS } from './console.ts'
import { totalOf } from './quote-editing.ts'
import { smallWorld } from './small-world.ts'

const { record, start } = smallWorld('quay')
const app = await start([
  record('location', 'pier', { name: 'Pier 4', streetAddress: '4 Pier Road', timeZone: 'America/New_York' }),
  record('location', 'dock', { name: 'Dock 9', timeZone: 'Europe/Berlin' }),
  record('lead', 'ada', { firstName: 'Ada', lastName: 'Noor' }),
  record('lead', 'a&b #1', { companyName: 'A & B' }),
  record('lead', 'old', { firstName: 'Old', archivedAt: '2026-01-01T00:00:00.000Z' }),
  record('service', 'band', {
    name: 'Band',
    unit: 'HOUR',
    prices: [
      { currency: 'USD', unitPriceCents: 30_000 },
      { currency: 'EUR', unitPriceCents: 25_050 },
    ],
  }),
  record('serviceCharge', 'dollars', { name: 'Setup', type: 'AMOUNT', amountCents: 700, currency: 'USD' }),
  record('serviceCharge', 'euros', { name: 'Aufbau', type: 'AMOUNT', amountCents: 900, currency: 'EUR' }),
  JSON.stringify({ object: 'company', id: 'other', name: 'Other', plan: 'PRO', currency: 'USD' }),
  record('lead', 'foreign', { companyId: 'other', firstName: 'Foreign' }),
])
const { pool } = app.database

const contact = (page: Page) => page.getByRole('combobox', { name: 'Contact' })
const note = (page: Page) => page.getByText('You began this quote earlier.')

async function showsContact(page: Page, name: string): Promise<void> {
  await expect.poll(() => contact(page).inputValue()).toBe(name)
}

/** Without a reload, from the page of the contact. */
async function beginFor(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Contacts' }).click()
  await page.getByRole('main').getByRole('link', { name, exact: true }).click()
  await page.getByRole('link', { name: 'New quote' }).first().click()
  await page.getByRole('button', { name: 'Create quote' }).waitFor()
}

async function chooseContact(page: Page, name: string): Promise<void> {
  await contact(page).fill(name)
  await page.getByRole('option', { name, exact: true }).click()
}

/** Without a reload, as a user does. */
async function leaveAndReturn(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('link', { name: 'Quotes', exact: true }).click()
  await page.getByRole('link', { name: 'New quote' }).first().click()
  await page.getByRole('button', { name: 'Create quote' }).waitFor()
}

describe('a quote that was begun earlier', () => {
  it.each(TWO_LOOKS)('Q22: is shown with a note, and can be emptied (%s)', async (_, look) => {
    const page = await app.open('/quotes/new', look)
    await chooseContact(page, 'Ada Noor')
    await page.getByLabel('Guests').fill('80')
    expect(await note(page).count()).toBe(0)
    await leaveAndReturn(page)
    await note(page).waitFor()
    await showsContact(page, 'Ada Noor')
    await expectNoBarriers(page)
    await page.getByRole('button', { name: 'Start over' }).press('Enter')
    await showsContact(page, '')
    expect(await page.evaluate('document.activeElement.placeholder')).toMatch(/^Search by name/)
    expect(await page.getByLabel('Guests').inputValue()).toBe('')
    expect(await note(page).count()).toBe(0)
    await leaveAndReturn(page)
    expect(await note(page).count()).toBe(0)
  })

  it('Q22: has no note if everything that was typed is deleted again', async () => {
    const page = await app.open('/quotes/new')
    await page.getByLabel('Guests').fill('8')
    await page.getByLabel('Guests').fill('')
    await leaveAndReturn(page)
    expect(await note(page).count()).toBe(0)
  })
})

describe('a new quote for a contact', () => {
  it.each(['head', 'empty panel'])('Q22: begins at the page of the contact (%s)', async (place) => {
    const page = await app.open(`/contacts/${encodeURIComponent('a&b #1')}`)
    await page.getByText('Quotes for this customer appear here.').waitFor()
    const links = page.getByRole('main').getByRole('link', { name: 'New quote' })
    expect(await links.count()).toBe(2)
    await expectNoBarriers(page)
    await links.nth(place === 'head' ? 0 : 1).click()
    await showsContact(page, 'A & B')
    await expectNoBarriers(page)
    await page.getByRole('combobox', { name: 'Location' }).click()
    await page.getByRole('option', { name: 'Pier 4' }).click()
    await page.getByRole('button', { name: 'Create quote' }).click()
    await page.getByRole('heading', { name: /^Edit Q-/ }).waitFor()
    const { rows } = await pool.query('DELETE FROM quotes RETURNING lead_id AS lead')
    expect(rows).toEqual([{ lead: 'a&b #1' }])
  })

  it('Q22: keeps what was typed for another contact, and continues what was typed for this one', async () => {
    const page = await app.open('/quotes/new')
    await chooseContact(page, 'Ada Noor')
    await page.getByLabel('Guests').fill('80')
    await beginFor(page, 'A & B')
    await showsContact(page, 'A & B')
    expect(await note(page).count()).toBe(0)
    await page.getByLabel('Guests').fill('5')
    await beginFor(page, 'Ada Noor')
    await note(page).waitFor()
    await showsContact(page, 'Ada Noor')
    expect(await page.getByLabel('Guests').inputValue()).toBe('80')
    await page.getByRole('button', { name: 'Start over' }).click()
    await expect.poll(() => page.getByLabel('Guests').inputValue()).toBe('')
    await showsContact(page, 'Ada Noor')
    await leaveAndReturn(page)
    await note(page).waitFor()
    await showsContact(page, 'A & B')
  })

  it('Q22: cannot begin for an archived contact', async () => {
    const page = await app.open('/contacts/old')
    await page.getByText('Quotes for this customer appear here.').waitFor()
    expect(await page.getByRole('main').getByRole('link', { name: 'New quote' }).count()).toBe(0)
    await page.goto(`${app.url}/quotes/new?contact=old`)
    await page.getByText('The contact of this link is archived.').waitFor()
    await showsContact(page, '')
    await expectNoBarriers(page)
  })

  it.each(['foreign', 'missing', 'same-email', '..', '.', '\0', 'x'.repeat(300)])(
    'Q22: ignores %j instead of a contact, with a message',
    async (id) => {
      const page = await app.open(`/quotes/new?${String(new URLSearchParams({ contact: id }))}`)
      await page.getByText('The contact of this link does not exist.').waitFor()
      await showsContact(page, '')
    },
  )
})

describe('a new quote in another currency', () => {
  it('Q22: has the prices of the catalog and the charges of the company in that currency', async () => {
    await pool.query(`UPDATE companies SET default_service_charge_ids = '{dollars,euros}' WHERE id = 'quay'`)
    const page = await app.open('/quotes/new?contact=ada')
    const currency = page.getByRole('combobox', { name: 'Currency' })
    await expect.poll(() => currency.inputValue()).toBe('USD · US Dollar')
    await page.getByRole('combobox', { name: 'Location' }).click()
    await page.getByRole('option', { name: 'Pier 4' }).click()
    // Types no faster than a person: once the field shows its options.
    await page.getByLabel('Event address').press('Tab')
    await page.getByRole('option', { name: 'EUR · Euro' }).waitFor()
    await expectNoBarriers(page)
    await page.keyboard.type('euro')
    await page.locator('[role="option"][data-combobox-selected]', { hasText: 'EUR · Euro' }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => currency.inputValue()).toBe('EUR · Euro')
    await page.getByRole('textbox', { name: 'Day 1' }).fill('2027-06-05')
    await page.getByLabel('Start').fill('16:00')
    await page.getByLabel('End').fill('18:00')
    await page.getByRole('button', { name: 'Create quote' }).click()
    await page.getByRole('heading', { name: /^Edit Q-/ }).waitFor()
    const id = decodeURIComponent(new URL(page.url()).pathname.split('/')[2] ?? '')
    await page.getByPlaceholder('Add a service, add-on or package').first().fill('band')
    await page.getByRole('option', { name: 'Band' }).click()
    // Two hours, and the charge in euros.
    await expect.poll(() => totalOf(page)).toBe('€510.00')
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.waitForURL(`${app.url}/quotes/${encodeURIComponent(id)}`)
    const { body } = await app.server.get(`/api/quotes/${id}?expand=serviceCharges`, app.apiKey)
    expect(body).toMatchObject({
      currency: { isoCode: 'EUR' },
      totalPriceCents: 2 * 25_050 + 900,
      serviceCharges: [{ id: 'euros' }],
    })
  })
})
