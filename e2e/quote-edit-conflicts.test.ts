/** Edits that cannot be saved at once: no network, or another edit. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectNoBarriers } from './barriers.ts'
import { dollars, save, startQuoteEditing, totalOf } from './quote-editing.ts'

const app = await startQuoteEditing()
const { takeQuote, openEditor, apiQuote, storedFees, companyId } = app
const { pool } = app.database

describe('without a network', () => {
  it('shows a message, keeps the changes, and does not save them later without a click', async () => {
    const id = await takeQuote()
    const page = await openEditor(id)
    const before = await storedFees(id)
    await page.getByLabel('Base fee', { exact: true }).fill('321')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('Cannot reach the server.').waitFor()
    await page.clock.install()
    await page.context().setOffline(false)
    await page.clock.fastForward(10_000)
    expect(await page.getByLabel('Base fee', { exact: true }).inputValue()).toBe('321.00')
    expect(await storedFees(id)).toEqual(before)
    await save(page, id)
    expect(await storedFees(id)).toEqual({ ...before, base_fee_cents: '32100' })
  })
})

describe('saving', () => {
  it('keeps the fields as they are until the server responds, and the focus', async () => {
    const page = await openEditor(await takeQuote())
    const field = page.getByLabel('Base fee', { exact: true })
    let fail = () => {}
    const held = new Promise<void>((resolve) => {
      fail = resolve
    })
    await page.route('**/console/quotes/*', async (route) => {
      await held
      await route.abort()
    })
    await field.fill('321')
    const sent = page.waitForRequest((request) => request.method() === 'PUT')
    await page.keyboard.press('Control+s')
    await sent
    await page.keyboard.type('45')
    await page.keyboard.press('Control+s')
    await expectNoBarriers(page)
    // The amount is formatted when the field loses the focus.
    expect(await field.inputValue()).toMatch(/^321(\.00)?$/)
    fail()
    await page.getByRole('alert').getByText('Cannot reach the server.').waitFor()
    await expect.poll(() => page.locator(':focus').inputValue()).toMatch(/^321/)
    await page.keyboard.press('Home')
    await page.keyboard.type('9')
    expect(await field.inputValue()).toMatch(/^9321/)
  })
})

describe('a concurrent edit', () => {
  async function conflict(id: string): Promise<{ page: Page; theirTotal: string | null }> {
    const [page, other] = [await openEditor(id), await openEditor(id)]
    await other.getByLabel('Travel fee', { exact: true }).fill('250')
    const theirTotal = await totalOf(other)
    await save(other, id)
    await page.getByLabel('Base fee', { exact: true }).fill('111')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog', { name: 'Someone else changed this quote' }).waitFor()
    return { page, theirTotal }
  }

  it('shows both versions to the second user, and overwrites nothing', async () => {
    const id = await takeQuote()
    const { page, theirTotal } = await conflict(id)
    const dialog = page.getByRole('dialog')
    const text = await dialog.innerText()
    expect(text).toContain(theirTotal)
    expect(text).toContain(await totalOf(page))
    await expect
      .poll(() => dialog.getByRole('row', { name: /^Travel fee/ }).innerText())
      .toMatch(/\$250\.00[\s\S]*them/)
    await expect
      .poll(() => dialog.getByRole('row', { name: /^Base fee/ }).innerText())
      .toMatch(/\$111\.00[\s\S]*you/)
    expect(await storedFees(id)).toMatchObject({ travel_fee_cents: '25000' })
    expect((await storedFees(id))?.base_fee_cents).not.toBe('11100')

    await dialog.getByRole('button', { name: 'Apply mine on top' }).click()
    await page.getByText('Your changes are applied to the latest version.').waitFor()
    await expect.poll(() => page.getByLabel('Travel fee', { exact: true }).inputValue()).toBe('250.00')
    await expect.poll(() => page.getByLabel('Base fee', { exact: true }).inputValue()).toBe('111.00')
    const shown = await totalOf(page)
    await save(page, id)
    expect(await storedFees(id)).toEqual({ base_fee_cents: '11100', travel_fee_cents: '25000' })
    expect(dollars((await apiQuote(id)).totalPriceCents)).toBe(shown)
  })

  it('shows why the other version cannot be loaded', async () => {
    const id = await takeQuote()
    const [page, other] = [await openEditor(id), await openEditor(id)]
    await other.getByLabel('Travel fee', { exact: true }).fill('250')
    await save(other, id)
    await page.getByLabel('Base fee', { exact: true }).fill('111')
    await page.route('**/console/quotes/*/edit', (route) => route.abort())
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('Cannot reach the server.').waitFor()
    await page.unroute('**/console/quotes/*/edit')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog', { name: 'Someone else changed this quote' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  it('keeps the clock times of both when the location changes to another time zone', async () => {
    const id = await takeQuote()
    await pool.query(
      `UPDATE locations SET time_zone = 'America/Denver'
       WHERE company_id = $1 AND id = (SELECT location_id FROM quotes WHERE company_id = $1 AND id = $2)`,
      [companyId, id],
    )
    await pool.query(
      `INSERT INTO locations (company_id, id, name, time_zone) VALUES ($1, 'zed', 'Zed pier', 'Asia/Tokyo')`,
      [companyId],
    )
    const [page, other] = [await openEditor(id), await openEditor(id)]
    await other.getByRole('button', { name: 'Edit details' }).click()
    await other.getByRole('combobox', { name: 'Location' }).fill('Zed pier')
    await other.getByRole('option', { name: 'Zed pier' }).click()
    await save(other, id)
    const change = page.getByRole('button', { name: /^Change day / }).first()
    await change.click()
    await page.getByLabel('Start', { exact: true }).fill('11:00')
    await page.getByLabel('End', { exact: true }).fill('15:00')
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog')
    await expect
      .poll(() => dialog.getByRole('row', { name: /^Day/ }).innerText())
      .toMatch(/11:00 AM – 3:00 PM/)
    await dialog.getByRole('button', { name: 'Apply mine on top' }).click()
    await page.getByText('Your changes are applied to the latest version.').waitFor()
    await page.getByText(/11:00 AM – 3:00 PM GMT\+9/).waitFor()
    await save(page, id)
    const { rows } = await pool.query(
      `SELECT to_char(service_start_time AT TIME ZONE 'Asia/Tokyo', 'HH24:MI') AS start FROM service_days
       WHERE company_id = $1 AND quote_id = $2 ORDER BY service_start_time LIMIT 1`,
      [companyId, id],
    )
    expect(rows).toEqual([{ start: '11:00' }])
  })

  it('has its buttons in tab order on a phone, the primary one last, without scrolling', async () => {
    const { page } = await conflict(await takeQuote())
    await page.setViewportSize({ width: 390, height: 700 })
    const dialog = page.getByRole('dialog')
    const boxOf = async (name: string) => {
      const box = await dialog.getByRole('button', { name }).boundingBox()
      if (box === null) throw new Error(`${name} is missing`)
      return box
    }
    const [first, second, third] = [
      await boxOf('Back to editing'),
      await boxOf('Use theirs'),
      await boxOf('Apply mine on top'),
    ]
    expect(first.y).toBeLessThan(second.y)
    expect(second.y).toBeLessThan(third.y)
    expect(third.y + third.height).toBeLessThanOrEqual(700)
    expect(third.width).toBeGreaterThan(300)
    await dialog.getByRole('button', { name: 'Back to editing' }).focus()
    for (const name of ['Use theirs', 'Apply mine on top']) {
      await page.keyboard.press('Tab')
      await expect.poll(() => dialog.locator(':focus').innerText()).toBe(name)
    }
  })

  it('can use the other version', async () => {
    const id = await takeQuote()
    const before = await storedFees(id)
    const { page, theirTotal } = await conflict(id)
    await page.getByRole('button', { name: 'Use theirs' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await expect.poll(() => totalOf(page)).toBe(theirTotal)
    expect(await storedFees(id)).toEqual({ ...before, travel_fee_cents: '25000' })
  })

  it('cannot save over a booking', async () => {
    const id = await takeQuote()
    const page = await openEditor(id)
    await pool.query('UPDATE quotes SET booked_at = now() WHERE company_id = $1 AND id = $2', [companyId, id])
    await page.getByLabel('Base fee', { exact: true }).fill('111')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('This quote is booked, so it can no longer change.').first().waitFor()
    await expect.poll(() => page.getByLabel('Base fee', { exact: true }).inputValue()).toBe('111.00')
    const again = await app.open(`/quotes/${id}/edit`)
    await again.getByRole('heading', { name: 'This quote cannot be edited' }).waitFor()
  })
})
