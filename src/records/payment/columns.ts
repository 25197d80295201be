/** Payments of invoices. The API shows none of them, only the amount paid of the invoice. */
import { defineColumns } from '../../codec/column.ts'
import { TIMES, id, money, ofCompany, text, time } from '../../codec/column-types.ts'

export const PAYMENT_COLUMNS = defineColumns('payment', 'payments', {
  id: id('payment'),
  companyId: ofCompany(),
  invoiceId: id('invoice').owner(),
  amountCents: money(),
  method: text('How the customer paid, such as check or bank transfer.').nullable(),
  receivedAt: time('When the payment was received. The current time by default.'),
  note: text().nullable(),
  reversedAt: time().nullable(),
  ...TIMES,
})
