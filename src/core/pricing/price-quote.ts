import { allocate, toNumber } from './money.ts'
import {
  type Component,
  type Exclusion,
  type PriceSteps,
  type PricingInput,
  priceSteps,
} from './price-total.ts'

interface ComponentFigures {
  grossCents: number
  lineDiscountCents: number
  quoteDiscountCents: number
  netCents: number
  taxable: boolean
}

export interface PriceBreakdown {
  currency: string
  /** Saved prices of the counted lines. */
  linesGrossCents: number
  lineDiscountCents: number
  baseFeeCents: number
  travelFeeCents: number
  /** Lines and fees after line discounts. */
  subtotalCents: number
  quoteDiscountCents: number
  discountedSubtotalCents: number
  serviceChargeCents: number
  /** The taxable amount, also if there is no tax rate. */
  taxableCents: number
  taxCents: number
  totalCents: number
  lines: ({ id: string } & ComponentFigures)[]
  fees: ({ kind: 'BASE' | 'TRAVEL'; lineDiscountCents: 0 } & ComponentFigures)[]
  serviceCharges: { id: string; amountCents: number; taxable: boolean }[]
  /** Attached, but ignored. For logs and data repair. */
  excluded: Exclusion[]
}

const SUBJECT_ORDER: readonly Exclusion['subject'][] = [
  'LINE',
  'LINE_DISCOUNT',
  'QUOTE_DISCOUNT',
  'SERVICE_CHARGE',
  'TAX_RATE',
]

/** Compares code units, because locale order differs between machines. */
function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

function compareExclusions(a: Exclusion, b: Exclusion): number {
  return (
    SUBJECT_ORDER.indexOf(a.subject) - SUBJECT_ORDER.indexOf(b.subject) ||
    compareText(a.lineId ?? '', b.lineId ?? '') ||
    compareText(a.id, b.id)
  )
}

function byId<Row extends { id: string }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => compareText(a.id, b.id))
}

function sum(amounts: readonly bigint[]): number {
  return toNumber(amounts.reduce((a, b) => a + b, 0n))
}

/**
 * Each component's share of the quote discount. Taxable and exempt components share their own part, so that the
 * taxable net figures add up to what is taxed. The components come in key order, which settles equal remainders.
 */
function quoteDiscountShares(steps: PriceSteps, components: readonly Component[]): Map<Component, bigint> {
  const taxable = allocate(
    steps.taxableDiscount,
    components.map((component) => (component.taxable ? component.weight : 0n)),
  )
  const exempt = allocate(
    steps.quoteDiscount - steps.taxableDiscount,
    components.map((component) => (component.taxable ? 0n : component.weight)),
  )
  return new Map(components.map((component, i) => [component, (taxable[i] ?? 0n) + (exempt[i] ?? 0n)]))
}

/** The price of a quote with every figure that leads to it. */
export function priceQuote(input: PricingInput): PriceBreakdown {
  const steps = priceSteps(input)
  const { baseFee, travelFee } = steps
  const lines = byId(steps.lines)
  const shares = quoteDiscountShares(steps, [baseFee, travelFee, ...lines])

  const figuresOf = (component: Component): ComponentFigures => {
    const share = shares.get(component) ?? 0n
    return {
      grossCents: toNumber(component.gross),
      lineDiscountCents: toNumber(component.lineDiscount),
      quoteDiscountCents: toNumber(share),
      netCents: toNumber(component.weight - share),
      taxable: component.taxable,
    }
  }

  return {
    currency: input.currency,
    linesGrossCents: sum(lines.map(({ gross }) => gross)),
    lineDiscountCents: sum(lines.map(({ lineDiscount }) => lineDiscount)),
    baseFeeCents: toNumber(baseFee.gross),
    travelFeeCents: toNumber(travelFee.gross),
    subtotalCents: toNumber(steps.subtotal),
    quoteDiscountCents: toNumber(steps.quoteDiscount),
    discountedSubtotalCents: toNumber(steps.discountedSubtotal),
    serviceChargeCents: toNumber(steps.serviceChargeSum),
    taxableCents: toNumber(steps.taxableSum),
    taxCents: toNumber(steps.tax),
    totalCents: toNumber(steps.total),
    lines: lines.map((line) => Object.assign({ id: line.id }, figuresOf(line))),
    fees: [
      { kind: 'BASE', ...figuresOf(baseFee), lineDiscountCents: 0 },
      { kind: 'TRAVEL', ...figuresOf(travelFee), lineDiscountCents: 0 },
    ],
    serviceCharges: byId(steps.serviceCharges).map(({ id, amount, taxable }) => ({
      id,
      amountCents: toNumber(amount),
      taxable,
    })),
    excluded: steps.excluded.toSorted(compareExclusions),
  }
}
