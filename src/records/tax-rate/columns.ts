/** Tax rates. */
import { defineColumns } from '../../codec/column.ts'
import { TIMES, filledText, id, ofCompany, percentage, time } from '../../codec/column-types.ts'

export const TAX_RATE_COLUMNS = defineColumns('taxRate', 'tax_rates', {
  id: id('tax rate'),
  companyId: ofCompany(),
  name: filledText(),
  rate: percentage('Prices do not include it.'),
  archivedAt: time().nullable().internal(),
  ...TIMES,
})
