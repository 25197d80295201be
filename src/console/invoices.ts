/** The invoices of a booking, as the event and quote pages list them. */
import type { Db } from '../db/connect.ts'
import { loadInvoicesOfBookings } from '../records/invoice/queries.ts'
import { INVOICE } from '../records/invoice/object.ts'
import type { Presentation } from '../codec/presentation.ts'

export type BookingInvoice = Pick<
  ReturnType<typeof INVOICE.present>,
  'id' | 'invoiceNumber' | 'status' | 'total' | 'amountPaid' | 'amountDue' | 'currency' | 'dueDate' | 'url'
>

/** Oldest first. Without a booking there are none, at the same number of statements. */
export async function listBookingInvoices(
  db: Db,
  companyId: string,
  bookingId: string | null,
  presentation: Presentation,
): Promise<BookingInvoice[]> {
  const rows = await loadInvoicesOfBookings(db, companyId, bookingId === null ? [] : [bookingId])
  return rows.map((row) => {
    const { id, invoiceNumber, status, total, amountPaid, amountDue, currency, dueDate, url } =
      INVOICE.present(row, presentation)
    return { id, invoiceNumber, status, total, amountPaid, amountDue, currency, dueDate, url }
  })
}
