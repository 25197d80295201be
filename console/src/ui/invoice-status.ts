/** The words and colors of invoice statuses. */
import type { InvoiceStatus } from '../../../src/core/pricing/invoice.ts'
import type { Tone } from './status.tsx'

export const INVOICE_STATUSES: Record<InvoiceStatus, [name: string, tone: Tone]> = {
  Void: ['Void', 'gray'],
  Draft: ['Draft', 'gray'],
  Paid: ['Paid', 'green'],
  Overdue: ['Overdue', 'red'],
  PartiallyPaid: ['Partially paid', 'amber'],
  Open: ['Open', 'blue'],
}
