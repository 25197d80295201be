/** The content of a quote with one custom line, for tests of the editor's rules. */
import type { QuoteContent, QuoteLine } from '../../src/core/quotes/quote-edit.ts'

export const LINE: QuoteLine = {
  id: 'a',
  serviceDayId: null,
  kind: 'CUSTOM',
  serviceId: null,
  addonId: null,
  description: null,
  quantity: '1',
  unitPriceCents: null,
  priceCents: 1_000,
  taxable: true,
  discountId: null,
}

export const CONTENT: QuoteContent = {
  lines: [LINE],
  discountId: null,
  serviceChargeIds: [],
  taxRateId: null,
  baseFeeCents: 0,
  baseFeeTaxable: true,
  travelFeeCents: 0,
  travelFeeTaxable: true,
}
