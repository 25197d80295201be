/** Pricing input with the names to display. `priceQuote` accepts it as it is. */
import type { Discount, NotFound, PricingInput, PricingLine, ServiceCharge, TaxRate } from './price-total.ts'

export interface Named {
  name: string
}

export interface QuoteLine extends PricingLine {
  serviceDayId: string | null
  /** The service or add-on; null for a custom line. */
  itemId: string | null
  /** Null if there is no item, or it was not found. */
  itemName: string | null
  description: string | null
  /** A decimal string. For display only: the price is calculated from neither quantity nor unit price. */
  quantity: string
  unitPriceCents: number | null
  /** A line that is not selected is not in the price. */
  optional: boolean
  selected: boolean
  optionGroup: string | null
  discount: (Discount & Named) | NotFound | null
}

export interface QuotePricing extends PricingInput {
  /** In their order, without deleted ones. */
  lines: QuoteLine[]
  discount: (Discount & Named) | NotFound | null
  serviceCharges: ((ServiceCharge & Named) | NotFound)[]
  taxRate: (TaxRate & Named) | NotFound | null
}
