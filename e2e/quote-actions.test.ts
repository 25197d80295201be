/** Marking a quote as sent or lost, reopening and booking it. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findViolations } from './barriers.ts'
import { dollars, startQuoteEditing } from './quote-editing.ts'

const app = await startQuoteEditing()
const { takeQuote, apiQuote, companyId } = app
const { pool } = app.database

describe('the state of a quote', () => {
  const act = async (page: Page, name: string | RegExp, action: string) => {
    if (action === 'Mark as lost') {
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name }).click()
    } else {
      await page.getByRole('button', { name }).click()
    }
    const dialog = page.getByRole('dialog')
    if (action === 'Mark as lost') {
      await expect.poll(() => dialog.getByRole('button', { name: action }).isDisabled()).toBe(true)
      await dialog.getByRole('radio', { name: 'Customer chose a competitor' }).click()
    }
    await dialog.getByRole('button', { name: action, exact: true }).click()
    if (action === 'Send quote') await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'hidden' })
  }

  it('changes to sent, lost and reopened, and the API returns it', async () => {
    const id = await takeQuote('q.sent_at IS NULL')
    const page = await app.open(`/quotes/${id}`)
    await act(page, 'Send quote', 'Send quote')
    await page.getByLabel('Link for the customer').getByText('/q/').waitFor()
    await page.getByRole('button', { name: 'Send again' }).waitFor()
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

  it('says why a quote has no customer page, and how to get one', async () => {
    const texts = {
      'q.sent_at IS NULL': 'Not sent yet. Send the quote to get a link',
      'q.sent_at IS NOT NULL': 'Send it again to get a link for the customer.',
    }
    for (const [condition, text] of Object.entries(texts)) {
      const page = await app.open(`/quotes/${await takeQuote(condition)}`)
      await page.getByRole('region', { name: 'Customer page' }).getByText(text).waitFor()
    }
    const { rows } = await pool.query<{ quote_id: string }>(
      'SELECT quote_id FROM bookings WHERE company_id = $1 AND quote_id IS NOT NULL AND canceled_at IS NULL LIMIT 1',
      [companyId],
    )
    const page = await app.open(`/quotes/${rows[0]?.quote_id}`)
    const panel = page.getByRole('region', { name: 'Customer page' })
    await panel.getByText('This quote was sent without a customer page.', { exact: true }).waitFor()
  })

  it('shows before booking that the total has changed', async () => {
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

  it('creates a booking at the displayed total, and an event for each day', async () => {
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

  it('IV5, IV6: undoes a booking, and cancels the next one', async () => {
    const id = await takeQuote(
      '(SELECT min(d.service_start_time) FROM service_days d WHERE d.company_id = $1 AND d.quote_id = q.id) > now()',
    )
    const page = await app.open(`/quotes/${id}`)
    const book = async () => {
      await page.getByRole('button', { name: 'Book', exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Book', exact: true }).click()
      await page.getByRole('heading', { name: 'Invoices' }).waitFor()
    }
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name }).click()
      const dialog = page.getByRole('dialog', { name })
      await dialog.getByRole('button', { name }).click()
      await dialog.waitFor({ state: 'hidden' })
    }
    await book()
    await choose('Undo booking')
    await page.getByRole('button', { name: 'Book', exact: true }).waitFor()
    expect(await apiQuote(id)).toMatchObject({ bookedAt: null, bookingId: null })
    await book()
    await choose('Cancel booking')
    await page.getByText('Booking canceled.').waitFor()
    const { booking } = await apiQuote(id, '?expand[]=booking.events')
    expect(booking).toMatchObject({ canceledAt: expect.any(String) as string })
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Cancel booking' }).count()).toBe(0)
  })

  it('Q25: offers the next step first, and says what is missing', async () => {
    const first = async (state: string) => {
      const id = await takeQuote('q.sent_at IS NULL')
      await pool.query(`UPDATE quotes SET ${state} WHERE company_id = $1 AND id = $2`, [companyId, id])
      const page = await app.open(`/quotes/${id}`)
      return page.locator('#main button[data-variant="filled"]').first().textContent()
    }
    expect(await first('sent_at = NULL')).toBe('Send quote')
    expect(await first(`sent_at = now(), expires_at = now() + interval '1 day'`)).toBe('Book')
    expect(await first(`sent_at = now(), expires_at = now() - interval '1 day'`)).toBe('Send again')
    expect(await first(`lost_at = now(), lost_reason = 'PRICE'`)).toBe('Reopen')
    const id = await takeQuote('q.sent_at IS NULL')
    await pool.query('UPDATE line_items SET deleted_at = now() WHERE company_id = $1 AND quote_id = $2', [
      companyId,
      id,
    ])
    const page = await app.open(`/quotes/${id}`)
    await page.getByText('This quote has no lines. Add lines before you send it.').waitFor()
    expect(await page.getByRole('button', { name: 'Send quote' }).isDisabled()).toBe(true)
  })

  it('cannot be booked without service days, and says how to add them', async () => {
    const id = await takeQuote()
    const stale = await app.open(`/quotes/${id}`)
    await stale.getByRole('button', { name: 'Book', exact: true }).waitFor()
    await pool.query('UPDATE line_items SET service_day_id = NULL WHERE company_id = $1 AND quote_id = $2', [
      companyId,
      id,
    ])
    await pool.query('DELETE FROM service_days WHERE company_id = $1 AND quote_id = $2', [companyId, id])
    const page = await app.open(`/quotes/${id}`)
    await page.getByText('Edit the quote to add a day.').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Book', exact: true }).isDisabled()).toBe(true)
    await stale.getByRole('button', { name: 'Book', exact: true }).click()
    const dialog = stale.getByRole('dialog', { name: 'Book quote' })
    await dialog.getByText('Edit the quote to add a day.').waitFor()
    await expect.poll(() => dialog.getByRole('button', { name: 'Book', exact: true }).isDisabled()).toBe(true)
  })

  it('does not change from a dialog with an older version', async () => {
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

describe('the revisions of a quote', () => {
  it('V22: are listed with their differences, without barriers, at 360 px', { timeout: 60_000 }, async () => {
    const id = await takeQuote('q.sent_at IS NULL')
    const page = await app.open(`/quotes/${id}`)
    for (const [button, change] of [
      ['Send quote', 'base_fee_cents = base_fee_cents + 12345'],
      ['Send again', 'guest_count = guest_count + 1'],
    ] as const) {
      await page.getByRole('button', { name: button, exact: true }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Message to the customer').fill('See you soon')
      await dialog.getByRole('button', { name: button, exact: true }).click()
      await dialog.getByRole('button', { name: 'Copy link' }).waitFor()
      await dialog.getByRole('button', { name: 'Done' }).click()
      await pool.query(`UPDATE quotes SET ${change} WHERE company_id = $1 AND id = $2`, [companyId, id])
    }
    await page.setViewportSize({ width: 360, height: 740 })
    await page.reload()
    await page.getByText('Draft has changes since revision 2.').waitFor()
    await page.getByRole('region', { name: 'Changed values' }).getByText('Base fee').waitFor()
    expect((await findViolations(page)).map((violation) => violation.id)).toEqual([])
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
    expect(await page.evaluate(overflow)).toBe(0)
  })
})
