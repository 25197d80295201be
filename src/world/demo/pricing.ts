import { type PriceBreakdown, priceQuote } from '../../core/pricing/price-quote.ts'
import type { PricingInput } from '../../core/pricing/price-total.ts'
import type { QuoteBundle } from './quotes.ts'
import type { RecordOf } from './records.ts'

function percentText(percent: number | undefined): string | null {
  return percent === undefined ? null : String(percent)
}

function discountInput(discount: RecordOf<'discount'> | null): PricingInput['discount'] {
  if (discount === null) return null
  const { id, type, percentOff, amountOff = null, currency = null } = discount
  return { id, found: true, type, percentOff: percentText(percentOff), amountOff, currency }
}

/** The price as the application calculates it, so that bookings and invoices match their quote. */
export function priceOf({ quote, lines, terms }: QuoteBundle): PriceBreakdown {
  const { discount, serviceCharges, taxRate } = terms
  return priceQuote({
    currency: quote.currency,
    baseFeeCents: quote.baseFeeCents ?? 0,
    baseFeeTaxable: quote.baseFeeTaxable ?? true,
    travelFeeCents: quote.travelFeeCents ?? 0,
    travelFeeTaxable: quote.travelFeeTaxable ?? true,
    lines: lines.map((line) => ({
      id: line.record.id,
      kind: line.record.kind,
      itemFound: line.item === null ? null : true,
      priceCents: line.record.priceCents,
      taxable: line.record.taxable,
      deleted: line.record.deletedAt !== undefined,
      discount: discountInput(line.discount),
    })),
    discount: discountInput(discount),
    serviceCharges: serviceCharges.map((charge) => ({
      id: charge.id,
      found: true,
      type: charge.type,
      percentage: percentText(charge.percentage),
      amountCents: charge.amountCents ?? null,
      currency: charge.currency ?? null,
      taxable: charge.taxable,
    })),
    taxRate: taxRate === null ? null : { id: taxRate.id, found: true, rate: String(taxRate.rate) },
  })
}
