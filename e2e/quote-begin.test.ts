/** How a new quote begins: with what was typed earlier, or empty. */
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
])

const contact = (page: Page) => page.getByRole('combobox', { name: 'Contact' })
const note = (page: Page) => page.getByText('You began this quote earlier.')

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
    await expect.poll(() => contact(page).inputValue()).toBe('Ada Noor')
    await expectNoBarriers(page)
    await page.getByRole('button', { name: 'Start over' }).press('Enter')
    await expect.poll(() => contact(page).inputValue()).toBe('')
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
