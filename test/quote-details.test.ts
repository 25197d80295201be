/** The quote page calculates its price from the same row and with the same function as the API. */
import { describe, expect, it } from 'vitest'
import { priceQuote } from '../src/core/pricing/price-quote.ts'
import { priceTotal } from '../src/core/pricing/price-total.ts'
import { findQuotePricing } from '../src/records/quote/details.ts'
import { pricingInput } from '../src/records/quote/row.ts'
import { findQuote } from '../src/records/quote/queries.ts'
import { inTransaction } from '../src/db/transaction.ts'
import { createDatabase, createDemoDatabase } from './support/database.ts'
import { plant } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'

const { pool } = await createDatabase()
await insertCompany(pool, 'co_1')
await insertCompany(pool, 'co_2')

const read = (companyId: string, id: string) =>
  inTransaction(
    pool,
    async (db) => {
      const row = await findQuote(db, companyId, id)
      if (row === null) throw new Error(`no quote ${id}`)
      return { row, pricing: await findQuotePricing(db, companyId, row) }
    },
    'read',
  )

describe('findQuotePricing', () => {
  it('returns lines in the order they were added, with the names of services and add-ons', async () => {
    const company = 'co_1'
    const odd = 'a\u001fb\u001e"\\{},%\n🎉'
    await plant(pool, 'services', company, 'svc', { name: odd, archived_at: '2026-01-01T00:00:00Z' })
    await plant(pool, 'addons', company, 'add', { name: 'Ice' })
    await plant(pool, 'services', 'co_2', 'foreign', { name: 'Not ours' })
    await plant(pool, 'discounts', company, 'ten', { name: 'Ten off' })
    await plant(pool, 'discounts', company, 'euro', {
      name: 'In euros',
      type: 'AMOUNT',
      percent_off: null,
      amount_off: 500,
      currency: 'EUR',
    })
    await plant(pool, 'discounts', 'co_2', 'theirs', { name: 'Not ours' })
    await plant(pool, 'service_charges', company, 'sc_1', { name: 'Service', taxable: false })
    await plant(pool, 'tax_rates', company, 'tax', { name: 'Sales tax' })
    await plant(pool, 'quotes', company, 'q', {
      discount_id: 'ten',
      tax_rate_id: 'tax',
      service_charge_ids: ['sc_1', 'sc_gone'],
      base_fee_cents: 1_000,
      travel_fee_cents: 250,
      travel_fee_taxable: false,
    })
    const line = (id: string, minute: number, row: object) =>
      plant(pool, 'line_items', company, id, {
        quote_id: 'q',
        created_at: `2026-01-01T00:0${minute}:00Z`,
        ...row,
      })
    await line('z', 1, { kind: 'SERVICE', service_id: 'svc', price_cents: 12_000, discount_id: 'ten' })
    await line('y', 2, {
      kind: 'ADDON',
      addon_id: 'add',
      price_cents: 3_000,
      discount_id: 'euro',
      quantity: '2.5',
    })
    await line('x', 3, { price_cents: 4_000, description: odd, taxable: false, unit_price_cents: 7 })
    await line('w', 4, { kind: 'SERVICE', service_id: 'foreign', price_cents: 9_999 })
    await line('v', 5, { price_cents: 7_777, deleted_at: '2026-01-01T00:00:00Z' })
    await line('u', 6, { price_cents: 100, discount_id: 'theirs', service_day_id: 'day' })

    const { row, pricing } = await read(company, 'q')
    expect(pricing.lines.map(({ id, itemName, itemFound }) => [id, itemName, itemFound])).toEqual([
      ['z', odd, true],
      ['y', 'Ice', true],
      ['x', null, null],
      ['w', null, false],
      ['u', null, null],
    ])
    expect(pricing.lines[1]).toEqual({
      id: 'y',
      serviceDayId: null,
      kind: 'ADDON',
      itemId: 'add',
      itemName: 'Ice',
      itemFound: true,
      description: null,
      quantity: '2.5000',
      unitPriceCents: null,
      priceCents: 3_000,
      taxable: true,
      optional: false,
      selected: true,
      optionGroup: null,
      deleted: false,
      discount: {
        id: 'euro',
        found: true,
        name: 'In euros',
        type: 'AMOUNT',
        percentOff: null,
        amountOff: 500,
        currency: 'EUR',
      },
    })
    expect(pricing.lines[2]).toMatchObject({
      description: odd,
      taxable: false,
      unitPriceCents: 7,
      discount: null,
    })
    expect(pricing.lines[4]).toMatchObject({ serviceDayId: 'day', discount: { id: 'theirs', found: false } })
    expect(pricing.discount).toMatchObject({ id: 'ten', name: 'Ten off', percentOff: '10.000000' })
    expect(pricing.serviceCharges).toEqual([
      expect.objectContaining({ id: 'sc_1', name: 'Service', taxable: false }),
      { id: 'sc_gone', found: false },
    ])
    expect(pricing.taxRate).toMatchObject({ name: 'Sales tax', rate: '8.875000' })

    const breakdown = priceQuote(pricing)
    expect(breakdown.totalCents).toBe(priceTotal(pricingInput(row)))
    expect(breakdown.lines.map(({ id }) => id)).toEqual(['u', 'x', 'y', 'z'])
    expect(breakdown.excluded).toEqual([
      { subject: 'LINE', id: 'w', lineId: 'w', reason: 'NOT_FOUND' },
      { subject: 'LINE_DISCOUNT', id: 'theirs', lineId: 'u', reason: 'NOT_FOUND' },
      { subject: 'LINE_DISCOUNT', id: 'euro', lineId: 'y', reason: 'CURRENCY_MISMATCH' },
      { subject: 'SERVICE_CHARGE', id: 'sc_gone', lineId: null, reason: 'NOT_FOUND' },
    ])
  })

  it('leads to the total of the API for every quote of the demo world', async () => {
    const demo = await createDemoDatabase()
    const { rows } = await demo.pool.query<{ companyId: string; id: string }>(
      `SELECT company_id AS "companyId", id FROM quotes WHERE deleted_at IS NULL ORDER BY company_id, id`,
    )
    expect(rows.length).toBeGreaterThan(200)
    for (const { companyId, id } of rows) {
      await inTransaction(
        demo.pool,
        async (db) => {
          const row = await findQuote(db, companyId, id)
          if (row === null) throw new Error(`no quote ${id}`)
          const pricing = await findQuotePricing(db, companyId, row)
          expect(priceQuote(pricing).totalCents).toBe(priceTotal(pricingInput(row)))
        },
        'read',
      )
    }
  }, 120_000)

  it('reads from one snapshot despite concurrent changes', async () => {
    await plant(pool, 'quotes', 'co_1', 'moving')
    await plant(pool, 'line_items', 'co_1', 'moving_1', { quote_id: 'moving', price_cents: 100 })
    await inTransaction(
      pool,
      async (db) => {
        const row = await findQuote(db, 'co_1', 'moving')
        await plant(pool, 'line_items', 'co_1', 'moving_2', { quote_id: 'moving', price_cents: 999 })
        if (row === null) throw new Error('no quote')
        expect(priceQuote(await findQuotePricing(db, 'co_1', row)).totalCents).toBe(100)
      },
      'read',
    )
  })
})
