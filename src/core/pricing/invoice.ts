/** The status and amount due of an invoice at a given time. */

interface InvoiceFacts {
  total: number
  amountPaid: number
  /** ISO 8601 in UTC with milliseconds, so they can be compared as text. */
  issuedAt: string | null
  dueDate: string | null
  voidedAt: string | null
}

export const INVOICE_STATUSES = ['Void', 'Draft', 'Paid', 'Overdue', 'PartiallyPaid', 'Open'] as const
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

export function deriveInvoice(
  facts: InvoiceFacts,
  now: string,
): { status: InvoiceStatus; amountDue: number } {
  const amountDue = facts.voidedAt === null ? Math.max(0, facts.total - facts.amountPaid) : 0
  return { status: invoiceStatus(facts, amountDue, now), amountDue }
}

/** The first match wins. */
function invoiceStatus(facts: InvoiceFacts, amountDue: number, now: string): InvoiceStatus {
  if (facts.voidedAt !== null) return 'Void'
  if (facts.issuedAt === null) return 'Draft'
  if (amountDue === 0) return 'Paid'
  if (facts.dueDate !== null && facts.dueDate < now) return 'Overdue'
  return facts.amountPaid > 0 ? 'PartiallyPaid' : 'Open'
}
