import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linePriceCents } from '../quotes/quote-edit.ts'
import { catalogPrice, quantityOf, unitsOf } from './catalog-price.ts'
import type { Occasion, PricedItem } from './catalog-price.ts'
import { UNITS } from '../enumerations.ts'

const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 1000)

const DAYS = [
  { id: 'a', serviceStartTime: '2026-06-01T10:00:00.000Z', serviceEndTime: '2026-06-01T15:20:00.000Z' },
  { id: 'b', serviceStartTime: '2026-06-02T20:00:00.000Z', serviceEndTime: '2026-06-03T02:00:00.000Z' },
]
const OCCASION: Occasion = { currency: 'USD', guestCount: 80, days: DAYS }
const item = (unit: PricedItem['unit'], unitPriceCents = 1_000): PricedItem => ({
  prices: [
    { currency: 'EUR', unitPriceCents: 1 },
    { currency: 'USD', unitPriceCents },
  ],
  unit,
  taxable: true,
})

describe('the price of a line from the catalog', () => {
  it.each([
    ['EACH', 'a', '1', 1_000],
    ['HOUR', 'a', '5.3333', 5_333],
    ['HOUR', 'b', '6', 6_000],
    ['HOUR', null, '11.3333', 11_333],
    ['GUEST', 'a', '80', 80_000],
    ['GUEST', null, '80', 80_000],
    ['DAY', 'a', '1', 1_000],
    ['DAY', null, '2', 2_000],
    ['DAY', 'of another quote', '2', 2_000],
  ] as const)('Q20: %s on day %s: %s', (unit, dayId, quantity, priceCents) => {
    expect(catalogPrice(item(unit), OCCASION, { pieces: '1', dayId })).toEqual({
      quantity,
      unitPriceCents: 1_000,
      priceCents,
    })
  })

  it('Q20: multiplies with the given quantity', () => {
    expect(catalogPrice(item('HOUR'), OCCASION, { pieces: '2', dayId: 'b' })?.quantity).toBe('12')
    expect(catalogPrice(item('EACH'), OCCASION, { pieces: '2.5', dayId: 'b' })?.priceCents).toBe(2_500)
  })

  it('Q20: is null without a price in the currency, or beyond the limits of a line', () => {
    const one = { pieces: '1', dayId: null }
    expect(catalogPrice(item('EACH'), { ...OCCASION, currency: 'JPY' }, one)).toBeNull()
    expect(catalogPrice(item('GUEST'), { ...OCCASION, guestCount: 1_000_001 }, one)).toBeNull()
    expect(catalogPrice(item('GUEST', 100_000_000_000), OCCASION, one)).toBeNull()
  })

  it('Q20: counts no hours of a day that ends before it starts', () => {
    const days = [
      { id: 'a', serviceStartTime: '2026-06-01T10:00:00Z', serviceEndTime: '2026-06-01T09:00:00Z' },
    ]
    expect(unitsOf('HOUR', { ...OCCASION, days }, 'a')).toBe('0')
  })

  it('Q20: is the rounded product of quantity and unit price, and the hours are exact to four decimals', () => {
    const start = Date.parse('2026-06-01T00:00:00Z')
    const time = fc.integer({ min: 0, max: 40 * 86_400_000 }).map((ms) => new Date(start + ms).toISOString())
    const day = fc.record({
      id: fc.constantFrom('a', 'b', 'c'),
      serviceStartTime: time,
      serviceEndTime: time,
    })
    fc.assert(
      fc.property(
        fc.constantFrom(...UNITS),
        fc.array(day, { maxLength: 4 }),
        fc.nat(5_000),
        fc.nat(1_000_000),
        fc.constantFrom('a', null),
        (unit, days, guestCount, unitPriceCents, dayId) => {
          const occasion = { currency: 'USD', guestCount, days }
          const price = catalogPrice(item(unit, unitPriceCents), occasion, { pieces: '1', dayId })
          expect(price?.priceCents).toBe(linePriceCents(price?.quantity ?? '', unitPriceCents))
          expect(quantityOf('1', unitsOf(unit, occasion, dayId))).toBe(price?.quantity)
          if (unit !== 'HOUR') return
          const own = days.filter(({ id }) => id === dayId)
          const ms = (own.length === 0 ? days : own)
            .map((one) => Date.parse(one.serviceEndTime) - Date.parse(one.serviceStartTime))
            .filter((length) => length > 0)
            .reduce((sum, length) => sum + length, 0)
          expect(Math.abs(Number(price?.quantity) - ms / 3_600_000)).toBeLessThanOrEqual(0.000_050_001)
        },
      ),
      { numRuns },
    )
  })
})
