/** The invoices of a booking, as the event and quote pages list them. */
import type { INVOICE } from '../records/invoice/object.ts'

type Invoice = ReturnType<typeof INVOICE.present>

export type BookingInvoice = Pick<
  Invoice,
  'id' | 'invoiceNumber' | 'status' | 'total' | 'amountPaid' | 'amountDue' | 'currency' | 'dueDate' | 'url'
>

/** The booking without its invoices, and the invoices beside it, oldest first. */
export function separateInvoices<Booking extends { invoices: Invoice[] }>(
  expanded: Booking | null,
): { booking: Omit<Booking, 'invoices'> | null; invoices: BookingInvoice[] } {
  if (expanded === null) return { booking: null, invoices: [] }
  const { invoices, ...booking } = expanded
  return { booking, invoices: invoices.map(summarize) }
}

export function summarize(invoice: Invoice): BookingInvoice {
  const { id, invoiceNumber, status, total, amountPaid, amountDue, currency, dueDate, url } = invoice
  return { id, invoiceNumber, status, total, amountPaid, amountDue, currency, dueDate, url }
}
