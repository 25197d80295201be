import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import {
  cents,
  changed,
  discountOf,
  extraLine,
  line,
  percentText,
  pricingInput,
  shuffled,
  withLines,
} from '../../../test/support/pricing-inputs.ts'
import {
  ZERO,
  exact,
  figuresOf,
  fractionOf,
  isLess,
  isOn,
  minus,
  nearest,
  plus,
  referenceBreakdown,
  sum,
  times,
  toInteger,
  total,
  whole,
} from '../../../test/support/pricing-reference.ts'
import type { Fraction } from '../../../test/support/pricing-reference.ts'
import { priceQuote } from './price-quote.ts'
import { priceTotal } from './price-total.ts'
import type { Discount, NotFound, PricingInput, ServiceCharge } from './price-total.ts'

const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 1000)
vi.setConfig({ testTimeout: 10_000 + numRuns * 20 })

function check<T>(arbitrary: fc.Arbitrary<T>, predicate: (value: T) => void): void {
  fc.assert(fc.property(arbitrary, predicate), { numRuns })
}

describe('invariants of the price', () => {
  it('every figure equals a calculation in exact fractions', () => {
    check(pricingInput, (input) => {
      const { excluded, ...shown } = priceQuote(input)
      expect(shown).toEqual(referenceBreakdown(input))
      expect(excluded.every(({ subject, lineId, id: own }) => subject !== 'LINE' || lineId === own)).toBe(
        true,
      )
      expect(priceTotal(input)).toBe(shown.totalCents)
    })
  })

  it('P14: the printed figures add up to the total, and none is negative', () => {
    check(pricingInput, (input) => {
      const priced = priceQuote(input)
      const terms = [
        priced.linesGrossCents,
        -priced.lineDiscountCents,
        priced.baseFeeCents,
        priced.travelFeeCents,
        -priced.quoteDiscountCents,
        priced.serviceChargeCents,
        priced.taxCents,
      ]
      expect(priced.totalCents).toBe(sum(terms))
      const numbers = Object.values(priced).filter((value) => typeof value === 'number')
      expect(numbers).toHaveLength(11)
      expect(numbers.every((value) => value >= 0)).toBe(true)
    })
  })

  it('P15: the shares of the quote discount add up, are at most their component, and lead to the taxed amount', () => {
    check(pricingInput, (input) => {
      const priced = priceQuote(input)
      const parts = [...priced.lines, ...priced.fees]
      for (const part of parts) {
        const weight = part.grossCents - part.lineDiscountCents
        expect(part.quoteDiscountCents).toBeGreaterThanOrEqual(0)
        expect(part.quoteDiscountCents).toBeLessThanOrEqual(weight)
        expect(part.netCents).toBe(weight - part.quoteDiscountCents)
      }
      expect(sum(parts.map((part) => part.quoteDiscountCents))).toBe(priced.quoteDiscountCents)
      expect(sum(parts.map((part) => part.netCents))).toBe(priced.discountedSubtotalCents)
      const taxedParts = parts.filter(({ taxable }) => taxable).map((part) => part.netCents)
      const taxedCharges = priced.serviceCharges
        .filter(({ taxable }) => taxable)
        .map((charge) => charge.amountCents)
      expect(sum([...taxedParts, ...taxedCharges])).toBe(priced.taxableCents)
    })
  })

  it('P16: order does not matter, and names of lines do not change the total', () => {
    const reordered = pricingInput.chain((input) =>
      fc.record({
        input: fc.constant(input),
        lines: shuffled(input.lines),
        serviceCharges: shuffled(input.serviceCharges),
        names: shuffled(input.lines.map((_, i) => `copy ${i}`)),
      }),
    )
    check(reordered, ({ input, lines, serviceCharges, names }) => {
      expect(priceQuote({ ...input, lines, serviceCharges })).toEqual(priceQuote(input))
      const renamed = input.lines.map((row, i) => changed(row, { id: names[i] ?? '' }))
      expect(priceTotal({ ...input, lines: renamed })).toBe(priceTotal(input))
    })
  })

  it('P17: lines with price 0, deleted lines, lines with a missing item and unused fields have no effect', () => {
    const noise = fc.record({ archived: fc.boolean(), quantity: fc.nat(), unitPriceCents: fc.integer() })
    check(fc.tuple(pricingInput, line, noise, fc.nat()), ([input, other, unread, bookingGratuityCents]) => {
      const before = priceQuote(input)

      const free = extraLine('free', 0, { taxable: other.taxable, discount: other.discount })
      const withFree = priceQuote(withLines(input, free))
      const zeros = { grossCents: 0, lineDiscountCents: 0, quoteDiscountCents: 0, netCents: 0 }
      expect(withFree.lines.find((row) => row.id === free.id)).toEqual({
        id: free.id,
        ...zeros,
        taxable: other.taxable,
      })
      const others = withFree.lines.filter((row) => row.id !== free.id)
      expect({ ...withFree, lines: others, excluded: before.excluded }).toEqual(before)

      expect(priceQuote(withLines(input, { ...other, id: 'extra deleted', deleted: true }))).toEqual(before)

      const lost = { ...other, id: 'extra lost', kind: 'ADDON', itemFound: false, deleted: false } as const
      expect({ ...priceQuote(withLines(input, lost)), excluded: before.excluded }).toEqual(before)

      const decorated = {
        ...input,
        bookingGratuityCents,
        lines: input.lines.map((row) => changed(row, unread)),
        serviceCharges: input.serviceCharges.map((row) => changed(row, { archived: unread.archived })),
        discount: input.discount && changed(input.discount, { archived: unread.archived }),
        taxRate: input.taxRate && changed(input.taxRate, { archived: unread.archived }),
      }
      expect(priceQuote(decorated)).toEqual(before)
    })
  })

  it('P18: a missing discount, service charge or tax rate has no effect', () => {
    check(pricingInput, (input) => {
      const lost = { id: 'lost', found: false } as const
      const inputs = [
        input,
        { ...input, discount: lost },
        { ...input, taxRate: lost },
        {
          ...input,
          serviceCharges: input.serviceCharges.map(({ id: chargeId }) => ({ ...lost, id: chargeId })),
        },
        { ...input, lines: input.lines.map((row) => changed(row, { discount: lost })) },
      ]
      for (const attached of inputs) {
        const bare: PricingInput = {
          ...attached,
          lines: attached.lines.map((row) =>
            changed(row, { discount: row.discount?.found ? row.discount : null }),
          ),
          discount: attached.discount?.found ? attached.discount : null,
          serviceCharges: attached.serviceCharges.filter(({ found }) => found),
          taxRate: attached.taxRate?.found ? attached.taxRate : null,
        }
        const { excluded, ...shown } = priceQuote(attached)
        const { excluded: stillExcluded, ...expected } = priceQuote(bare)
        expect(shown).toEqual(expected)
        expect(
          excluded.filter(({ subject, reason }) => subject === 'LINE' || reason !== 'NOT_FOUND'),
        ).toEqual(stillExcluded)
      }
    })
  })

  it('P19: splitting a line without discount into lines of equal taxability keeps the total', () => {
    check(fc.tuple(pricingInput, cents, cents, fc.boolean()), ([input, first, second, taxable]) => {
      const merged = withLines(input, extraLine('1', first + second, { taxable }))
      const split = withLines(input, extraLine('1', first, { taxable }), extraLine('2', second, { taxable }))
      expect(priceTotal(split)).toBe(priceTotal(merged))
    })
  })

  it('P20: a higher price, fee, service charge or tax rate never lowers the total, a higher discount never raises it', () => {
    const more = fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 10 ** 8 }))
    check(fc.tuple(pricingInput, more), ([input, k]) => {
      const before = priceTotal(input)
      for (const raised of dearer(input, k)) expect(priceTotal(raised)).toBeGreaterThanOrEqual(before)
      for (const lowered of cheaper(input, k)) expect(priceTotal(lowered)).toBeLessThanOrEqual(before)
      for (const charged of withHigherFixedCharge(input, k)) {
        expect(priceTotal(charged)).toBeGreaterThanOrEqual(before + k)
      }
    })
  })

  it('P21: 100 % off, or an amount of at least the subtotal, leaves fixed service charges and their tax', () => {
    check(fc.tuple(pricingInput, fc.nat(1000)), ([input, beyond]) => {
      const { subtotalCents } = priceQuote(input)
      const byPercent = { ...input, discount: discountOf('PERCENT', '100', null, null) }
      const byAmount = { ...input, discount: discountOf('AMOUNT', null, subtotalCents + beyond, 'USD') }
      const fixed = input.serviceCharges.filter(isOn).filter(({ type }) => type === 'AMOUNT')
      const charged = total(fixed.map(({ amountCents }) => whole(amountCents ?? -1)))
      const taxed = total(
        fixed.filter(({ taxable }) => taxable).map((charge) => whole(charge.amountCents ?? -1)),
      )
      const tax = input.taxRate?.found ? nearest(times(taxed, fractionOf(input.taxRate.rate))) : ZERO
      const priced = priceQuote(byPercent)
      expect(priced.discountedSubtotalCents).toBe(0)
      expect(priced.totalCents).toBe(toInteger(plus(charged, tax)))
      expect(priceQuote(byAmount)).toEqual(priced)
    })
  })

  it('P22: replacing every currency does not change the numbers', () => {
    const relabelled: Record<string, string> = { USD: 'KWD', EUR: 'JPY' }
    check(pricingInput, (input) => {
      const other: PricingInput = JSON.parse(
        JSON.stringify(input, (key, value: string | null) =>
          key === 'currency' && value !== null ? relabelled[value] : value,
        ),
      )
      expect(priceQuote(other)).toEqual({ ...priceQuote(input), currency: 'KWD' })
    })
  })

  it('P23: scaling all money scales the total, up to the roundings', () => {
    const scaling = fc.record({ k: fc.integer({ min: 2, max: 50 }), input: pricingInput })
    check(scaling, ({ k, input }) => {
      const bound = roundingBound(input)
      const distance = Math.abs(priceTotal(scaled(input, k)) - k * priceTotal(input))
      expect(distance).toBeLessThanOrEqual((k + 1) * bound)

      const [error, unit] = minus(figuresOf(input, exact).price, whole(priceTotal(input)))
      const limit: Fraction = [BigInt(2 * bound), 2n]
      expect(isLess(limit, [error, unit]) || isLess(limit, [-error, unit])).toBe(false)

      const plain = withoutPercentages(input)
      expect(priceTotal(scaled(plain, k))).toBe(k * priceTotal(plain))
    })
  })
})

