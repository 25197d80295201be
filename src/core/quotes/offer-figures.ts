/** The amounts below the lines of an offer, by key. The page in the browser updates the same ones when an option is chosen. */
import type { PriceBreakdown } from '../pricing/price-quote.ts'

export type Figures = Readonly<Record<string, number>>

export const chargeKey = (index: number) => `charge-${index}`

/** Deductions are negative. */
export function figuresOf(price: PriceBreakdown): Figures {
  const charges = price.serviceCharges.map(({ amountCents }, i) => [chargeKey(i), amountCents] as const)
  return {
    lines: price.linesGrossCents,
    lineDiscounts: -price.lineDiscountCents,
    baseFee: price.baseFeeCents,
    travelFee: price.travelFeeCents,
    subtotal: price.subtotalCents,
    discount: -price.quoteDiscountCents,
    ...Object.fromEntries(charges),
    tax: price.taxCents,
    total: price.totalCents,
  }
}
