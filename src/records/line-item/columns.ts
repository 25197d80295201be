/** The lines of a quote. The API shows none of them, only the total. */
import { LINE_KINDS } from '../../core/enumerations.ts'
import { defineColumns } from '../../codec/column.ts'
import {
  TIMES,
  boolean,
  id,
  integer,
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
  /** The customer may leave it out. */
  optional: boolean().default(false),
  /** A line that is not selected is not part of the price. */
  selected: boolean().default(true),
  /** Exactly one line of a group is selected. */
  optionGroup: text().nullable(),
  position: integer().nullable(),
  deletedAt: time().nullable(),
  ...TIMES,
})
