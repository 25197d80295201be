/** Discounts: definitions that quotes and lines refer to. */
import { VALUE_TYPES } from '../../core/enumerations.ts'
import { defineColumns } from '../../codec/column.ts'
import {
  TIMES,
  currency,
  filledText,
  id,
  money,
  ofCompany,
  oneOf,
  percentage,
  time,
} from '../../codec/column-types.ts'

export const DISCOUNT_COLUMNS = defineColumns('discount', 'discounts', {
  id: id('discount'),
  companyId: ofCompany(),
  name: filledText(),
  type: oneOf(VALUE_TYPES),
  percentOff: percentage('Set if `type` is PERCENT.').onlyWith('type', 'PERCENT'),
  amountOff: money('Set if `type` is AMOUNT.').onlyWith('type', 'AMOUNT'),
  currency: currency().onlyWith('type', 'AMOUNT').internal(),
  archivedAt: time().nullable().internal(),
  ...TIMES,
})
