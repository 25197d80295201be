/** The invoice summary. */
import { z } from 'zod'
import { deriveInvoice } from '../core/invoice.ts'
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
    status: z.enum(['Void', 'Draft', 'Paid', 'Overdue', 'PartiallyPaid', 'Open']),
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
  const { companyId, totalCents, amountPaidCents, issuedAt, ...fields } = row
  const times = {
    issuedAt: isoOrNull(issuedAt),
    dueDate: isoOrNull(row.dueDate),
    voidedAt: isoOrNull(row.voidedAt),
  }
  const total = Number(totalCents)
  const amountPaid = Number(amountPaidCents)
  const { status, amountDue } = deriveInvoice({ total, amountPaid, ...times }, now)
  return {
    object: 'invoice',
    ...fields,
    status,
    currency: { isoCode: row.currency },
    total,
    amountPaid,
    amountDue,
    dueDate: times.dueDate,
    voidedAt: times.voidedAt,
    url: invoiceUrl(companyId, row.id),
    ...isoTimes(row),
  }
}
