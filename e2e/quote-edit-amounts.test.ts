/** Numbers in the editor have thousands separators, except while they are edited. Pills fit their text. */
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectNoBarriers } from './barriers.ts'
import { startConsole } from './console.ts'

const app = await startConsole()
const { pool } = app.database

const used: string[] = []

/** An open quote that no other test uses, with a line and a day. */
async function takeQuote(currency = 'USD'): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT q.id FROM quotes q
     WHERE q.company_id = $1 AND q.deleted_at IS NULL AND q.booked_at IS NULL AND q.lost_at IS NULL
       AND q.currency = 'USD' AND NOT q.id = ANY($2) AND cardinality(q.service_charge_ids) > 1
       AND EXISTS (SELECT 1 FROM line_items l WHERE l.company_id = $1 AND l.quote_id = q.id AND l.deleted_at IS NULL)
     ORDER BY q.id LIMIT 1`,
    [app.companyId, used],
  )
  const id = rows[0]?.id ?? ''
  used.push(id)
  await pool.query('UPDATE quotes SET currency = $3, base_fee_cents = 0 WHERE company_id = $1 AND id = $2', [
    app.companyId,
    id,
    currency,
  ])
  return id
}

/** For tests that save nothing. */
const shared = await takeQuote()

async function openEditor(id: string, options?: Parameters<typeof app.open>[1]): Promise<Page> {
  const page = await app.open(`/quotes/${id}/edit`, options)
  await page.getByRole('heading', { name: 'Price', exact: true }).waitFor()
  return page
}

const baseFee = (page: Page) => page.getByLabel('Base fee', { exact: true })

interface Field {
  value: string
  selectionStart: number
  selectionEnd: number
}

/** The text with the selection marked: `12|50` or `[1250]`. */
const read = (field: Locator): Promise<string> =>
  field.evaluate((element) => {
    const { value, selectionStart: from, selectionEnd: to } = element as unknown as Field
    if (from === to) return `${value.slice(0, from)}|${value.slice(from)}`
    return `${value.slice(0, from)}[${value.slice(from, to)}]${value.slice(to)}`
  })

async function savedFee(page: Page, id: string): Promise<string | undefined> {
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL((url) => url.pathname === `/quotes/${id}`)
  const { rows } = await pool.query<{ base_fee_cents: string }>(
    'SELECT base_fee_cents FROM quotes WHERE company_id = $1 AND id = $2',
    [app.companyId, id],
  )
  return rows[0]?.base_fee_cents
}

describe('an amount in the editor', () => {
  it('has thousands separators except while it is edited', async () => {
    const id = await takeQuote()
    const page = await openEditor(id)
    const fee = baseFee(page)
    await fee.fill('1234567.5')
    expect(await fee.inputValue()).toBe('1234567.5')
    await page.keyboard.press('Tab')
    await expect.poll(() => fee.inputValue()).toBe('1,234,567.50')
    await page.keyboard.press('Shift+Tab')
    await expect.poll(() => read(fee)).toBe('[1234567.50]')
    expect(await savedFee(page, id)).toBe('123456750')
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await expect.poll(() => fee.inputValue()).toBe('1,234,567.50')
  })

  it('keeps the caret where the user types, and its text as typed', async () => {
    const page = await openEditor(await takeQuote())
    const fee = baseFee(page)
    await fee.fill('1234.00')
    await fee.blur()
    await fee.click()
    await expect.poll(() => read(fee)).toBe('[1234.00]')
    // The first click selects the number. The next one places the caret.
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('98')
    expect(await read(fee)).toBe('198|234.00')
    await page.keyboard.press('Backspace')
    expect(await read(fee)).toBe('19|234.00')
    await page.keyboard.press('Delete')
    await page.keyboard.press('Delete')
    expect(await read(fee)).toBe('19|4.00')
    await page.keyboard.press('Tab')
    await expect.poll(() => fee.inputValue()).toBe('194.00')
  })

  it('can be clicked into to place the caret', async () => {
    const page = await openEditor(await takeQuote())
    const fee = baseFee(page)
    await fee.fill('55555')
    await fee.blur()
    await fee.click()
    await expect.poll(() => read(fee)).toBe('[55555.00]')
    await fee.click()
    await expect.poll(() => read(fee)).toContain('|')
  })

  it.each([
    ['1,234,567.89', '1,234,567.89', '123456789'],
    ['1.234.567,89', '1,234,567.89', '123456789'],
    ['1 234 567,89', '1,234,567.89', '123456789'],
    ['2,500', '2,500.00', '250000'],
  ])('can be pasted as %s', async (pasted, shown, cents) => {
    const id = await takeQuote()
    const page = await openEditor(id)
    const fee = baseFee(page)
    await fee.click()
    await page.keyboard.insertText(pasted)
    expect(await read(fee)).toBe(`${pasted}|`)
    await fee.blur()
    await expect.poll(() => fee.inputValue()).toBe(shown)
    expect(await savedFee(page, id)).toBe(cents)
  })

  it.each([
    ['JPY', 'en-US', '1250000', '1,250,000'],
    ['KWD', 'en-US', '1250.5', '1,250.500'],
    ['USD', 'de-DE', '1250,5', '1.250,50'],
    ['EUR', 'fr-FR', '1250,5', '1\u202f250,50'],
  ])('in %s and %s has the decimals and separators of both', async (currency, locale, typed, shown) => {
    const page = await openEditor(await takeQuote(currency), { locale })
    const fee = baseFee(page)
    await fee.fill(typed)
    await fee.blur()
    await expect.poll(() => fee.inputValue()).toBe(shown)
  })

  it('of a line follows quantity and unit price while they are typed', async () => {
    const page = await openEditor(await takeQuote())
    const line = page.locator('.edit-line').first()
    await line.getByLabel('Unit price').fill('1250')
    await line.getByLabel('Quantity').fill('1000')
    await line
      .getByRole('button', { name: /^Use quantity/ })
      .click({ timeout: 2_000 })
      .catch(() => undefined)
    await expect.poll(() => line.getByLabel('Price', { exact: true }).inputValue()).toBe('1,250,000.00')
    await expect.poll(() => line.getByLabel('Unit price').inputValue()).toBe('1,250.00')
    await line.getByLabel('Quantity').blur()
    await expect.poll(() => line.getByLabel('Quantity').inputValue()).toBe('1,000')
  })

  it('of a new discount has separators', async () => {
    const page = await openEditor(await takeQuote())
    await page.getByRole('button', { name: 'New discount' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Fixed amount').click()
    await dialog.getByLabel('Amount', { exact: true }).fill('1250')
    await dialog.getByLabel('Name').fill('Loyalty')
    await expect.poll(() => dialog.getByLabel('Amount', { exact: true }).inputValue()).toBe('1,250.00')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect
      .poll(() => page.getByLabel('Quote discount').first().inputValue())
      .toBe('Loyalty · $1,250.00 off')
  })
})

interface Pill {
  text: string
  overflow: number
  /** Pixels beside text, padding and button. */
  unused: number
}

/** How well each pill of a service charge fits its text. */
const pillsOf = (page: Page) =>
  page.locator('.edit-pill').evaluateAll((pills) =>
    pills.map((element): Pill => {
      const pill = element as unknown as {
        textContent: string
        scrollWidth: number
        clientWidth: number
        children: {
          scrollWidth: number
          clientWidth: number
          getBoundingClientRect: () => { width: number }
        }[]
        getBoundingClientRect: () => { width: number }
      }
      const [label, button] = pill.children
      const inside = [label, button].reduce(
        (sum, part) => sum + (part?.getBoundingClientRect().width ?? 0),
        0,
      )
      return {
        text: pill.textContent,
        overflow: Math.max(
          pill.scrollWidth - pill.clientWidth,
          (label?.scrollWidth ?? 0) - (label?.clientWidth ?? 0),
        ),
        unused: Math.round(pill.getBoundingClientRect().width - inside),
      }
    }),
  )

describe('the pills of service charges', () => {
  it.each([360, 1440])('fit their text at %i pixels', async (width) => {
    const id = await takeQuote()
    await pool.query(
      `INSERT INTO service_charges (company_id, id, name, type, percentage, taxable)
       VALUES ($1, $2, 'Coordination on the day, including set-up and breakdown', 'PERCENT', 4.5, true)`,
      [app.companyId, `long_${width}`],
    )
    await pool.query(
      `UPDATE quotes SET service_charge_ids = service_charge_ids || $3 WHERE company_id = $1 AND id = $2`,
      [app.companyId, id, [`long_${width}`]],
    )
    const page = await openEditor(id, { viewport: { width, height: 900 } })
    await page.locator('.edit-pill').nth(2).waitFor()
    const pills = await pillsOf(page)
    for (const { text, overflow, unused } of pills) {
      expect(overflow, text).toBeLessThanOrEqual(0)
      expect(unused, text).toBeLessThanOrEqual(16)
    }
  })

  it.each(['light', 'dark'] as const)('have no barriers in %s', async (colorScheme) => {
    const page = await openEditor(shared, { colorScheme, viewport: { width: 360, height: 800 } })
    await page.locator('.edit-pill').first().waitFor()
    await expectNoBarriers(page)
  })
})
