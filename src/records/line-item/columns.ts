/** The lines of a quote. The API shows none of them, only the total. */
import { LINE_KINDS } from '../../core/enumerations.ts'
import { defineColumns } from '../../codec/column.ts'
import {
  TIMES,
  boolean,
  id,
  money,
  ofCompany,
  oneOf,
  quantity,
  text,
  time,
} from '../../codec/column-types.ts'

export const LINE_ITEM_COLUMNS = defineColumns('lineItem', 'line_items', {
  id: id('line'),
  companyId: ofCompany(),
  quoteId: id('quote').owner(),
  serviceDayId: id('service day').nullable(),
  kind: oneOf(LINE_KINDS),
  serviceId: id('service').onlyWith('kind', 'SERVICE'),
  addonId: id('add-on').onlyWith('kind', 'ADDON'),
  description: text().nullable(),
  quantity: quantity().default(1),
  unitPriceCents: money().nullable(),
  priceCents: money(),
  taxable: boolean().default(true),
  discountId: id('discount').nullable(),
  deletedAt: time().nullable(),
  ...TIMES,
})
