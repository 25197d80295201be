/** Finds editable quotes in the demo world, and the elements of the editor. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { startConsole } from './console.ts'
import type { TestConsole } from './console.ts'

interface ApiQuote {
  totalPriceCents: number
  sentAt: string | null
  expiresAt: string | null
  lostAt: string | null
  lostReason: string | null
  bookedAt: string | null
  booking?: { totalPriceCents: number; events: { serviceStartTime: string; name: string }[] }
}

interface Fees {
  base_fee_cents: string
  travel_fee_cents: string
}

interface QuoteEditing extends TestConsole {
  /** An open quote in USD that no other test uses, with a tax rate, a service day and two lines. */
  takeQuote: (condition?: string) => Promise<string>
  /** The quote as the API returns it. */
  apiQuote: (id: string, query?: string) => Promise<ApiQuote>
  openEditor: (id: string, options?: Parameters<TestConsole['open']>[1]) => Promise<Page>
  storedFees: (id: string) => Promise<Fees | undefined>
}

export async function startQuoteEditing(): Promise<QuoteEditing> {
  const app = await startConsole()
  const { server, companyId, apiKey } = app
  const { pool } = app.database
  const used = new Set<string>()
  return {
    ...app,
    takeQuote: async (condition = 'true') => {
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
      if (id === undefined) throw new Error('the demo world has no other matching quote')
      used.add(id)
      return id
    },
    apiQuote: async (id, query = '') => {
      const { status, body } = await server.get(`/api/quotes/${id}${query}`, apiKey)
      expect(status).toBe(200)
      return body as ApiQuote
    },
    openEditor: async (id, options) => {
      const page = await app.open(`/quotes/${id}/edit`, options)
      await page.getByRole('heading', { name: 'Price', exact: true }).waitFor()
      return page
    },
    storedFees: async (id) => {
      const { rows } = await pool.query<Fees>(
        'SELECT base_fee_cents, travel_fee_cents FROM quotes WHERE company_id = $1 AND id = $2',
        [companyId, id],
      )
      return rows[0]
    },
  }
}

export const dollars = (cents: number) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(cents / 100)

export const totalOf = async (page: Page) => page.locator('[data-total]').textContent()
export const lineOf = (page: Page, index: number) => page.locator('.edit-line').nth(index)
export const isAt = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path)

export async function save(page: Page, id: string): Promise<void> {
  await page.getByRole('button', { name: 'Save' }).click()
  await isAt(page, `/quotes/${id}`)
  await page.getByText('Quote saved').waitFor()
}
