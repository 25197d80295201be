/** An independent price calculation in exact fractions, which rounds only where the caller asks for it. */
import type { PriceBreakdown } from '../../src/core/pricing/price-quote.ts'
import type { NotFound, PricingInput } from '../../src/core/pricing/price-total.ts'

export type Fraction = readonly [numerator: bigint, denominator: bigint]
type Rounding = (value: Fraction) => Fraction

export const ZERO: Fraction = [0n, 1n]
export const whole = (value: number): Fraction => [BigInt(value), 1n]
export const plus = ([a, b]: Fraction, [c, d]: Fraction): Fraction =>
  b === d ? [a + c, b] : [a * d + c * b, b * d]
export const minus = (x: Fraction, [c, d]: Fraction): Fraction => plus(x, [-c, d])
export const times = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * c, b * d]
export const isLess = ([a, b]: Fraction, [c, d]: Fraction): boolean => a * d < c * b
const least = (x: Fraction, y: Fraction): Fraction => (isLess(x, y) ? x : y)
export const total = (values: readonly Fraction[]): Fraction => values.reduce(plus, ZERO)
const floor = ([a, b]: Fraction): bigint => a / b
export const nearest: Rounding = (value) => [floor(plus(value, [1n, 2n])), 1n]
export const exact: Rounding = (value) => value
export const toInteger = ([a, b]: Fraction): number => Number(a / b)

export function fractionOf(text: string | null): Fraction {
  const [units = '', decimals = ''] = (text ?? '').split('.')
  return [BigInt(units + decimals), 100n * 10n ** BigInt(decimals.length)]
}

export const isOn = <T extends { found: true; type: string; currency: string | null }>(
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

export function figuresOf(input: PricingInput, round: Rounding) {
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

/** Largest remainder method: repeatedly picks the largest remainder, and the smaller key if they are equal. */
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

export function referenceBreakdown(input: PricingInput): Omit<PriceBreakdown, 'excluded'> {
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

export function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0)
}
