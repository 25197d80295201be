/** Payment terms in the application. */
import { defineKind } from '../kind.ts'
import type { RecordValues } from '../kind.ts'
import { PAYMENT_TERMS_COLUMNS } from './columns.ts'

const VALUES = [
  'paymentSchedule',
  'depositType',
  'depositPercentage',
  'depositAmountCents',
  'invoiceDueDays',
] as const

export const PAYMENT_TERMS_KIND = defineKind(PAYMENT_TERMS_COLUMNS, {
  path: 'payment-terms',
  noun: 'payment_terms',
  label: 'payment terms',
  idPrefix: 'terms',
  editable: ['name', ...VALUES],
  fixed: VALUES,
  uses: [{ table: 'quotes', column: 'payment_terms_id' }],
  companyDefault: { column: 'default_payment_terms_id', isList: false },
  check: ({ paymentSchedule, depositType }: RecordValues) =>
    paymentSchedule === 'DEPOSIT' && depositType == null
      ? { 'values.depositType': { _errors: ['is required for a deposit'] } }
      : {},
})
