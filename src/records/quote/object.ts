/** The quote object, without its relations. */
import { priceTotal } from '../../core/pricing/price-total.ts'
import { publicObject } from '../../codec/public-object.ts'
import { QUOTE_COLUMNS } from './columns.ts'
import { QUOTE_FIELDS, pricingInput } from './row.ts'

export const QUOTE = publicObject(QUOTE_COLUMNS, QUOTE_FIELDS, {
  totalPriceCents: (row) => priceTotal(pricingInput(row)),
})
