/** The invoice summary. */
import { deriveInvoice } from '../../core/pricing/invoice.ts'
import type { Packed } from '../../codec/packed-row.ts'
import { publicObject } from '../../codec/public-object.ts'
import { isoOrNull } from '../../codec/schemas.ts'
import { INVOICE_COLUMNS } from './columns.ts'
import { INVOICE_FIELDS } from './queries.ts'
import type { InvoiceRow } from './queries.ts'

/** Status and amount due, which follow from the amounts and times. */
function derive(row: Packed<InvoiceRow>, now: string) {
  return deriveInvoice(
    {
      total: row.get('totalCents'),
      amountPaid: row.get('paidCents'),
      issuedAt: isoOrNull(row.get('issuedAt')),
      dueDate: isoOrNull(row.get('dueDate')),
      voidedAt: isoOrNull(row.get('voidedAt')),
    },
    now,
  )
}

export const INVOICE = publicObject(
  INVOICE_COLUMNS,
  INVOICE_FIELDS,
  {
    status: (row, { now }) => derive(row, now).status,
    total: (row) => row.get('totalCents'),
    amountPaid: (row) => row.get('paidCents'),
    amountDue: (row, { now }) => derive(row, now).amountDue,
    url: (row, { invoiceUrl }) => invoiceUrl(row.get('companyId'), row.get('id')),
  },
  { id: 'Invoice', description: 'An invoice of a booking, without its lines.' },
)
