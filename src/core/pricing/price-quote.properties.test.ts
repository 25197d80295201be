import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { priceQuote, type PriceBreakdown } from './price-quote.ts'
import {
  type Discount,
  type NotFound,
  type PricingInput,
  type PricingLine,
  type ServiceCharge,
  priceTotal,
} from './price-total.ts'

const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 1000)
vi.setConfig({ testTimeout: 10_000 + numRuns * 20 })

function check<T>(arbitrary: fc.Arbitrary<T>, predicate: (value: T) => void): void {
  fc.assert(fc.property(arbitrary, predicate), { numRuns })
}

// ---------------------------------------------------------------------------------------------------------------
// Quotes to try. Small amounts make ties and exact halves likely; ids tell code-unit order from other orders.

const MAX_CENTS = 10 ** 11

const cents = fc.oneof(fc.nat(9), fc.nat(100_000), fc.integer({ min: 0, max: MAX_CENTS }))

function percentText(millionths: number): string {
  return `${Math.floor(millionths / 1e6)}.${String(millionths % 1e6).padStart(6, '0')}`
}

const percentage = fc.oneof(
  fc.constantFrom('0', '100', '50', '12.5', '33.333333', '0.000001', '99.999999', '8.875', '8.875000'),
  fc.integer({ min: 0, max: 100_000_000 }).map(percentText),
)
const percentOff = fc.oneof(
  { weight: 9, arbitrary: percentage },
  { weight: 1, arbitrary: fc.constantFrom('100.000001', '150', '999.999999') },
)

const id = fc.string({
  unit: fc.constantFrom('a', 'b', 'B', '_', '0', 'é', '\uFF5E', '\u{1F600}'),
  minLength: 1,
  maxLength: 3,
})

const amountCurrency = fc.constantFrom('USD', 'USD', 'USD', 'EUR')
const rarely = fc.constantFrom(false, false, false, false, true)

const notFound: fc.Arbitrary<NotFound> = fc.record({ id, found: fc.constant(false as const) })
const percentDiscount: fc.Arbitrary<Discount> = percentOff.map((text) =>
  discountOf('PERCENT', text, null, null),
)
const amountDiscount: fc.Arbitrary<Discount> = fc
  .tuple(cents, amountCurrency)
  .map(([amount, currency]) => discountOf('AMOUNT', null, amount, currency))
const discount = fc.oneof(fc.constant(null), percentDiscount, amountDiscount, notFound)

function discountOf(
  type: Discount['type'],
  text: string | null,
  amountOff: number | null,
  currency: string | null,
): Discount {
  return { id: `discount ${type}`, found: true, type, percentOff: text, amountOff, currency }
}

const serviceCharge: fc.Arbitrary<ServiceCharge | NotFound> = fc.oneof(
  fc.tuple(id, percentage, fc.boolean()).map(([chargeId, text, taxable]): ServiceCharge => ({
    id: chargeId,
    found: true,
    type: 'PERCENT',
    percentage: text,
    amountCents: null,
    currency: null,
    taxable,
  })),
  fc
    .tuple(id, cents, amountCurrency, fc.boolean())
    .map(([chargeId, amountCents, currency, taxable]): ServiceCharge => ({
      id: chargeId,
      found: true,
      type: 'AMOUNT',
      percentage: null,
      amountCents,
      currency,
      taxable,
    })),
  notFound,
)

const item = fc.oneof(
  fc.record({ kind: fc.constant('CUSTOM' as const), itemFound: fc.constant(null) }),
  fc.record({
    kind: fc.constantFrom('SERVICE' as const, 'ADDON' as const),
    itemFound: rarely.map((no) => !no),
  }),
)

const line: fc.Arbitrary<PricingLine> = fc
  .tuple(
    item,
    fc.record({
      id,
      priceCents: cents,
      taxable: fc.boolean(),
      deleted: rarely,
      discount: fc.option(discount),
    }),
  )
  .map(([itemFields, fields]) => changed(fields, itemFields))

const pricingInput: fc.Arbitrary<PricingInput> = fc.record({
  currency: fc.constant('USD'),
  baseFeeCents: cents,
  baseFeeTaxable: fc.boolean(),
  travelFeeCents: cents,
  travelFeeTaxable: fc.boolean(),
  lines: fc.uniqueArray(line, { selector: (row) => row.id, maxLength: 8 }),
  discount,
  serviceCharges: fc.uniqueArray(serviceCharge, { selector: (row) => row.id, maxLength: 4 }),
  taxRate: fc.oneof(
    fc.constant(null),
    percentage.map((rate) => ({ id: 'tax', found: true as const, rate })),
    notFound,
  ),
})

