/** The invoice summary. */
import { z } from 'zod'
import { INVOICE_STATUSES, deriveInvoice } from '../core/invoice.ts'
import type { InvoiceRow } from '../db/invoices.ts'
import {
  Currency,
  cents,
  id,
  isoOrNull,
  isoTimes,
  optionalId,
  optionalText,
  optionalTimestamp,
} from './fields.ts'
import { text, timestamp } from './fields.ts'
import type { Presentation } from './presentation.ts'

export const Invoice = z
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

export function presentInvoice(row: InvoiceRow, { now, invoiceUrl }: Presentation): z.output<typeof Invoice> {
  const issuedAt = isoOrNull(row.issuedAt)
  const dueDate = isoOrNull(row.dueDate)
  const voidedAt = isoOrNull(row.voidedAt)
  const total = Number(row.totalCents)
  const amountPaid = Number(row.amountPaidCents)
  const { status, amountDue } = deriveInvoice({ total, amountPaid, issuedAt, dueDate, voidedAt }, now)
  return {
    object: 'invoice',
    id: row.id,
    bookingId: row.bookingId,
    leadId: row.leadId,
    invoiceNumber: row.invoiceNumber,
    description: row.description,
    notes: row.notes,
    poNumber: row.poNumber,
    status,
    currency: { isoCode: row.currency },
    total,
    amountPaid,
    amountDue,
    dueDate,
    voidedAt,
    url: invoiceUrl(row.companyId, row.id),
    ...isoTimes(row),
  }
}
