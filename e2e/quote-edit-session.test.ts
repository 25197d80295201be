/** The session ends while a quote is edited. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { emailOf } from '../test/support/console.ts'
import { signIn } from './console.ts'
import { dollars, save, startQuoteEditing, totalOf } from './quote-editing.ts'

const app = await startQuoteEditing()
const { takeQuote, openEditor, apiQuote, companyId } = app
const { pool } = app.database

async function choose(page: Page, name: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name, exact: true }).fill(option)
  await page.getByRole('option', { name: option }).click()
}

describe('the end of a session', () => {
  async function signInAgain(page: Page): Promise<void> {
    await pool.query('DELETE FROM sessions WHERE company_id = $1', [companyId])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await signIn(page, emailOf('ADMIN', companyId))
    await page.getByText('Your earlier changes are still here. They are not saved yet.').waitFor()
  }

  it('keeps the name of a contact that was found', async () => {
    await pool.query(`INSERT INTO leads (company_id, id, first_name) VALUES ($1, 'zed', 'Zedekiah')`, [
      companyId,
    ])
    const page = await openEditor(await takeQuote())
    await page.getByRole('button', { name: 'Edit details' }).click()
    await choose(page, 'Contact', 'Zedekiah')
    await signInAgain(page)
    await page.getByText(/^Zedekiah · /).waitFor()
  })

  it('opens the field of a choice that was archived meanwhile', async () => {
    await pool.query(`INSERT INTO event_types (company_id, id, name) VALUES ($1, 'zed', 'Zed party')`, [
      companyId,
    ])
    const page = await openEditor(await takeQuote())
    await page.getByRole('button', { name: 'Edit details' }).click()
    await choose(page, 'Event type', 'Zed party')
    await signInAgain(page)
    await pool.query(`UPDATE event_types SET archived_at = now() WHERE company_id = $1 AND id = 'zed'`, [
      companyId,
    ])
    await page.getByRole('button', { name: 'Save' }).click()
    const message = 'This event type is archived. Choose another one.'
    await page.getByRole('alert').getByText(message).waitFor()
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Event type' }).getAttribute('aria-invalid'))
      .toBe('true')
  })

  it('does not keep changes that were discarded to sign out', async () => {
    const id = await takeQuote()
    const page = await openEditor(id)
    const stored = await totalOf(page)
    await page.getByLabel('Base fee', { exact: true }).fill('321')
    const signOut = async () => {
      await page.getByRole('button', { name: /^Account:/ }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.getByRole('button', { name: 'Discard changes' }).click()
    }
    // If that fails, the editor asks again.
    await page.route('**/console/session', (route) => route.abort())
    await signOut()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.unroute('**/console/session')
    await signOut()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await page.getByText('Your unsaved changes are kept').count()).toBe(0)
    await signIn(page, emailOf('ADMIN', companyId))
    await page.getByRole('heading', { name: 'Price', exact: true }).waitFor()
    await expect.poll(() => totalOf(page)).toBe(stored)
  })

  it('keeps changes until the user signs in again', async () => {
    const id = await takeQuote()
    const page = await openEditor(id)
    await page.getByLabel('Base fee', { exact: true }).fill('321')
    const shown = await totalOf(page)
    await pool.query('DELETE FROM sessions WHERE company_id = $1', [companyId])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page
      .getByText('Your session has ended. Sign in to continue. Your unsaved changes are kept.')
      .waitFor()
    await signIn(page, emailOf('ADMIN', companyId))
    await page.getByText('Your earlier changes are still here. They are not saved yet.').waitFor()
    await expect.poll(() => totalOf(page)).toBe(shown)
    await save(page, id)
    expect(dollars((await apiQuote(id)).totalPriceCents)).toBe(shown)
  })

  it('does not show changes to another user', async () => {
    const id = await takeQuote()
    const page = await openEditor(id)
    const stored = await totalOf(page)
    await page.getByLabel('Base fee', { exact: true }).fill('321')
    await pool.query('DELETE FROM sessions WHERE company_id = $1', [companyId])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await signIn(page, emailOf('MEMBER', companyId))
    await page.getByRole('heading', { name: 'Price', exact: true }).waitFor()
    await expect.poll(() => totalOf(page)).toBe(stored)
  })
})
