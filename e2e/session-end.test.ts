/** The session ends while a dialog or an import is open. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { emailOf } from '../test/support/console.ts'
import { settle } from './console-pages.ts'
import { signIn, startConsole } from './console.ts'

const app = await startConsole()
const { companyId } = app
const { pool } = app.database

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function signInAgain(page: Page, attempt: () => Promise<void>): Promise<void> {
  await pool.query('DELETE FROM sessions WHERE company_id = $1', [companyId])
  await attempt()
  await page.getByText('Your unsaved changes are kept.').waitFor()
  await signIn(page, emailOf('ADMIN', companyId))
}

it('V1: the message of a quote that is being sent is kept', async () => {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM quotes q WHERE company_id = $1 AND sent_at IS NULL AND booked_at IS NULL AND lost_at IS NULL
       AND deleted_at IS NULL AND EXISTS (SELECT 1 FROM line_items WHERE company_id = $1 AND quote_id = q.id) LIMIT 1`,
    [companyId],
  )
  const page = await app.open(`/quotes/${rows[0]?.id}`)
  await button(page, 'Send quote').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Message to the customer').fill('See you on Friday')
  await signInAgain(page, () => button(page, 'Send quote').last().click())
  await expect.poll(() => dialog.getByLabel('Message to the customer').inputValue()).toBe('See you on Friday')
  await dialog.getByRole('button', { name: 'Send quote' }).click()
  await dialog.getByRole('button', { name: 'Copy link' }).waitFor()
})

it('N10: the file and the columns of an import are kept', async () => {
  const page = await app.open('/contacts/import')
  await settle(page)
  const buffer = Buffer.from('Who,Email\nIda Brook,ida@example.com\n')
  const file = { name: 'list.csv', mimeType: 'text/csv', buffer }
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByRole('combobox', { name: 'First name' }).click()
  await page.getByRole('option', { name: 'Who', exact: true }).click()
  await expect.poll(() => button(page, 'Import 1 contact').isEnabled()).toBe(true)
  await signInAgain(page, () => button(page, 'Import 1 contact').click())
  await page.getByText('list.csv').waitFor()
  await expect.poll(() => page.getByRole('combobox', { name: 'First name' }).inputValue()).toBe('Who')
  await button(page, 'Import 1 contact').click()
  await page.getByText('Imported 1 contact.').waitFor()
  const { rows } = await pool.query(`SELECT first_name AS name FROM leads WHERE email = 'ida@example.com'`)
  expect(rows).toEqual([{ name: 'Ida Brook' }])
})