function replaced<T>(rows: readonly T[], change: (row: T) => T | null): T[][] {
  return rows.flatMap((row, i) => {
    const next = change(row)
    return next === null ? [] : [rows.with(i, next)]
  })
}

function morePercent(text: string | null, millionths: number): string {
  return percentText(Math.min(100_000_000, Math.round(Number(text) * 1e6) + millionths))
}

function withHigherFixedCharge(input: PricingInput, k: number): PricingInput[] {
  const raise = (charge: ServiceCharge | NotFound) =>
    isOn(charge) && charge.type === 'AMOUNT'
      ? { ...charge, amountCents: (charge.amountCents ?? -1) + k }
      : null
  return replaced(input.serviceCharges, raise).map((serviceCharges) => changed(input, { serviceCharges }))
}

function dearer(input: PricingInput, k: number): PricingInput[] {
  const raisePercent = (charge: ServiceCharge | NotFound) =>
    isOn(charge) && charge.type === 'PERCENT'
      ? { ...charge, percentage: morePercent(charge.percentage, k) }
      : null
  const raised = [
    ...replaced(input.lines, (row) => ({ ...row, priceCents: row.priceCents + k })).map((lines) => ({
      lines,
    })),
    ...replaced(input.serviceCharges, raisePercent).map((serviceCharges) => ({ serviceCharges })),
    { baseFeeCents: input.baseFeeCents + k },
    { travelFeeCents: input.travelFeeCents + k },
    input.taxRate?.found ? { taxRate: { ...input.taxRate, rate: morePercent(input.taxRate.rate, k) } } : {},
  ]
  return raised.map((change) => changed(input, change))
}

