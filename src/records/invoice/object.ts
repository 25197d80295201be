/** The invoice summary. */
import { z } from 'zod'
import { INVOICE_STATUSES, deriveInvoice } from '../../core/pricing/invoice.ts'
import { INVOICE_FIELDS } from './queries.ts'
import type { InvoiceRow } from './queries.ts'
import {
  Currency,
  cents,
  id,
  isoOrNull,
  optionalId,
  optionalText,
  optionalTimestamp,
} from '../../codec/schemas.ts'
import { text, timestamp } from '../../codec/schemas.ts'
import { publicObject } from '../../codec/public-object.ts'

const Invoice = z
  .strictObject({
    object: z.literal('invoice'),
    id: id('invoice'),
    bookingId: id('booking'),
    leadId: optionalId('contact'),
    invoiceNumber: z.string(),
    description: optionalText(),
    notes: optionalText(),
    poNumber: optionalText('Number of the purchase order.'),
    status: z.enum(INVOICE_STATUSES),
    currency: Currency,
    total: cents('What the invoice is for.'),
    amountPaid: cents('What has been paid.'),
    amountDue: cents('What is left to pay; 0 when void.'),
    dueDate: optionalTimestamp('When it is due.'),
    voidedAt: optionalTimestamp('When it was made void.'),
    url: text('Opens the invoice, with no other credential.'),
    createdAt: timestamp('When the invoice was created.'),
    updatedAt: timestamp('When the invoice was last changed.'),
  })
  .meta({ id: 'Invoice', description: 'An invoice of a booking, without its lines.' })

/** What follows from the amounts and times. */
function derive(row: InvoiceRow, now: string) {
  const { issuedAt, dueDate, voidedAt, totalCents, amountPaidCents } = row
  const times = {
    issuedAt: isoOrNull(issuedAt),
    dueDate: isoOrNull(dueDate),
    voidedAt: isoOrNull(voidedAt),
  }
  return deriveInvoice({ total: Number(totalCents), amountPaid: Number(amountPaidCents), ...times }, now)
}

export const INVOICE = publicObject(Invoice, INVOICE_FIELDS, {
  status: (row, { now }) => derive(row, now).status,
  total: ({ totalCents }) => Number(totalCents),
  amountPaid: ({ amountPaidCents }) => Number(amountPaidCents),
  amountDue: (row, { now }) => derive(row, now).amountDue,
  url: ({ companyId, id: invoiceId }, { invoiceUrl }) => invoiceUrl(companyId, invoiceId),
})
