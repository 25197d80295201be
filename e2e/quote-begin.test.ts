/** How a new quote begins: empty, with what was typed earlier, or for a contact. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectNoBarriers } from './barriers.ts'
import { TWO_LOOKS } from './console.ts'
import { smallWorld } from './small-world.ts'

const { record, start } = smallWorld('quay')
const app = await start([
  record('location', 'pier', { name: 'Pier 4', streetAddress: '4 Pier Road', timeZone: 'America/New_York' }),
  record('location', 'dock', { name: 'Dock 9', timeZone: 'Europe/Berlin' }),
  record('lead', 'ada', { firstName: 'Ada', lastName: 'Noor' }),
  record('lead', 'a&b #1', { companyName: 'A & B' }),
  record('lead', 'old', { firstName: 'Old', archivedAt: '2026-01-01T00:00:00.000Z' }),
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
