import type { LineKind, ValueType } from '../enumerations.ts'
import { HUNDRED_PERCENT, halfUp, min, parseCents, parsePercent, percentOf, toNumber } from './money.ts'

/** A reference to a record that the quote's company does not have. */
export interface NotFound {
  id: string
  found: false
}

export interface Discount {
  id: string
  found: true
  type: ValueType
  percentOff: string | null
  amountOff: number | null
  currency: string | null
}

export interface ServiceCharge {
  id: string
  found: true
  type: ValueType
  percentage: string | null
  amountCents: number | null
  currency: string | null
  taxable: boolean
}

export interface TaxRate {
  id: string
  found: true
  rate: string
}

export interface PricingLine {
  id: string
  kind: LineKind
  /** Null for a custom line, which has no item. */
  itemFound: boolean | null
  priceCents: number
  taxable: boolean
  deleted: boolean
  discount: Discount | NotFound | null
}

/** The input of the calculation: money in minor units, percentages as decimal strings. */
export interface PricingInput {
  currency: string
  baseFeeCents: number
  baseFeeTaxable: boolean
  travelFeeCents: number
  travelFeeTaxable: boolean
  lines: readonly PricingLine[]
  discount: Discount | NotFound | null
  serviceCharges: readonly (ServiceCharge | NotFound)[]
  taxRate: TaxRate | NotFound | null
}

export interface Exclusion {
  subject: 'LINE' | 'LINE_DISCOUNT' | 'QUOTE_DISCOUNT' | 'SERVICE_CHARGE' | 'TAX_RATE'
  id: string
  lineId: string | null
  reason: 'NOT_FOUND' | 'CURRENCY_MISMATCH'
}

export interface Component {
  gross: bigint
  lineDiscount: bigint
  /** Gross less line discount. The quote discount is spread over it. */
  weight: bigint
  taxable: boolean
}

interface LineComponent extends Component {
  id: string
}

interface CountedCharge {
  id: string
  amount: bigint
  taxable: boolean
}

/** Every figure of steps 1 to 7 that the total needs or the breakdown shows. */
export interface PriceSteps {
  baseFee: Component
  travelFee: Component
  lines: LineComponent[]
  subtotal: bigint
  quoteDiscount: bigint
  /** The quote discount's share of taxable components. */
  taxableDiscount: bigint
  discountedSubtotal: bigint
  serviceCharges: CountedCharge[]
  serviceChargeSum: bigint
  taxableSum: bigint
  tax: bigint
  total: bigint
  excluded: Exclusion[]
}

interface Counting {
  currency: string
  excluded: Exclusion[]
}

type Definition = { id: string; found: true; type?: ValueType; currency?: string | null }

/** The definition if it applies, or null. Amounts are never converted, so one in another currency does not apply. */
function counted<D extends Definition>(
  { currency, excluded }: Counting,
  subject: Exclusion['subject'],
  attached: D | NotFound | null,
  lineId: string | null = null,
): D | null {
  if (attached === null) return null
  if (attached.found && (attached.type !== 'AMOUNT' || attached.currency === currency)) return attached
  const reason = attached.found ? 'CURRENCY_MISMATCH' : 'NOT_FOUND'
  excluded.push({ subject, id: attached.id, lineId, reason })
  return null
}

function rejectDuplicates(name: string, rows: readonly { id: string }[]): void {
  const ids = new Set<string>()
  for (const { id } of rows) {
    if (ids.has(id)) throw new RangeError(`Duplicate ${name} id: ${id}`)
    ids.add(id)
  }
}

/** A discount never exceeds its base. The rest is not applied elsewhere. */
function discountOn(base: bigint, discount: Discount | null): bigint {
  if (discount === null) return 0n
  return discount.type === 'PERCENT'
    ? percentOf(base, min(parsePercent(discount.percentOff), HUNDRED_PERCENT))
    : min(base, parseCents(discount.amountOff))
}

/** Only discounts are clamped at 100 %. A charge or tax rate above it is corrupt data. */
function surchargeOn(base: bigint, percentage: string | null): bigint {
  const percent = parsePercent(percentage)
  if (percent > HUNDRED_PERCENT) throw new RangeError(`Above 100 %: ${percentage}`)
  return percentOf(base, percent)
}