/** A custom line under an id that no generated line has. */
function extraLine(lineId: string, priceCents: number, overrides: Partial<PricingLine> = {}): PricingLine {
  return {
    id: `extra ${lineId}`,
    kind: 'CUSTOM',
    itemFound: null,
    priceCents,
    taxable: true,
    deleted: false,
    discount: null,
    ...overrides,
  }
}

function changed<Row extends object, Change extends object>(row: Row, change: Change): Row & Change {
  return { ...row, ...change }
}

function withLines(input: PricingInput, ...extra: PricingLine[]): PricingInput {
  return { ...input, lines: [...input.lines, ...extra] }
}

function shuffled<T>(rows: readonly T[]): fc.Arbitrary<T[]> {
  return fc.shuffledSubarray([...rows], { minLength: rows.length })
}

// ---------------------------------------------------------------------------------------------------------------
// An independent calculation in exact fractions, which rounds only where and if it is told to.

type Fraction = readonly [numerator: bigint, denominator: bigint]
type Rounding = (value: Fraction) => Fraction

const ZERO: Fraction = [0n, 1n]
const whole = (value: number): Fraction => [BigInt(value), 1n]
const plus = ([a, b]: Fraction, [c, d]: Fraction): Fraction => (b === d ? [a + c, b] : [a * d + c * b, b * d])
const minus = (x: Fraction, [c, d]: Fraction): Fraction => plus(x, [-c, d])
const times = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * c, b * d]
const isLess = ([a, b]: Fraction, [c, d]: Fraction): boolean => a * d < c * b
const least = (x: Fraction, y: Fraction): Fraction => (isLess(x, y) ? x : y)
const total = (values: readonly Fraction[]): Fraction => values.reduce(plus, ZERO)
const floor = ([a, b]: Fraction): bigint => a / b
const nearest: Rounding = (value) => [floor(plus(value, [1n, 2n])), 1n]
const exact: Rounding = (value) => value
const toInteger = ([a, b]: Fraction): number => Number(a / b)

function fractionOf(text: string | null): Fraction {
  const [units = '', decimals = ''] = (text ?? '').split('.')
  return [BigInt(units + decimals), 100n * 10n ** BigInt(decimals.length)]
}

const isOn = <T extends { found: true; type: string; currency: string | null }>(
  relation: T | NotFound | null,
): relation is T => relation?.found === true && !(relation.type === 'AMOUNT' && relation.currency !== 'USD')

interface Part {
  key: string
  gross: Fraction
  off: Fraction
  weight: Fraction
  taxable: boolean
}

function fee(key: string, feeCents: number, taxable: boolean): Part {
  const gross = whole(feeCents)
  return { key, gross, off: ZERO, weight: gross, taxable }
}

function partsOf(input: PricingInput, round: Rounding): Part[] {
  const lines = input.lines
    .filter((row) => !row.deleted && (row.kind === 'CUSTOM' || row.itemFound))
    .map((row) => {
      const gross = whole(row.priceCents)
      let off = ZERO
      if (isOn(row.discount)) {
        const byPercent = round(times(gross, fractionOf(row.discount.percentOff)))
        const wanted = row.discount.type === 'PERCENT' ? byPercent : whole(row.discount.amountOff ?? -1)
        off = least(gross, wanted)
      }
      return { key: `line:${row.id}`, gross, off, weight: minus(gross, off), taxable: row.taxable }
    })
  return [
    ...lines,
    fee('fee:TRAVEL', input.travelFeeCents, input.travelFeeTaxable),
    fee('fee:BASE', input.baseFeeCents, input.baseFeeTaxable),
  ]
}

function figuresOf(input: PricingInput, round: Rounding) {
  const parts = partsOf(input, round)
  const subtotal = total(parts.map(({ weight }) => weight))
  const taxablePart = total(parts.filter(({ taxable }) => taxable).map(({ weight }) => weight))
  let off = ZERO
  let taxableOff = ZERO
  if (isOn(input.discount) && input.discount.type === 'PERCENT') {
    const share = least([1n, 1n], fractionOf(input.discount.percentOff))
    off = round(times(subtotal, share))
    taxableOff = round(times(taxablePart, share))
  } else if (isOn(input.discount) && subtotal[0] !== 0n) {
    off = least(subtotal, whole(input.discount.amountOff ?? -1))
    taxableOff = round(times(times(off, taxablePart), [subtotal[1], subtotal[0]]))
  }
  const discounted = minus(subtotal, off)
  const charges = input.serviceCharges.filter(isOn).map((charge) => ({
    id: charge.id,
    taxable: charge.taxable,
    amount:
      charge.type === 'AMOUNT'
        ? whole(charge.amountCents ?? -1)
        : round(times(discounted, fractionOf(charge.percentage))),
  }))
  const taxed = plus(
    minus(taxablePart, taxableOff),
    total(charges.filter(({ taxable }) => taxable).map(({ amount }) => amount)),
  )
  const tax = input.taxRate?.found ? round(times(taxed, fractionOf(input.taxRate.rate))) : ZERO
  const charged = total(charges.map(({ amount }) => amount))
  const price = plus(plus(discounted, charged), tax)
  return { parts, subtotal, off, taxableOff, discounted, charges, charged, taxed, tax, price }
}

