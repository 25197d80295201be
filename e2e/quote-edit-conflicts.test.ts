/** Edits that cannot be saved at once: no network, no session, or another edit. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { emailOf } from '../test/support/console.ts'
import { signIn } from './console.ts'
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

describe('the end of a session', () => {
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
