/** Payment terms: when and how a booking is paid. */
import { PAYMENT_SCHEDULES, VALUE_TYPES } from '../../core/enumerations.ts'
import { defineColumns } from '../../codec/column.ts'
import {
  TIMES,
  filledText,
  id,
  integer,
  money,
  ofCompany,
  oneOf,
  percentage,
  time,
} from '../../codec/column-types.ts'

export const PAYMENT_TERMS_COLUMNS = defineColumns('paymentTerms', 'payment_terms', {
  id: id('payment terms'),
  companyId: ofCompany(),
  name: filledText(),
  paymentSchedule: oneOf(PAYMENT_SCHEDULES),
  depositType: oneOf(VALUE_TYPES).nullable(),
  depositPercentage: percentage('Set if `depositType` is PERCENT.').onlyWith('depositType', 'PERCENT'),
  depositAmountCents: money('Set if `depositType` is AMOUNT.').onlyWith('depositType', 'AMOUNT'),
  invoiceDueDays: integer('Days from the invoice to its due date.').default(0),
  archivedAt: time().nullable().internal(),
  ...TIMES,
})
