/** POST /invoices/{id}/payments. */
import { PaymentInput, recordPayment as recordAction } from '../actions/record-payment.ts'
import { INVOICE } from '../records/invoice/object.ts'
import { withId, writeEndpoint } from './write.ts'

export const recordPayment = writeEndpoint({
  operation: 'recordPayment',
  path: '/api/invoices/:id/payments',
  tag: 'Invoices',
  summary: 'Record a payment',
  description:
    'Adds a payment to the invoice, and returns the invoice. A payment cannot exceed the amount due.',
  idOf: 'invoice',
  body: PaymentInput,
  response: INVOICE.schema,
  errors: {
    invoice_void: { message: 'This invoice is void, so it cannot be paid.' },
    invoice_draft: { message: 'This invoice is a draft. Issue it first.' },
    payment_exceeds_due: { message: 'Only 24000 is due, in minor units.' },
  },
  action: recordAction,
  input: withId,
})