/** Largest remainder by picking the best candidate again and again, and by the smaller key among equal ones. */
function sharesOf(parts: Part[], amount: bigint): Map<string, bigint> {
  const all = total(parts.map(({ weight }) => weight))
  const quotas = parts.map(({ key, weight }): [string, Fraction] => [
    key,
    amount === 0n ? ZERO : times([amount, 1n], [weight[0] * all[1], weight[1] * all[0]]),
  ])
  const shares = new Map(quotas.map(([key, quota]) => [key, floor(quota)]))
  const candidates = new Map(quotas.map(([key, quota]) => [key, minus(quota, [floor(quota), 1n])]))
  let spare = amount - [...shares.values()].reduce((a, b) => a + b, 0n)
  for (; spare > 0n; spare -= 1n) {
    const [best] = [...candidates].reduce((a, b) => {
      if (isLess(a[1], b[1])) return b
      return isLess(b[1], a[1]) || a[0] < b[0] ? a : b
    })
    candidates.delete(best)
    shares.set(best, (shares.get(best) ?? 0n) + 1n)
  }
  return shares
}

function referenceBreakdown(input: PricingInput): Omit<PriceBreakdown, 'excluded'> {
  const figures = figuresOf(input, nearest)
  const { parts, off, taxableOff } = figures
  const shares = new Map([
    ...sharesOf(
      parts.filter(({ taxable }) => taxable),
      floor(taxableOff),
    ),
    ...sharesOf(
      parts.filter(({ taxable }) => !taxable),
      floor(minus(off, taxableOff)),
    ),
  ])
  const shown = new Map(
    parts.map(({ key, gross, off: lineDiscount, weight, taxable }) => {
      const share = Number(shares.get(key))
      const net = toInteger(weight) - share
      const lineDiscountCents = toInteger(lineDiscount)
      return [
        key,
        {
          grossCents: toInteger(gross),
          lineDiscountCents,
          quoteDiscountCents: share,
          netCents: net,
          taxable,
        },
      ]
    }),
  )
  const keys = [...shown.keys()].filter((key) => key.startsWith('line:')).toSorted()
  const unused = { grossCents: 0, lineDiscountCents: 0, quoteDiscountCents: 0, netCents: 0, taxable: false }
  const figuresAt = (key: string) => shown.get(key) ?? unused
  return {
    currency: 'USD',
    linesGrossCents: sum(keys.map((key) => figuresAt(key).grossCents)),
    lineDiscountCents: sum(keys.map((key) => figuresAt(key).lineDiscountCents)),
    baseFeeCents: input.baseFeeCents,
    travelFeeCents: input.travelFeeCents,
    subtotalCents: toInteger(figures.subtotal),
    quoteDiscountCents: toInteger(figures.off),
    discountedSubtotalCents: toInteger(figures.discounted),
    serviceChargeCents: toInteger(figures.charged),
    taxableCents: toInteger(figures.taxed),
    taxCents: toInteger(figures.tax),
    totalCents: toInteger(figures.price),
    lines: keys.map((key) => Object.assign({ id: key.slice('line:'.length) }, figuresAt(key))),
    fees: [
      { kind: 'BASE', ...figuresAt('fee:BASE'), lineDiscountCents: 0 },
      { kind: 'TRAVEL', ...figuresAt('fee:TRAVEL'), lineDiscountCents: 0 },
    ],
    serviceCharges: figures.charges
      .map(({ id: chargeId, amount, taxable }) => ({ id: chargeId, amountCents: toInteger(amount), taxable }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  }
}

// ---------------------------------------------------------------------------------------------------------------

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0)
}

describe('invariants of the price', () => {
  it('every figure equals that of a calculation in exact fractions', () => {
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

  it('P15: the shares of the quote discount add up, stay within their component, and explain what is taxed', () => {
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

  it('P17: lines without a price, deleted lines, lines without their item and unread fields have no effect', () => {
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

  it('P18: a discount, charge or rate that is not found is as if none were attached', () => {
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

  it('P20: the total never falls with a price, fee, charge or rate, and never rises with a discount', () => {
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

  it('P21: 100 % off, or an amount of at least the subtotal, leaves the fixed charges and their tax', () => {
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

  it('P22: relabelling every currency keeps every number', () => {
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

/** How far half a unit at each rounding can move the total: every later step at most passes an error on in full. */
function roundingBound(input: PricingInput): number {
  const discounted = input.lines.length / 2 + 0.5
  const charged = input.serviceCharges.length * (0.5 + discounted)
  const tax = discounted + charged + 0.5
  return discounted + charged + tax
}
