/** Invoices of bookings. */
import { loaderByOwner } from './load.ts'

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

export const loadInvoicesOfBookings = loaderByOwner<InvoiceRow>(
  'invoices',
  `
    id companyId bookingId leadId invoiceNumber description notes poNumber currency totalCents
    amountPaidCents issuedAt dueDate voidedAt createdAt updatedAt`,
  'booking_id',
  'created_at, id',
)
