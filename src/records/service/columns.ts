/** Services and add-ons: two record types with the same columns. */
import { defineColumns } from '../../codec/column.ts'
import {
  TIMES,
  boolean,
  currencyCode,
  filledText,
  id,
  money,
  objects,
  ofCompany,
  oneOf,
  text,
  time,
} from '../../codec/column-types.ts'
import { UNITS } from '../../core/enumerations.ts'

const ITEM = {
  companyId: ofCompany(),
  name: filledText(),
  description: text().nullable(),
  imageUrl: text('URL of a picture.').nullable(),
  /** One per currency. */
  prices: objects({ currency: currencyCode(), unitPriceCents: money() }, 'currency').default([]),
  unit: oneOf(UNITS).default('EACH').internal(),
  taxable: boolean().default(true).internal(),
  archivedAt: time().nullable().internal(),
  ...TIMES,
}

export const SERVICE_COLUMNS = defineColumns('service', 'services', { id: id('service'), ...ITEM })
export const ADDON_COLUMNS = defineColumns('addon', 'addons', { id: id('add-on'), ...ITEM })
