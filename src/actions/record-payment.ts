/** Records a payment of an invoice. */
import { z } from 'zod'
import { USERS_AND_KEYS } from '../core/callers.ts'
import { newId } from '../core/ids.ts'
import { ApiError } from '../core/requests/errors.ts'
import { bodyAmount, bodyShape } from '../codec/body-schema.ts'
import { insertRow, updateRow } from '../codec/write.ts'
import { INVOICE_COLUMNS } from '../records/invoice/columns.ts'
import { INVOICE } from '../records/invoice/object.ts'
import { lockInvoice } from '../records/invoice/queries.ts'
import { PAYMENT_COLUMNS } from '../records/payment/columns.ts'
import { defineAction } from './action.ts'
import { subjectOf } from './subjects.ts'

const { method, receivedAt, note } = bodyShape(PAYMENT_COLUMNS, 'method', 'receivedAt', 'note')

export const PaymentInput = z
  .strictObject({
    amountCents: bodyAmount(1).meta({ description: 'In minor units, at least 1.' }),
    method,
    /** The current time by default. */
    receivedAt: receivedAt.unwrap().nullable().optional(),
    note,
  })
  .meta({ id: 'PaymentBody' })

type Invoice = ReturnType<typeof INVOICE.present>

export const recordPayment = defineAction({
  name: 'recordPayment',
  allowed: USERS_AND_KEYS,
  input: PaymentInput.extend({ id: z.string() }),
  lock: 'first',
  run: async ({ db, companyId, presentation, record }, { id: invoiceId, ...payment }) => {
    const find = async () => {
      const row = await lockInvoice(db, companyId, invoiceId)
      if (row === null) throw new ApiError('not_found', { message: 'Invoice not found', param: 'id' })
      return row
    }
    const row = await find()
    const before = INVOICE.present(row, presentation)
    refusePayment(before, payment.amountCents)
    await insertRow(db, PAYMENT_COLUMNS, companyId, {
      ...payment,
      id: newId('pay'),
      invoiceId,
      receivedAt: payment.receivedAt ?? presentation.now,
    })
    const paymentsCents = row.get('paymentsCents') + payment.amountCents
    await updateRow(db, INVOICE_COLUMNS, companyId, invoiceId, { paymentsCents })
    const after = INVOICE.present(await find(), presentation)
    const type = after.amountDue === 0 ? 'invoice.paid' : 'invoice.updated'
    record(type, subjectOf(before), subjectOf(after))
    return after
  },
})

function refusePayment({ status, amountDue }: Invoice, amountCents: number): void {
  if (status === 'Void') {
    throw new ApiError('invoice_void', { message: 'This invoice is void, so it cannot be paid.' })
  }
  if (status === 'Draft') {
    throw new ApiError('invoice_draft', { message: 'This invoice is a draft. Issue it first.' })
  }
  if (amountCents > amountDue) {
    throw new ApiError('payment_exceeds_due', { message: `Only ${amountDue} is due, in minor units.` })
  }
}
