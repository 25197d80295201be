/** The way from the lines to the total, step by step, each with how it came about. All figures are the price rule's own. */
import type { Discount, NotFound, ServiceCharge } from '../../../src/core/pricing/price-total.ts'
import type { PriceBreakdown } from '../../../src/core/pricing/price-quote.ts'
import type { Named, QuotePricing } from '../../../src/core/pricing/quote-pricing.ts'
import { formatMoney, formatPercent } from '../format.ts'
import { lineName } from './words.ts'

export interface Step {
  key: string
  /** `add` and `subtract` lead to the next `sum`. `beside` only explains. */
  kind: 'add' | 'subtract' | 'sum' | 'beside' | 'total'
  label: string
  notes: string[]
  cents: number
}

/** The figures of one quote in words and amounts. */
interface Figures {
  pricing: QuotePricing
  breakdown: PriceBreakdown
  money: (cents: number) => string
}

export function receiptSteps(pricing: QuotePricing, breakdown: PriceBreakdown): Step[] {
  const figures = {
    pricing,
    breakdown,
    money: (cents: number) => formatMoney(cents, breakdown.currency),
  }
  return [
    ...lineSteps(figures),
    ...feeSteps(figures),
    sumStep('subtotal', 'Subtotal', breakdown.subtotalCents),
    ...discountSteps(figures),
    ...chargeSteps(figures),
    ...taxSteps(figures),
    { key: 'total', kind: 'total', label: 'Total', notes: [], cents: breakdown.totalCents },
  ]
}

function sumStep(key: string, label: string, cents: number): Step {
  return { key, kind: 'sum', label, notes: [], cents }
}

function lineSteps({ pricing, breakdown, money }: Figures): Step[] {
  const count = breakdown.lines.length
  const steps: Step[] = [
    {
      key: 'lines',
      kind: 'add',
      label: 'Lines',
      notes: [count === 1 ? '1 line' : `${count} lines`],
      cents: breakdown.linesGrossCents,
    },
  ]
  const counted = new Map(breakdown.lines.map((line) => [line.id, line]))
  const notes = pricing.lines.flatMap((line) => {
    const figures = counted.get(line.id)
    if (figures === undefined || line.discount?.found !== true || !counts(line.discount, pricing)) return []
    const how = discountWords(line.discount, figures.grossCents, money)
    return [`${lineName(line)}: ${line.discount.name}, ${how}`]
  })
  if (notes.length > 0) {
    const label = notes.length === 1 ? 'Line discount' : 'Line discounts'
    steps.push({
      key: 'line-discounts',
      kind: 'subtract',
      label,
      notes,
      cents: breakdown.lineDiscountCents,
    })
  }
  return steps
}

const FEE_LABELS = { BASE: 'Base fee', TRAVEL: 'Travel fee' }

function feeSteps({ breakdown }: Figures): Step[] {
  return breakdown.fees
    .filter(({ grossCents }) => grossCents > 0)
    .map(({ kind, grossCents, taxable }) => ({
      key: kind,
      kind: 'add',
      label: FEE_LABELS[kind],
      notes: taxable ? [] : ['Not taxed'],
      cents: grossCents,
    }))
}

function discountSteps({ pricing: { discount, ...pricing }, breakdown, money }: Figures): Step[] {
  if (discount?.found !== true || !counts(discount, pricing)) return []
  return [
    {
      key: 'discount',
      kind: 'subtract',
      label: discount.name,
      notes: [`Discount on lines and fees: ${discountWords(discount, breakdown.subtotalCents, money)}`],
      cents: breakdown.quoteDiscountCents,
    },
    sumStep('discounted', 'After discount', breakdown.discountedSubtotalCents),
  ]
}

function chargeSteps({ pricing, breakdown, money }: Figures): Step[] {
  const amounts = new Map(breakdown.serviceCharges.map((charge) => [charge.id, charge.amountCents]))
  return pricing.serviceCharges.flatMap((charge) => {
    const cents = amounts.get(charge.id)
    if (!charge.found || cents === undefined) return []
    const how = chargeWords(charge, breakdown.discountedSubtotalCents, money)
    const notes = [`Service charge: ${how}${charge.taxable ? '' : ', not taxed'}`]
    return [{ key: `charge ${charge.id}`, kind: 'add' as const, label: charge.name, notes, cents }]
  })
}

/** Where nothing is taxed there is nothing to explain. */
function taxSteps({ pricing: { taxRate }, breakdown, money }: Figures): Step[] {
  if (taxRate?.found !== true) {
    // The list of ignored definitions explains a tax rate that no longer exists.
    const note = taxRate === null ? 'No tax rate on this quote' : 'The tax rate no longer exists'
    return [{ key: 'tax', kind: 'add', label: 'Tax', notes: [note], cents: 0 }]
  }
  return [
    {
      key: 'taxable',
      kind: 'beside',
      label: 'Taxable amount',
      notes: taxableNotes(breakdown, money),
      cents: breakdown.taxableCents,
    },
    {
      key: 'tax',
      kind: 'add',
      label: taxRate.name,
      notes: [`Tax: ${formatPercent(Number(taxRate.rate))} of ${money(breakdown.taxableCents)}`],
      cents: breakdown.taxCents,
    },
  ]
}

/** The parts of the taxable amount, and the exempt parts. */
function taxableNotes(breakdown: PriceBreakdown, money: Figures['money']): string[] {
  const { taxableCents, discountedSubtotalCents, serviceChargeCents, quoteDiscountCents } = breakdown
  const chargesCents = breakdown.serviceCharges
    .filter(({ taxable }) => taxable)
    .reduce((sum, { amountCents }) => sum + amountCents, 0)
  const parts = `Taxable lines and fees${quoteDiscountCents > 0 ? ' after discount' : ''}: ${money(taxableCents - chargesCents)}`
  const notes = [chargesCents > 0 ? `${parts}, taxable charges: ${money(chargesCents)}` : parts]
  const exemptCents = discountedSubtotalCents + serviceChargeCents - taxableCents
  if (exemptCents > 0) notes.push(`Not taxed: ${money(exemptCents)}`)
  return notes
}

/** An amount in another currency has no effect. */
function counts({ type, currency }: Discount, pricing: { currency: string }): boolean {
  return type === 'PERCENT' || currency === pricing.currency
}

function discountWords(
  { type, percentOff, amountOff }: Discount,
  baseCents: number,
  money: Figures['money'],
): string {
  if (type === 'PERCENT') return `${formatPercent(Number(percentOff))} of ${money(baseCents)}`
  const amount = amountOff ?? 0
  return amount > baseCents ? `${money(amount)}, limited to ${money(baseCents)}` : `fixed ${money(amount)}`
}

function chargeWords(
  { type, percentage, amountCents }: ServiceCharge,
  baseCents: number,
  money: Figures['money'],
): string {
  return type === 'PERCENT'
    ? `${formatPercent(Number(percentage))} of ${money(baseCents)}`
    : `fixed ${money(amountCents ?? 0)}`
}

/** The discount of a line, in a few words. */
export function discountLabel(discount: (Discount & Named) | NotFound, currency: string): string {
  if (!discount.found) return 'Discount no longer exists'
  const { name, type, percentOff, amountOff, currency: own } = discount
  return type === 'PERCENT'
    ? `${name}, ${formatPercent(Number(percentOff))} off`
    : `${name}, ${formatMoney(amountOff ?? 0, own ?? currency)} off`
}
