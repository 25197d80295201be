/** Editing quotes: the API returns the total that the editor shows. */
import type { Page, Request } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { dollars, isAt, lineOf, save, startQuoteEditing, totalOf } from './quote-editing.ts'

const app = await startQuoteEditing()
const { takeQuote, openEditor, apiQuote, companyId } = app
const { pool } = app.database

const focusOf = async (page: Page) => page.locator(':focus').getAttribute('aria-label')

describe('the editor', () => {
  it('shows the total of the API, recalculates it at every keystroke without a request, and saves it', async () => {
    const id = await takeQuote()
    const page = await openEditor(id)
    const before = (await apiQuote(id)).totalPriceCents
    await expect.poll(() => totalOf(page)).toBe(dollars(before))
    const calls: string[] = []
    page.on('request', (request: Request) => calls.push(request.url()))

    const totals = new Set<string | null>()
    const quantity = lineOf(page, 0).getByLabel('Quantity')
    await quantity.fill('')
    for (const digit of '37.5') {
      await quantity.press(digit)
      totals.add(await totalOf(page))
    }
    // `37.` is not a number yet.
    expect(totals.size).toBe(4)
    expect(totals).toContain('—')
    await lineOf(page, 1).getByLabel('Price', { exact: true }).fill('1234.5')
    await lineOf(page, 1).getByRole('checkbox', { name: 'Taxable' }).click()

    const group = page.locator('section').nth(1)
    await group.getByPlaceholder('Add a service, add-on or package').fill('grazing')
    await page.getByRole('option', { name: 'Grazing table' }).click()
    const grazing = group.locator('.edit-line').last()
    await grazing.getByLabel('Quantity').fill('1')
    await grazing.getByLabel('Unit price').fill('80')
    await group.getByRole('button', { name: 'Add a custom line' }).click()
    await page.keyboard.type('Late hour <script>')
    const custom = group.locator('.edit-line').last()
    await custom.getByLabel('Price', { exact: true }).fill('99.9')
    await page.getByLabel('Base fee', { exact: true }).fill('12.34')
    await page.getByLabel('Travel fee is taxable').click()
    expect(calls).toEqual([])

    const shown = await totalOf(page)
    expect(shown).not.toBe(dollars(before))
    await save(page, id)
    const after = await apiQuote(id)
    expect(dollars(after.totalPriceCents)).toBe(shown)
    const { rows } = await pool.query(
      `SELECT description, quantity, unit_price_cents, price_cents FROM line_items
       WHERE company_id = $1 AND quote_id = $2 AND id LIKE 'line\\_0%' AND created_at > now() - interval '1 minute'
       ORDER BY id`,
      [companyId, id],
    )
    expect(rows).toEqual([
      { description: null, quantity: '1.0000', unit_price_cents: '8000', price_cents: '8000' },
      { description: 'Late hour <script>', quantity: '1.0000', unit_price_cents: null, price_cents: '9990' },
    ])
  })

  it('adds discounts and charges, and creates new ones', async () => {
    const id = await takeQuote()
    const page = await openEditor(id, { role: 'MEMBER' })
    await page.getByRole('button', { name: 'Add discount to' }).first().click()
    await page.getByRole('option', { name: 'Early bird' }).click()
    await page.getByRole('button', { name: 'New discount' }).click()
    await page.getByText('Quotes that have it keep its value if you change it later.').waitFor()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText('Enter a name.').waitFor()
    await dialog.getByLabel('Name').fill('For a friend')
    await dialog.getByText('Fixed amount').click()
    await dialog.getByRole('textbox', { name: 'Amount' }).fill('15.50')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await expect
      .poll(() => page.getByLabel('Quote discount').first().inputValue())
      .toBe('For a friend · $15.50 off')
    await page.getByRole('button', { name: 'New charge' }).click()
    await dialog.getByLabel('Name').fill('Night work')
    await dialog.getByRole('textbox', { name: 'Percentage' }).fill('3.5')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const shown = await totalOf(page)
    await save(page, id)
    expect(dollars((await apiQuote(id)).totalPriceCents)).toBe(shown)
  })

  it('restores removed lines, and deletes them when saved', async () => {
    const id = await takeQuote()
    const page = await openEditor(id)
    const total = await totalOf(page)
    const lines = await page.locator('.edit-line').count()
    await lineOf(page, 0)
      .getByRole('button', { name: /^Remove / })
      .click()
    await expect.poll(() => page.locator('.edit-line').count()).toBe(lines - 1)
    await expect.poll(() => focusOf(page)).toMatch(/^Undo removing /)
    expect(await totalOf(page)).not.toBe(total)
    await page.keyboard.press('Enter')
    await expect.poll(() => totalOf(page)).toBe(total)
    await expect.poll(() => focusOf(page)).toMatch(/^Note on /)
    await expect.poll(() => lineOf(page, 0).locator(':focus').count()).toBe(1)
    await expect.poll(() => page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await lineOf(page, 0)
      .getByRole('button', { name: /^Remove / })
      .click()
    const shown = await totalOf(page)
    await page.keyboard.press('Control+s')
    await isAt(page, `/quotes/${id}`)
    expect(dollars((await apiQuote(id)).totalPriceCents)).toBe(shown)
  })

  it('keeps a typed price, and offers the product of quantity and unit price', async () => {
    const page = await openEditor(await takeQuote())
    const line = lineOf(page, 0)
    const field = (name: string) => line.getByLabel(name, { exact: true })
    await field('Quantity').fill('2,5')
    await field('Unit price').fill('3.33')
    await expect.poll(() => field('Price').inputValue()).toBe('8.33')
    await field('Price').fill('9')
    await field('Quantity').fill('3')
    await expect.poll(() => field('Price').inputValue()).toBe('9.00')
    await line.getByRole('button', { name: 'Use quantity × unit price: $9.99' }).click()
    await expect.poll(() => field('Price').inputValue()).toBe('9.99')
  })

  it('shows errors at their fields, and saves nothing until they are fixed', async () => {
    const id = await takeQuote()
    const page = await openEditor(id)
    const before = (await apiQuote(id)).totalPriceCents
    const line = lineOf(page, 0)
    await line.getByLabel('Quantity').fill('1.00001')
    await line.getByText('with at most 4 decimals').waitFor()
    await line.getByLabel('Unit price').fill('-5')
    await line.getByText('Enter an amount like 1,250.00.').waitFor()
    await expect.poll(() => totalOf(page)).toBe('—')
    await page.getByRole('button', { name: 'Add a custom line' }).first().click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Fix the 3 marked fields before you save.').first().waitFor()
    await page.getByText('Enter an amount.', { exact: true }).waitFor()
    await expect.poll(() => page.locator(':focus').inputValue()).toBe('1.00001')
    expect((await apiQuote(id)).totalPriceCents).toBe(before)
  })

  it('marks missing values after blur or saving, not in a new line', async () => {
    const page = await openEditor(await takeQuote())
    const missing = page.getByText('Enter an amount.', { exact: true })
    const add = () => page.getByRole('button', { name: 'Add a custom line' }).first().click()
    await add()
    await page.getByRole('button', { name: 'Save' }).click()
    await missing.waitFor()
    await add()
    await expect.poll(() => missing.count()).toBe(1)
    const line = page.locator('section').nth(1).locator('.edit-line').last()
    await line.getByLabel('Price', { exact: true }).focus()
    await expect.poll(() => missing.count()).toBe(1)
    await page.keyboard.press('Tab')
    await missing.nth(1).waitFor()
    // The message does not move the button before the click.
    await add()
    const last = page.locator('section').nth(1).locator('.edit-line').last()
    await last.getByLabel('Price', { exact: true }).focus()
    await last.getByRole('button', { name: /^Remove / }).click()
    await page.getByRole('button', { name: /^Undo removing/ }).waitFor()
  })

  it('reads and writes numbers in the user’s locale', async () => {
    const id = await takeQuote()
    const page = await openEditor(id, { locale: 'de-DE' })
    const quantity = lineOf(page, 0).getByLabel('Quantity')
    const leave = async (text: string) => {
      await quantity.fill(text)
      await quantity.blur()
      return quantity.inputValue()
    }
    expect(await leave('7.25')).toBe('7,25')
    expect(await leave('1.250,5')).toBe('1.250,5')
    expect(await leave('1.250')).toBe('1.250')
    expect(await leave('0.125')).toBe('0,125')
    expect(await leave('7,50')).toBe('7,5')
    await lineOf(page, 0).getByLabel('Unit price').fill('2')
    await save(page, id)
    const { rows } = await pool.query<{ quantity: string }>(
      `SELECT quantity FROM line_items WHERE company_id = $1 AND quote_id = $2 AND quantity = 7.5
         AND unit_price_cents = 200`,
      [companyId, id],
    )
    expect(rows).toHaveLength(1)
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await expect.poll(() => quantity.inputValue()).toBe('7,5')
    const english = await openEditor(id)
    const field = lineOf(english, 0).getByLabel('Quantity')
    await expect.poll(() => field.inputValue()).toBe('7.5')
    await field.fill('1,250')
    await field.blur()
    await expect.poll(() => field.inputValue()).toBe('1,250')
  })

  it('asks before changes are lost: by a link, by Back, by Discard, by signing out', async () => {
    const id = await takeQuote()
    const page = await app.open(`/quotes/${id}`)
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Base fee', { exact: true }).fill('77')
    const dialog = page.getByRole('dialog', { name: 'Discard your changes?' })
    const ways = [
      () => page.getByRole('link', { name: 'Dashboard' }).click(),
      () => page.goBack().catch(() => undefined),
      () => page.getByRole('button', { name: 'Discard', exact: true }).click(),
      ...['Sign out', 'Account'].map((item) => async () => {
        await page.getByRole('button', { name: /^Account:/ }).click()
        await page.getByRole('menuitem', { name: item }).click()
        await page.getByRole('menu').waitFor({ state: 'hidden' })
      }),
    ]
    for (const leave of ways) {
      await leave()
      await dialog.waitFor()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.waitFor({ state: 'hidden' })
      await expect.poll(() => page.getByLabel('Base fee', { exact: true }).inputValue()).toBe('77.00')
      expect(new URL(page.url()).pathname).toBe(`/quotes/${id}/edit`)
    }
    await ways.at(-1)?.()
    await dialog.getByRole('button', { name: 'Discard changes' }).click()
    await isAt(page, '/account')
    await page.goBack()
    await page.getByLabel('Base fee', { exact: true }).fill('77')
    await page.goBack().catch(() => undefined)
    await dialog.getByRole('button', { name: 'Discard changes' }).click()
    await isAt(page, `/quotes/${id}`)
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Base fee', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await isAt(page, '/')
  })
})
