/** Quotes with days and lines, and the actions that change them. */
import { expect } from 'vitest'
import type { QuoteContent, QuoteLine } from '../../src/core/quotes/quote-edit.ts'
import { findQuoteForEdit } from '../../src/records/quote/edit.ts'
import type { EditableQuote } from '../../src/records/quote/edit.ts'
import type { Connection } from '../../src/db/connect.ts'
import { createDatabase } from './database.ts'
import { saveQuote } from './quote-actions.ts'
import type { ChangeOutcome } from './quote-actions.ts'
import { createQuoteApi, plant, plantMany } from './quotes.ts'
import type { Row } from './quotes.ts'
import { exportText, importValid } from './world.ts'

export const CUSTOM: QuoteLine = {
  id: null,
  serviceDayId: null,
  kind: 'CUSTOM',
  serviceId: null,
  addonId: null,
  description: 'Late hour',
  quantity: '1',
  unitPriceCents: null,
  priceCents: 7_000,
  taxable: true,
  discountId: null,
  optional: false,
  selected: true,
  optionGroup: null,
}

export function done(outcome: ChangeOutcome): EditableQuote {
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome))
  return outcome.quote
}

export async function createQuoteEditor() {
  const { pool, connection, get } = await createQuoteApi()

  for (const [companyId, mark] of [
    ['co_1', ''],
    ['co_2', '_foreign'],
  ] as const) {
    await plant(pool, 'leads', companyId, `lead${mark}`, {
      first_name: 'Ada',
      last_name: 'Lindqvist',
      email: 'ada@example.com',
      phone: '+1 555 0100',
    })
    await plant(pool, 'event_types', companyId, `type${mark}`)
    await plant(pool, 'services', companyId, `bar${mark}`)
    await plant(pool, 'services', companyId, `old_bar${mark}`, { archived_at: '2026-01-01T00:00:00Z' })
    await plant(pool, 'addons', companyId, `ice${mark}`)
    await plant(pool, 'discounts', companyId, `tenth${mark}`)
    await plant(pool, 'discounts', companyId, `old${mark}`, { archived_at: '2026-01-01T00:00:00Z' })
    const amount = { type: 'AMOUNT', percent_off: null, amount_off: 500 }
    await plant(pool, 'discounts', companyId, `dollars${mark}`, { ...amount, currency: 'USD' })
    await plant(pool, 'discounts', companyId, `euros${mark}`, { ...amount, currency: 'EUR' })
    await plant(pool, 'service_charges', companyId, `fifth${mark}`)
    await plant(pool, 'service_charges', companyId, `euro_charge${mark}`, {
      type: 'AMOUNT',
      percentage: null,
      amount_cents: 700,
      currency: 'EUR',
    })
    await plant(pool, 'tax_rates', companyId, `tax${mark}`)
    await plant(pool, 'tax_rates', companyId, `old_tax${mark}`, { archived_at: '2026-01-01T00:00:00Z' })
  }

  let planted = 0

  /** A quote with two days and three lines. */
  async function plantQuote(row: Row = {}): Promise<string> {
    const id = `quote ${++planted}`
    await plant(pool, 'quotes', 'co_1', id, { lead_id: 'lead', ...row })
    await plant(pool, 'service_days', 'co_1', `${id} day 1`, { quote_id: id })
    await plant(pool, 'service_days', 'co_1', `${id} day 2`, {
      quote_id: id,
      service_start_time: '2026-06-02T16:00:00Z',
      service_end_time: '2026-06-02T22:00:00Z',
    })
    const times = { created_at: '2026-05-01T00:00:00Z', updated_at: '2026-05-01T00:00:00Z', quote_id: id }
    await plantMany(pool, 'line_items', 'co_1', [
      {
        id: `${id} line 1`,
        kind: 'SERVICE',
        service_id: 'bar',
        service_day_id: `${id} day 1`,
        price_cents: 20_000,
        ...times,
      },
    ])
    await plantMany(pool, 'line_items', 'co_1', [
      {
        id: `${id} line 2`,
        kind: 'ADDON',
        addon_id: 'ice',
        price_cents: 5_000,
        quantity: '2.5000',
        ...times,
      },
    ])
    await plantMany(pool, 'line_items', 'co_1', [{ id: `${id} line 3`, price_cents: 1_000, ...times }])
    return id
  }

  async function find(id: string, companyId = 'co_1'): Promise<EditableQuote> {
    const quote = await findQuoteForEdit(pool, companyId, id)
    if (quote === null) throw new Error(`no quote ${id}`)
    return quote
  }

  const save = (quote: EditableQuote, content: Partial<QuoteContent>, companyId = 'co_1') =>
    saveQuote(pool, companyId, quote.id, quote.version, { ...quote.content, ...content })

  async function rowsOf(sql: string, ...values: unknown[]): Promise<Row[]> {
    return (await pool.query<Row>(sql, values)).rows
  }
  return { pool, connection, get, plantQuote, find, save, rowsOf }
}

/** Checks that the exported world can be imported, and that a second export is equal. */
export async function expectRoundTrip(connection: Connection): Promise<void> {
  const text = await exportText(connection)
  const { connection: empty } = await createDatabase()
  await importValid(
    empty,
    text.split('\n').filter((line) => line !== ''),
  )
  expect(await exportText(empty)).toBe(text)
}
