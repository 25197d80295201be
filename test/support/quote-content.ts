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
  optional: false,
  selected: true,
  optionGroup: null,
}

export const CONTENT: QuoteContent = {
  leadId: 'lead',
  locationId: 'loc',
  eventTypeId: null,
  eventAddress: 'Pier 4',
  eventDescription: null,
  siteContactName: null,
  siteContactPhone: null,
  entityToInvoice: null,
  guestCount: 0,
  numberOfStaff: 0,
  numberOfResources: 0,
  paymentTermsId: null,
  contractId: null,
  serviceDays: [],
  lines: [LINE],
  discountId: null,
  serviceChargeIds: [],
  taxRateId: null,
  baseFeeCents: 0,
  baseFeeTaxable: true,
  travelFeeCents: 0,
  travelFeeTaxable: true,
}
