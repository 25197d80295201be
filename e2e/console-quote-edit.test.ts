/** Editing quotes, in a real browser: what the page shows is what the API then gives. */
import type { Locator, Page, Request } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { emailOf } from '../test/support/console.ts'
import { expectNoBarriers } from './barriers.ts'
import { signIn, startConsole } from './console.ts'

const app = await startConsole()
const { database, server, companyId, apiKey } = app
const { pool } = database

const used = new Set<string>()

/** One that no other test has, with so many service days, lines and a tax rate. */
async function takeQuote(condition = 'true'): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT q.id FROM quotes q
     WHERE q.company_id = $1 AND q.deleted_at IS NULL AND q.booked_at IS NULL AND q.lost_at IS NULL
       AND q.currency = 'USD' AND q.tax_rate_id IS NOT NULL AND ${condition} AND NOT q.id = ANY($2)
       AND (SELECT count(*) FROM line_items l
            WHERE l.company_id = $1 AND l.quote_id = q.id AND l.deleted_at IS NULL AND l.service_id IS NOT NULL) > 1
       AND (SELECT count(*) FROM service_days d WHERE d.company_id = $1 AND d.quote_id = q.id) > 0
     ORDER BY q.id LIMIT 1`,
    [companyId, [...used]],
  )
  const id = rows[0]?.id
  if (id === undefined) throw new Error('the demo world has no such quote')
  used.add(id)
  return id
}

interface ApiQuote {
  totalPriceCents: number
  sentAt: string | null
  expiresAt: string | null
  lostAt: string | null
  lostReason: string | null
  bookedAt: string | null
  booking?: { totalPriceCents: number; events: { serviceStartTime: string; name: string }[] }
}

async function apiQuote(id: string, query = ''): Promise<ApiQuote> {
  const { status, body } = await server.get(`/api/quotes/${id}${query}`, apiKey)
  expect(status).toBe(200)
  return body as ApiQuote
}

const dollars = (cents: number) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(cents / 100)

async function openEditor(id: string, options?: Parameters<typeof app.open>[1]): Promise<Page> {
  const page = await app.open(`/quotes/${id}/edit`, options)
  await page.getByRole('heading', { name: 'Price', exact: true }).waitFor()
  return page
}

const content = async (id: string) => {
  const { rows } = await pool.query<{ base_fee_cents: string; travel_fee_cents: string }>(
    'SELECT base_fee_cents, travel_fee_cents FROM quotes WHERE company_id = $1 AND id = $2',
    [companyId, id],
  )
  return rows[0]
}

const totalOf = async (page: Page) => page.locator('[data-total]').textContent()
const lineOf = (page: Page, index: number) => page.locator('.edit-line').nth(index)
const focusOf = async (page: Page) => page.locator(':focus').getAttribute('aria-label')
const isAt = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path)

async function save(page: Page, id: string): Promise<void> {
  await page.getByRole('button', { name: 'Save' }).click()
  await isAt(page, `/quotes/${id}`)
  await page.getByText('Quote saved').waitFor()
}

describe('the editor', () => {
  it('shows the total of the API, recalculates it at every keystroke without a call, and saves just that', async () => {
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
    // `37.` is no number yet, and says so.
    expect(totals.size).toBe(4)
    expect(totals).toContain('—')
    await lineOf(page, 1).getByLabel('Price', { exact: true }).fill('1234.5')
    await lineOf(page, 1).getByRole('checkbox', { name: 'Taxable' }).click()

    const group = page.locator('section').first()
    await group.getByPlaceholder('Add a service or add-on').fill('grazing')
    await page.getByRole('option', { name: 'Grazing table' }).click()
    // The new line has the focus: its unit price is typed at once.
    await page.keyboard.type('80')
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

  it('takes discounts, charges and tax, and makes new ones on the way', async () => {
    const id = await takeQuote()
    const page = await openEditor(id, { role: 'MEMBER' })
    await page.getByRole('button', { name: 'Add discount to' }).first().click()
    await page.getByRole('option', { name: 'Early bird' }).click()
    await page.getByRole('button', { name: 'New discount' }).click()
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

  it('brings removed lines back, and removes them when saved', async () => {
    const id = await takeQuote()
    const page = await openEditor(id)
    const total = await totalOf(page)
    const lines = await page.locator('.edit-line').count()
    await page
      .getByRole('button', { name: /^Remove / })
      .first()
      .click()
    await expect.poll(() => page.locator('.edit-line').count()).toBe(lines - 1)
    await expect.poll(() => focusOf(page)).toMatch(/^Undo removing /)
    expect(await totalOf(page)).not.toBe(total)
    await page.keyboard.press('Enter')
    await expect.poll(() => totalOf(page)).toBe(total)
    await expect.poll(() => focusOf(page)).toMatch(/^Note on /)
    await expect.poll(() => lineOf(page, 0).locator(':focus').count()).toBe(1)
    await expect.poll(() => page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await page
      .getByRole('button', { name: /^Remove / })
      .first()
      .click()
    const shown = await totalOf(page)
    await page.keyboard.press('Control+s')
    await isAt(page, `/quotes/${id}`)
    expect(dollars((await apiQuote(id)).totalPriceCents)).toBe(shown)
  })

  it('keeps a price that was typed, and offers the product of quantity and unit price', async () => {
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

  it('says at the field what is wrong, and sends nothing before it is right', async () => {
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

  it('marks what is missing in a line when a field is left or saved, not when the line is new', async () => {
    const page = await openEditor(await takeQuote())
    const missing = page.getByText('Enter an amount.', { exact: true })
    const add = () => page.getByRole('button', { name: 'Add a custom line' }).first().click()
    await add()
    await page.getByRole('button', { name: 'Save' }).click()
    await missing.waitFor()
    await add()
    await expect.poll(() => missing.count()).toBe(1)
    const line = page.locator('section').first().locator('.edit-line').last()
    await line.getByLabel('Price', { exact: true }).focus()
    await expect.poll(() => missing.count()).toBe(1)
    await page.keyboard.press('Tab')
    await missing.nth(1).waitFor()
    // The message does not take the place away where somebody clicks.
    await add()
    const last = page.locator('section').first().locator('.edit-line').last()
    await last.getByLabel('Price', { exact: true }).focus()
    await last.getByRole('button', { name: /^Remove / }).click()
    await page.getByRole('button', { name: /^Undo removing/ }).waitFor()
  })

  it('reads and writes numbers as the language does, and stores plain ones', async () => {
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

  it('asks before changes are lost: by a link, by the way back, by Discard, by signing out', async () => {
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

describe('without a network', () => {
  it('saving says so, keeps what was typed, and is not made up for by itself', async () => {
    const id = await takeQuote()
    const page = await openEditor(id)
    const before = await content(id)
    await page.getByLabel('Base fee', { exact: true }).fill('321')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('Cannot reach the server.').waitFor()
    await page.context().setOffline(false)
    await page.waitForTimeout(500)
    expect(await page.getByLabel('Base fee', { exact: true }).inputValue()).toBe('321.00')
    expect(await content(id)).toEqual(before)
    await save(page, id)
    expect(await content(id)).toEqual({ ...before, base_fee_cents: '32100' })
  })
})

describe('a session that ends', () => {
  it('says nothing of what was typed when somebody discards it to sign out', async () => {
    const id = await takeQuote()
    const page = await openEditor(id)
    const stored = await totalOf(page)
    await page.getByLabel('Base fee', { exact: true }).fill('321')
    const signOut = async () => {
      await page.getByRole('button', { name: /^Account:/ }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.getByRole('button', { name: 'Discard changes' }).click()
    }
    // Where that fails, there is still something to ask about.
    await page.route('**/console/session', (route) => route.abort())
    await signOut()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.unroute('**/console/session')
    await signOut()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await page.getByText('what you typed is kept').count()).toBe(0)
    await signIn(page, emailOf('ADMIN', companyId))
    await page.getByRole('heading', { name: 'Price', exact: true }).waitFor()
    await expect.poll(() => totalOf(page)).toBe(stored)
  })

  it('takes nothing of what was typed: it is there after signing in', async () => {
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

  it('shows it to nobody else', async () => {
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

describe('two admins on the same quote', () => {
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

  it('the second one sees both versions, and nothing is overwritten', async () => {
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
    expect(await content(id)).toMatchObject({ travel_fee_cents: '25000' })
    expect((await content(id))?.base_fee_cents).not.toBe('11100')

    await dialog.getByRole('button', { name: 'Apply mine on top' }).click()
    await page.getByText('Your changes are applied to the latest version.').waitFor()
    await expect.poll(() => page.getByLabel('Travel fee', { exact: true }).inputValue()).toBe('250.00')
    await expect.poll(() => page.getByLabel('Base fee', { exact: true }).inputValue()).toBe('111.00')
    const shown = await totalOf(page)
    await save(page, id)
    expect(await content(id)).toEqual({ base_fee_cents: '11100', travel_fee_cents: '25000' })
    expect(dollars((await apiQuote(id)).totalPriceCents)).toBe(shown)
  })

  it('finds the ways out on a phone in the order of the keys, the usual one under the thumb, without scrolling', async () => {
    const { page } = await conflict(await takeQuote())
    await page.setViewportSize({ width: 390, height: 700 })
    const dialog = page.getByRole('dialog')
    const boxOf = async (name: string) => {
      const box = await dialog.getByRole('button', { name }).boundingBox()
      if (box === null) throw new Error(`${name} is not there`)
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

  it('can take what the other saved', async () => {
    const id = await takeQuote()
    const before = await content(id)
    const { page, theirTotal } = await conflict(id)
    await page.getByRole('button', { name: 'Use theirs' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await expect.poll(() => totalOf(page)).toBe(theirTotal)
    expect(await content(id)).toEqual({ ...before, travel_fee_cents: '25000' })
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

describe('where a quote stands', () => {
  const act = async (page: Page, name: string | RegExp, action: string) => {
    await page.getByRole('button', { name }).click()
    const dialog = page.getByRole('dialog')
    if (action === 'Mark as lost') {
      await expect.poll(() => dialog.getByRole('button', { name: action }).isDisabled()).toBe(true)
      await dialog.getByRole('radio', { name: 'Customer chose a competitor' }).click()
    }
    await dialog.getByRole('button', { name: action, exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })
  }

  it('is marked as sent, lost and open again, and the API shows it', async () => {
    const id = await takeQuote('q.sent_at IS NULL')
    const page = await app.open(`/quotes/${id}`)
    await act(page, 'Mark as sent', 'Mark as sent')
    await page.getByRole('button', { name: 'Mark as sent again' }).waitFor()
    const { sentAt, expiresAt } = await apiQuote(id)
    const days = (Date.parse(expiresAt ?? '') - Date.parse(sentAt ?? '')) / 86_400_000
    expect([29, 30, 31]).toContain(Math.floor(days))
    await act(page, 'Mark as lost', 'Mark as lost')
    await page.getByRole('button', { name: 'Reopen' }).waitFor()
    expect(await apiQuote(id)).toMatchObject({ lostAt: expect.any(String), lostReason: 'CHOSE_COMPETITOR' })
    expect(await page.getByRole('button', { name: 'Book', exact: true }).count()).toBe(0)
    await act(page, 'Reopen', 'Reopen')
    await page.getByRole('button', { name: 'Book', exact: true }).waitFor()
    expect(await apiQuote(id)).toMatchObject({ lostAt: null, lostReason: null, sentAt })
  })

  it('says before it is booked that its total is no longer what the page shows', async () => {
    const id = await takeQuote()
    const before = (await apiQuote(id)).totalPriceCents
    const page = await app.open(`/quotes/${id}`)
    await page.getByRole('button', { name: 'Book', exact: true }).waitFor()
    await pool.query(
      'UPDATE quotes SET base_fee_cents = base_fee_cents + 12345 WHERE company_id = $1 AND id = $2',
      [companyId, id],
    )
    const after = (await apiQuote(id)).totalPriceCents
    await page.getByRole('button', { name: 'Book', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Book quote' })
    const said = `The total was ${dollars(before)} and is now ${dollars(after)}.`
    await dialog.getByText(said).waitFor()
  })

  it('is booked: a booking at the total that was shown, and an event for each day', async () => {
    const id = await takeQuote(
      '(SELECT count(*) FROM service_days d WHERE d.company_id = $1 AND d.quote_id = q.id) > 1',
    )
    const { totalPriceCents } = await apiQuote(id)
    const page = await app.open(`/quotes/${id}`, { role: 'MEMBER' })
    await page.getByRole('button', { name: 'Book', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Book quote' })
    await dialog.getByText(dollars(totalPriceCents)).waitFor()
    expect(await dialog.getByText('The quote was changed').count()).toBe(0)
    const planned = await dialog.locator('.edit-events li p:first-child').allTextContents()
    await dialog.getByRole('button', { name: 'Book', exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: 'Edit', exact: true }).waitFor({ state: 'hidden' })
    const { booking, bookedAt } = await apiQuote(id, '?expand[]=booking.events')
    expect(bookedAt).toEqual(expect.any(String))
    expect(booking?.totalPriceCents).toBe(totalPriceCents)
    expect(planned.length).toBeGreaterThan(1)
    expect(booking?.events.map(({ name }) => name)).toEqual(planned)
  })

  it('cannot be booked without service days, and says where they come from', async () => {
    const id = await takeQuote()
    const stale = await app.open(`/quotes/${id}`)
    await stale.getByRole('button', { name: 'Book', exact: true }).waitFor()
    await pool.query('UPDATE line_items SET service_day_id = NULL WHERE company_id = $1 AND quote_id = $2', [
      companyId,
      id,
    ])
    await pool.query('DELETE FROM service_days WHERE company_id = $1 AND quote_id = $2', [companyId, id])
    const page = await app.open(`/quotes/${id}`)
    await page.getByText('Add days in the system that the quote comes from').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Book', exact: true }).isDisabled()).toBe(true)
    await stale.getByRole('button', { name: 'Book', exact: true }).click()
    const dialog = stale.getByRole('dialog', { name: 'Book quote' })
    await dialog.getByText('Add days in the system that the quote comes from').waitFor()
    await expect.poll(() => dialog.getByRole('button', { name: 'Book', exact: true }).isDisabled()).toBe(true)
  })

  it('is not changed by a dialog that shows an older version', async () => {
    const id = await takeQuote()
    const page = await app.open(`/quotes/${id}`)
    await page.getByRole('button', { name: 'Book', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Book quote' })
    await dialog.getByRole('button', { name: 'Book', exact: true }).waitFor()
    await pool.query('UPDATE quotes SET travel_fee_cents = 99900 WHERE company_id = $1 AND id = $2', [
      companyId,
      id,
    ])
    await dialog.getByRole('button', { name: 'Book', exact: true }).click()
    await dialog.getByText('Someone else changed this quote.').waitFor()
    const { bookedAt, totalPriceCents } = await apiQuote(id)
    expect(bookedAt).toBeNull()
    await dialog.getByText(dollars(totalPriceCents)).waitFor()
  })
})

describe('the page of the editor', () => {
  it('shows texts as texts, whatever is in them', async () => {
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
    await page.getByPlaceholder('Add a service or add-on').first().click()
    await page.getByRole('option').first().waitFor()
    expect(await page.evaluate('globalThis.hacked')).toBeUndefined()
    expect(await page.locator('img').count()).toBe(0)
    const dialogPage = await app.open(`/quotes/${id}`)
    await dialogPage.getByRole('button', { name: 'Book', exact: true }).click()
    await dialogPage.getByRole('dialog').locator('.edit-events li').first().waitFor()
    expect(await dialogPage.evaluate('globalThis.hacked')).toBeUndefined()
  })

  it('shows long names and large amounts whole, and the total beside any number of charges', async () => {
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
    // A label and the button beside it, whatever their lengths.
    for (const head of await page.locator('.edit-field-head').all()) {
      const [label, button] = [
        await head.locator('label').boundingBox(),
        await head.locator('button').boundingBox(),
      ]
      if (label === null || button === null) throw new Error('a field without a label or a button')
      expect(label.x + label.width <= button.x || label.y + label.height <= button.y).toBe(true)
    }
  })

  it('stays quick with a thousand lines, and has no sideways scrolling on a phone', async () => {
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
    const begun = performance.now()
    await field.pressSequentially('123456')
    const perKeyMs = (performance.now() - begun) / 6
    // Far more than it takes, for busy machines: without care it would be seconds.
    expect(perKeyMs).toBeLessThan(1_000)
    // Lines further down come when one gets there.
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
    'keeps nobody out, in %s',
    async (colorScheme) => {
      const id = await takeQuote(
        `(SELECT count(*) FROM line_items l WHERE l.company_id = $1 AND l.quote_id = q.id AND l.deleted_at IS NULL
            AND l.discount_id IS NULL) > 1`,
      )
      const page = await openEditor(id, { colorScheme })
      await expectNoBarriers(page)
      await page
        .getByRole('button', { name: /^Remove / })
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
      for (const name of ['Book', /^Mark as sent/, 'Mark as lost']) {
        await actions.getByRole('button', { name }).click()
        await actions.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor()
        await expectNoBarriers(actions)
        await actions.keyboard.press('Escape')
        await actions.getByRole('dialog').waitFor({ state: 'hidden' })
      }
    },
    120_000,
  )
})
