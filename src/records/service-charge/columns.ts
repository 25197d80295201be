/** Service charges: definitions that quotes refer to. */
import { VALUE_TYPES } from '../../core/enumerations.ts'
import { defineColumns } from '../../codec/column.ts'
import {
  TIMES,
  boolean,
  currency,
  filledText,
  id,
  money,
  ofCompany,
  oneOf,
  percentage,
  time,
} from '../../codec/column-types.ts'

export const SERVICE_CHARGE_COLUMNS = defineColumns('serviceCharge', 'service_charges', {
  id: id('service charge'),
  companyId: ofCompany(),
  name: filledText(),
  type: oneOf(VALUE_TYPES),
  percentage: percentage('Set if `type` is PERCENT.').onlyWith('type', 'PERCENT'),
  amountCents: money('Set if `type` is AMOUNT.').onlyWith('type', 'AMOUNT'),
  currency: currency().onlyWith('type', 'AMOUNT').internal(),
  taxable: boolean().default(true),
  archivedAt: time().nullable().internal(),
  ...TIMES,
})
