/** What a price is calculated from, with all that people want to read beside the figures. `priceQuote` takes it as it is. */
import type { Discount, NotFound, PricingInput, PricingLine, ServiceCharge, TaxRate } from './price-total.ts'

export interface Named {
  name: string
}

export interface QuoteLine extends PricingLine {
  serviceDayId: string | null
  /** Of the service or add-on; null for a custom line. */
  itemId: string | null
  /** Null when there is no item, or it was not found. */
  itemName: string | null
  description: string | null
  /** A decimal text. It is shown, the price is not calculated from it; neither from the unit price. */
  quantity: string
  unitPriceCents: number | null
  discount: (Discount & Named) | NotFound | null
}

export interface QuotePricing extends PricingInput {
  /** In the order in which they were added, without deleted ones. */
  lines: QuoteLine[]
  discount: (Discount & Named) | NotFound | null
  serviceCharges: ((ServiceCharge & Named) | NotFound)[]
  taxRate: (TaxRate & Named) | NotFound | null
}
