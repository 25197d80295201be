/** Invoices of bookings. */
import { isPossibleId } from '../../core/ids.ts'
import { columns, queryRows, statement } from '../../db/connect.ts'
import type { Db } from '../../db/connect.ts'
import { defineFields } from '../../codec/fields.ts'
import { loaderByOwner } from '../../codec/load.ts'

export interface InvoiceRow {
  id: string
  companyId: string
  bookingId: string
  leadId: string | null
  invoiceNumber: string
  description: string | null
  notes: string | null
  poNumber: string | null
  currency: string
  totalCents: string
  amountPaidCents: string
  issuedAt: string | null
  dueDate: string | null
  voidedAt: string | null
  createdAt: string
  updatedAt: string
}

export const INVOICE_FIELDS = defineFields<InvoiceRow>(`
    id companyId bookingId leadId? invoiceNumber description? notes? poNumber? currency
    totalCents:amount amountPaidCents:amount issuedAt?:time dueDate?:time voidedAt?:time
    createdAt:time updatedAt:time`)

export const loadInvoicesOfBookings = loaderByOwner<InvoiceRow>(
  'invoices',
  INVOICE_FIELDS,
  'booking_id',
  't.created_at, t.id',
)

const LIST_INVOICE_IDS = statement(`
  SELECT ARRAY(
    SELECT i.id FROM invoices i WHERE i.company_id = b.company_id AND i.booking_id = b.id ORDER BY i.created_at, i.id
  )::text[] AS ids
  FROM bookings b WHERE b.company_id = $1 AND b.id = $2`)

/** Oldest first; null when the company has no such booking. */
export async function listInvoiceIds(db: Db, companyId: string, bookingId: string): Promise<string[] | null> {
  if (!isPossibleId(bookingId)) return null
  return (await queryRows<{ ids: string[] }>(db, LIST_INVOICE_IDS, [companyId, bookingId]))[0]?.ids ?? null
}

export interface InvoiceLine {
  description: string
  quantity?: number
  amountCents: number
}

export interface PrintedInvoice {
  companyName: string
  invoiceNumber: string
  description: string | null
  notes: string | null
  poNumber: string | null
  currency: string
  totalCents: string
  amountPaidCents: string
  issuedAt: string | null
  dueDate: string | null
  voidedAt: string | null
  createdAt: string
  lines: InvoiceLine[]
  /** Who it is for: as the booking says, or the contact of invoice or booking. */
  billTo: string | null
}

/** Who an invoice is for, of a booking `b` and a lead `l`. */
export const BILL_TO = `
    coalesce(
      nullif(trim(b.entity_to_invoice), ''),
      nullif(trim(b.full_name), ''),
      nullif(trim(concat_ws(' ', l.first_name, l.last_name)), ''),
      nullif(trim(l.company_name), ''))`

const FIND_PRINTED_INVOICE = statement(`
  SELECT c.name AS "companyName",
    ${columns(
      `invoiceNumber description notes poNumber currency totalCents amountPaidCents issuedAt dueDate voidedAt
      createdAt lines`,
      'i',
    )},
    ${BILL_TO} AS "billTo"
  FROM invoices i
  JOIN companies c ON c.id = i.company_id
  JOIN bookings b ON b.company_id = i.company_id AND b.id = i.booking_id
  LEFT JOIN leads l ON l.company_id = i.company_id AND l.id = coalesce(i.lead_id, b.lead_id)
  WHERE i.company_id = $1 AND i.id = $2`)

/** Everything that the invoice page shows. */
export async function findPrintedInvoice(
  db: Db,
  companyId: string,
  id: string,
): Promise<PrintedInvoice | null> {
  return (await queryRows<PrintedInvoice>(db, FIND_PRINTED_INVOICE, [companyId, id]))[0] ?? null
}
