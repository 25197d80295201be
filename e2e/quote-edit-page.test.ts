/** The editor with unusual content, and its accessibility. */
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectNoBarriers } from './barriers.ts'
import { dollars, lineOf, save, startQuoteEditing, totalOf } from './quote-editing.ts'

const app = await startQuoteEditing()
const { takeQuote, openEditor, apiQuote, companyId } = app
const { pool } = app.database

describe('the editor page', () => {
  it('shows markup in texts as text', async () => {
    const id = await takeQuote()
    const evil = '<img src=x onerror="globalThis.hacked=1"><script>hacked=1</script>\u202E{{7*7}}'
    await pool.query('UPDATE line_items SET description = $3 WHERE company_id = $1 AND quote_id = $2', [
      companyId,
      id,
      evil,
    ])
    for (const table of ['services', 'addons', 'discounts', 'service_charges', 'tax_rates', 'event_types']) {
      await pool.query(`UPDATE ${table} SET name = name || $2 WHERE company_id = $1`, [companyId, evil])
    }
    const page = await openEditor(id)
    await page.getByPlaceholder('Add a service, add-on or package').first().click()
    await page.getByRole('option').first().waitFor()
    expect(await page.evaluate('globalThis.hacked')).toBeUndefined()
    expect(await page.locator('img').count()).toBe(0)
    const dialogPage = await app.open(`/quotes/${id}`)
    await dialogPage.getByRole('button', { name: 'Book', exact: true }).click()
    await dialogPage.getByRole('dialog').locator('.edit-events li').first().waitFor()
    expect(await dialogPage.evaluate('globalThis.hacked')).toBeUndefined()
  })

  it('shows long names, large amounts and many charges in full, beside the total', async () => {
    const id = await takeQuote()
    const long = 'Verylongnamewithoutanyplacetobreakit'.repeat(4)
    await pool.query(
      `INSERT INTO service_charges (company_id, id, name, type, percentage, taxable)
       SELECT $1, 'long ' || n, $2 || n, 'PERCENT', 1, true FROM generate_series(1, 12) n`,
      [companyId, long],
    )
    await pool.query(
      `INSERT INTO discounts (company_id, id, name, type, percent_off) VALUES ($1, 'long', $2, 'PERCENT', 1)`,
      [companyId, long],
    )
    await pool.query(
      `UPDATE quotes SET discount_id = 'long', service_charge_ids =
         (SELECT array_agg('long ' || n) FROM generate_series(1, 12) n)
       WHERE company_id = $1 AND id = $2`,
      [companyId, id],
    )
    await pool.query(
      `UPDATE leads SET first_name = $3 WHERE company_id = $1
         AND id = (SELECT lead_id FROM quotes WHERE company_id = $1 AND id = $2)`,
      [companyId, id, long],
    )
    const phone = await openEditor(id, { viewport: { width: 390, height: 844 } })
    await expect.poll(() => phone.evaluate('document.documentElement.scrollWidth')).toBe(390)
    const page = await openEditor(id, { viewport: { width: 1280, height: 720 } })
    const inView = async (target: Locator) => {
      const box = await target.boundingBox()
      return box !== null && box.y > 0 && box.y + box.height <= 720
    }
    await expect.poll(() => inView(page.locator('[data-total]'))).toBe(true)
    await expect.poll(() => inView(page.getByRole('button', { name: 'Save' }))).toBe(true)
    await page.locator('.edit-full', { hasText: `${long} · 1` }).waitFor()
    const price = lineOf(page, 0).getByLabel('Price', { exact: true })
    await price.fill('12345678901.23')
    await expect
      .poll(() => price.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth))
      .toBe(true)
    // A label never overlaps the button beside it.
    for (const head of await page.locator('.edit-field-head').all()) {
      const [label, button] = [
        await head.locator('label').boundingBox(),
        await head.locator('button').boundingBox(),
      ]
      if (label === null || button === null) throw new Error('a field without a label or a button')
      expect(label.x + label.width <= button.x || label.y + label.height <= button.y).toBe(true)
    }
  })

  it('renders only the lines near the window of a thousand, without horizontal scrolling on a phone', async () => {
    const id = await takeQuote()
    await pool.query(
      `INSERT INTO line_items (company_id, id, quote_id, kind, description, price_cents)
       SELECT $1, 'many ' || n, $2, 'CUSTOM', 'Line ' || n, n FROM generate_series(1, 980) n`,
      [companyId, id],
    )
    const page = await openEditor(id, { viewport: { width: 390, height: 844 } })
    const width = await page.evaluate('document.documentElement.scrollWidth')
    expect(width).toBe(390)
    const field = lineOf(page, 5).getByLabel('Price', { exact: true })
    await field.click()
    await field.pressSequentially('123456')
    // Otherwise each key would take seconds.
    expect(await page.locator('.edit-line').count()).toBeLessThan(200)
    // Lines further down are rendered when they get the focus.
    await page.getByRole('button', { name: 'Line 980', exact: true }).focus()
    const last = page.getByRole('listitem', { name: 'Line 980', exact: true })
    await last.getByLabel('Price', { exact: true }).fill('1000')
    const shown = await totalOf(page)
    await save(page, id)
    expect(dollars((await apiQuote(id)).totalPriceCents)).toBe(shown)
    const { rows } = await pool.query<{ price_cents: string }>(
      "SELECT price_cents FROM line_items WHERE company_id = $1 AND id = 'many 980'",
      [companyId],
    )
    expect(rows).toEqual([{ price_cents: '100000' }])
  })

  it.each(['light', 'dark'] as const)(
    'has no barriers in any state, in %s',
    async (colorScheme) => {
      const id = await takeQuote(
        `(SELECT count(*) FROM line_items l WHERE l.company_id = $1 AND l.quote_id = q.id AND l.deleted_at IS NULL
            AND l.discount_id IS NULL) > 1`,
      )
      const page = await openEditor(id, { colorScheme })
      await expectNoBarriers(page)
      await page
        .getByRole('button', { name: /^Remove (?!day)/ })
        .first()
        .click()
      await page.getByRole('button', { name: 'Add discount to' }).first().click()
      await page.keyboard.press('Escape')
      await lineOf(page, 0).getByLabel('Unit price').fill('x')
      await page.getByRole('button', { name: 'Save' }).click()
      await expectNoBarriers(page)
      await lineOf(page, 0).getByLabel('Unit price').fill('5')
      await page.getByRole('button', { name: 'New charge' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Create' }).waitFor()
      await expectNoBarriers(page)
      await page.keyboard.press('Escape')
      await pool.query('UPDATE quotes SET travel_fee_cents = 123 WHERE company_id = $1 AND id = $2', [
        companyId,
        id,
      ])
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('button', { name: 'Apply mine on top' }).waitFor()
      await expectNoBarriers(page)
      const actions = await app.open(`/quotes/${id}`, { colorScheme })
      for (const name of ['Book', /^Send/, 'Mark as lost']) {
        if (name === 'Mark as lost') {
          await actions.getByRole('button', { name: 'More actions' }).click()
          await expectNoBarriers(actions)
          await actions.getByRole('menuitem', { name }).click()
        } else {
          await actions.getByRole('button', { name }).click()
        }
        await actions.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor()
        await expectNoBarriers(actions)
        await actions.keyboard.press('Escape')
        await actions.getByRole('dialog').waitFor({ state: 'hidden' })
      }
    },
    120_000,
  )
})
