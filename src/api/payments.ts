/** POST /invoices/{id}/payments. */
import { z } from 'zod'
import { recordPayment as recordAction } from '../actions/record-payment.ts'
import { bodyAmount, bodyShape } from '../codec/body-schema.ts'
import { INVOICE } from '../records/invoice/object.ts'
import { PAYMENT_COLUMNS } from '../records/payment/columns.ts'
import type { Endpoint } from './endpoint.ts'
import { exampleOf } from './examples.ts'
import { notFound } from './read-endpoints.ts'
import { WRITE, answerWrite } from './write.ts'

const { method, receivedAt, note } = bodyShape(PAYMENT_COLUMNS, 'method', 'receivedAt', 'note')

const PaymentBody = z
  .strictObject({
    amountCents: bodyAmount(1).meta({ description: 'In minor units, at least 1.' }),
    method,
    receivedAt: receivedAt.unwrap().nullable().optional(),
    note,
  })
  .meta({ id: 'PaymentBody' })

export const recordPayment: Endpoint = {
  ...WRITE,
  operation: 'recordPayment',
  path: '/api/invoices/:id/payments',
  tag: 'Invoices',
  summary: 'Record a payment',
  description:
    'Adds a payment to the invoice, and returns the invoice. A payment cannot exceed the amount due.',
  idOf: 'invoice',
  body: PaymentBody,
  response: INVOICE.schema,
  example: exampleOf('recordPayment'),
  errors: {
    ...WRITE.errors,
    not_found: notFound('invoice'),
    invoice_void: { message: 'This invoice is void, so it cannot be paid.' },
    invoice_draft: { message: 'This invoice is a draft. Issue it first.' },
    payment_exceeds_due: { message: 'Only 24000 is due, in minor units.' },
  },
  answer: (call) =>
    answerWrite(call, {
      action: recordAction,
      body: PaymentBody,
      input: (body) => ({ ...body, receivedAt: body.receivedAt ?? undefined, id: call.id }),
    }),
}
