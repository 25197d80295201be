/** Adding lines from a catalog that is too long for the editor to load as a whole. */
import { describe, expect, it } from 'vitest'
import { expectNoBarriers } from './barriers.ts'
import { save, startQuoteEditing, totalOf } from './quote-editing.ts'

const app = await startQuoteEditing()
const { takeQuote, openEditor, companyId } = app
const { pool } = app.database

/** By name, `Zebra …` comes after the 2,000 services that the editor loads. */
await pool.query(
  `INSERT INTO services (company_id, id, name, prices)
   SELECT $1, 'service_long_' || i, 'Menu ' || lpad(i::text, 4, '0'), '[]'::jsonb FROM generate_series(1, 2100) i
   UNION ALL
   SELECT $1, 'service_zebra', 'Zebra milk wagon', '[{"currency":"USD","unitPriceCents":12345}]'`,
  [companyId],
)
await pool.query(
  `INSERT INTO packages (company_id, id, name, lines)
   SELECT $1, 'package_zebra', 'Dairy', json_build_array(json_build_object('kind', 'SERVICE', 'serviceId', id))
   FROM services WHERE id = 'service_zebra'`,
  [companyId],
)

describe('a catalog of more than 2,000 services', () => {
  it('is searched by words, and the line has name and price of what was found', async () => {
    const id = await takeQuote()
    const page = await openEditor(id)
    const place = page.locator('section').nth(1)
    const count = await place.locator('.edit-line').count()
    const field = place.getByPlaceholder('Add a service, add-on or package')
    await field.fill('wagon zebra')
    await page.getByRole('option', { name: 'Zebra milk wagon' }).waitFor()
    await field.press('Enter')
    const line = place.locator('.edit-line').nth(count)
    await line.getByText('Zebra milk wagon').waitFor()
    await expect.poll(() => line.getByLabel('Unit price').inputValue()).toBe('123.45')
    const shown = await totalOf(page)
    await save(page, id)
    await page.getByText('Zebra milk wagon').first().waitFor()
    const again = await openEditor(id)
    await again.getByText('Zebra milk wagon').waitFor()
    expect(await totalOf(again)).toBe(shown)
  })

  it('says so if nothing was found', async () => {
    const page = await openEditor(await takeQuote())
    await page.getByPlaceholder('Add a service, add-on or package').first().fill('no such thing')
    await page.getByText('No matches').waitFor()
  })

  it('a package adds a service that the editor did not load', async () => {
    const page = await openEditor(await takeQuote())
    const place = page.locator('section').nth(1)
    const count = await place.locator('.edit-line').count()
    const field = place.getByPlaceholder('Add a service, add-on or package')
    await field.fill('dairy')
    await page.getByRole('option', { name: 'Dairy' }).click()
    await place.locator('.edit-line').nth(count).getByText('Zebra milk wagon').waitFor()
    expect(await page.getByText('No longer in the catalog').count()).toBe(0)
  })
})

describe('a quote with an archived tax rate', () => {
  it('says so, until another one is chosen', async () => {
    const id = await takeQuote()
    const { rows } = await pool.query<{ name: string }>(
      `UPDATE tax_rates SET archived_at = now() WHERE company_id = $1
         AND id = (SELECT tax_rate_id FROM quotes WHERE company_id = $1 AND id = $2) RETURNING name`,
      [companyId, id],
    )
    const page = await openEditor(id)
    const notice = page.getByRole('status').getByText(rows[0]?.name ?? 'no rate')
    await notice.waitFor()
    await expectNoBarriers(page)
    await page.getByRole('combobox', { name: 'Tax', exact: true }).click()
    await page.getByRole('option').first().click()
    await notice.waitFor({ state: 'detached' })
  })
})
