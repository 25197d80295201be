import { describe, expect, it } from 'vitest'
import type { QuoteLine } from '../src/core/quotes/quote-edit.ts'
import { runAction } from '../src/actions/action.ts'
import { createDiscount, createServiceCharge, createTaxRate } from '../src/actions/create-definition.ts'
import { contextOf } from './support/actions.ts'
import { plant } from './support/quotes.ts'
import { createQuoteEditor, done, expectRoundTrip } from './support/quote-edit.ts'

const { pool, connection, get, plantQuote, find, save } = await createQuoteEditor()

describe('new definitions', () => {
  it('can be used by quotes of the company immediately', async () => {
    const percent = await runAction(contextOf(pool), createDiscount, {
      name: 'Friends',
      type: 'PERCENT',
      percentOff: '12.5',
    })
    const amount = await runAction(contextOf(pool), createDiscount, {
      name: 'Voucher',
      type: 'AMOUNT',
      amountOff: 1_000,
      currency: 'USD',
    })
    const charge = await runAction(contextOf(pool), createServiceCharge, {
      name: 'Night',
      type: 'AMOUNT',
      amountCents: 300,
      currency: 'USD',
      taxable: false,
    })
    const rate = await runAction(contextOf(pool), createServiceCharge, {
      name: 'Venue',
      type: 'PERCENT',
      percentage: '5',
      taxable: true,
    })
    const tax = await runAction(contextOf(pool), createTaxRate, { name: 'City', rate: '3.25' })
    const id = await plantQuote()
    const quote = await find(id)
    expect(quote.catalog.discounts).toContainEqual({ ...percent, percentOff: '12.500000' })
    expect(quote.catalog.discounts).toContainEqual(amount)
    expect(quote.catalog.serviceCharges).toContainEqual(charge)
    const [first, ...others] = quote.content.lines as [QuoteLine, ...QuoteLine[]]
    const saved = done(
      await save(quote, {
        lines: [{ ...first, discountId: amount.id }, ...others],
        discountId: percent.id,
        serviceChargeIds: [charge.id, rate.id],
        taxRateId: tax.id,
      }),
    )
    expect(saved.price.excluded).toEqual([])
    expect((await get(id)).totalPriceCents).toBe(saved.price.totalCents)
    expect((await find(id, 'co_1')).catalog.taxRates.map((taxRate) => taxRate.id)).toContain(tax.id)
    await plant(pool, 'quotes', 'co_2', 'of another company')
    expect(
      (await find('of another company', 'co_2')).catalog.taxRates.map((taxRate) => taxRate.id),
    ).not.toContain(tax.id)
  })
})

it('an exported world can be imported without differences', () => expectRoundTrip(connection))