function cheaper(input: PricingInput, k: number): PricingInput[] {
  const raise = (given: Discount | NotFound | null) => {
    if (!isOn(given)) return null
    return given.type === 'PERCENT'
      ? {
          ...given,
          percentOff: percentText(Math.min(999_999_999, Math.round(Number(given.percentOff) * 1e6) + k)),
        }
      : { ...given, amountOff: (given.amountOff ?? -1) + k }
  }
  const linesWithMoreOff = replaced(input.lines, (row) => ({
    ...row,
    discount: raise(row.discount) ?? row.discount,
  }))
  return [
    ...linesWithMoreOff.map((lines) => changed(input, { lines })),
    { ...input, discount: raise(input.discount) ?? input.discount },
  ]
}

const MONEY_FIELDS = new Set(['priceCents', 'baseFeeCents', 'travelFeeCents', 'amountOff', 'amountCents'])

function scaled(input: PricingInput, k: number): PricingInput {
  return JSON.parse(
    JSON.stringify(input, (key, value: unknown) =>
      MONEY_FIELDS.has(key) && typeof value === 'number' ? value * k : value,
    ),
  )
}

function unlessPercent(given: Discount | NotFound | null): Discount | NotFound | null {
  return given?.found === true && given.type === 'PERCENT' ? null : given
}

function withoutPercentages(input: PricingInput): PricingInput {
  return {
    ...input,
    lines: input.lines.map((row) => changed(row, { discount: unlessPercent(row.discount) })),
    discount: unlessPercent(input.discount),
    serviceCharges: input.serviceCharges.filter((charge) => charge.found && charge.type === 'AMOUNT'),
    taxRate: null,
  }
}

/** Largest effect of half a unit of rounding at each step on the total. Later steps do not increase an error. */
function roundingBound(input: PricingInput): number {
  const discounted = input.lines.length / 2 + 0.5
  const charged = input.serviceCharges.length * (0.5 + discounted)
  const tax = discounted + charged + 0.5
  return discounted + charged + tax
}