function feeOf(priceCents: number, taxable: boolean): Component {
  const gross = parseCents(priceCents)
  return { gross, lineDiscount: 0n, weight: gross, taxable }
}

function countedLines(counting: Counting, lines: readonly PricingLine[]): LineComponent[] {
  const components: LineComponent[] = []
  for (const { id, kind, itemFound, priceCents, taxable, deleted, discount } of lines) {
    if (deleted) continue
    if (kind !== 'CUSTOM' && itemFound !== true) {
      counting.excluded.push({ subject: 'LINE', id, lineId: id, reason: 'NOT_FOUND' })
      continue
    }
    const gross = parseCents(priceCents)
    const lineDiscount = discountOn(gross, counted(counting, 'LINE_DISCOUNT', discount, id))
    components.push({ id, gross, lineDiscount, weight: gross - lineDiscount, taxable })
  }
  return components
}

/** An amount is split over both parts in proportion. A percentage applies to each part. */
function taxableShareOf(
  quoteDiscount: bigint,
  discount: Discount | null,
  taxablePart: bigint,
  subtotal: bigint,
): bigint {
  if (discount?.type === 'PERCENT') return discountOn(taxablePart, discount)
  return subtotal === 0n ? 0n : halfUp(quoteDiscount, taxablePart, subtotal)
}

/** Each charge is based on the discounted subtotal, never on another charge. */
function countedCharges(
  counting: Counting,
  attachedCharges: PricingInput['serviceCharges'],
  discountedSubtotal: bigint,
): CountedCharge[] {
  const charges: CountedCharge[] = []
  for (const attached of attachedCharges) {
    const charge = counted(counting, 'SERVICE_CHARGE', attached)
    if (charge === null) continue
    const amount =
      charge.type === 'PERCENT'
        ? surchargeOn(discountedSubtotal, charge.percentage)
        : parseCents(charge.amountCents)
    charges.push({ id: charge.id, amount, taxable: charge.taxable })
  }
  return charges
}

/** Steps 1 to 7 of the calculation. Each figure is rounded to an integer before it is added, so the figures add up. */
export function priceSteps(input: PricingInput): PriceSteps {
  rejectDuplicates('line', input.lines)
  rejectDuplicates('service charge', input.serviceCharges)
  const counting: Counting = { currency: input.currency, excluded: [] }

  const baseFee = feeOf(input.baseFeeCents, input.baseFeeTaxable)
  const travelFee = feeOf(input.travelFeeCents, input.travelFeeTaxable)
  const lines = countedLines(counting, input.lines)

  let subtotal = 0n
  let taxablePart = 0n
  for (const { weight, taxable } of [baseFee, travelFee, ...lines]) {
    subtotal += weight
    if (taxable) taxablePart += weight
  }

  const discount = counted(counting, 'QUOTE_DISCOUNT', input.discount)
  const quoteDiscount = discountOn(subtotal, discount)
  const taxableDiscount = taxableShareOf(quoteDiscount, discount, taxablePart, subtotal)
  const discountedSubtotal = subtotal - quoteDiscount

  const serviceCharges = countedCharges(counting, input.serviceCharges, discountedSubtotal)
  let serviceChargeSum = 0n
  let taxableSum = taxablePart - taxableDiscount
  for (const { amount, taxable } of serviceCharges) {
    serviceChargeSum += amount
    if (taxable) taxableSum += amount
  }

  const taxRate = counted(counting, 'TAX_RATE', input.taxRate)
  const tax = taxRate === null ? 0n : surchargeOn(taxableSum, taxRate.rate)

  return {
    baseFee,
    travelFee,
    lines,
    subtotal,
    quoteDiscount,
    taxableDiscount,
    discountedSubtotal,
    serviceCharges,
    serviceChargeSum,
    taxableSum,
    tax,
    total: discountedSubtotal + serviceChargeSum + tax,
    excluded: counting.excluded,
  }
}

/** The total alone, without the work that only the breakdown needs. */
export function priceTotal(input: PricingInput): number {
  return toNumber(priceSteps(input).total)
}
