/** The invoices of a booking: number, status, total and the amount due. Each number opens the invoice. */
import { Text, VisuallyHidden } from '@mantine/core'
import type { InvoiceStatus } from '../../../src/core/pricing/invoice.ts'
import type { BookingInvoice } from '../../../src/console/invoices.ts'
import { formatDate, formatMoney } from '../format.ts'
import { NewTabIcon } from './icons.tsx'
import { Status } from './status.tsx'
import type { Tone } from './status.tsx'
import './invoice-list.css'

const STATUSES: Record<InvoiceStatus, [name: string, tone: Tone]> = {
  Void: ['Void', 'gray'],
  Draft: ['Draft', 'gray'],
  Paid: ['Paid', 'green'],
  Overdue: ['Overdue', 'red'],
  PartiallyPaid: ['Partially paid', 'amber'],
  Open: ['Open', 'blue'],
}

export function InvoiceList({ invoices }: { invoices: readonly BookingInvoice[] }) {
  if (invoices.length === 0) {
    return (
      <Text c="dimmed" size="sm">
        No invoices yet.
      </Text>
    )
  }
  return (
    <ul className="app-list">
      {invoices.map((invoice) => (
        <Invoice key={invoice.id} {...invoice} />
      ))}
    </ul>
  )
}

function Invoice(invoice: BookingInvoice) {
  const { invoiceNumber, status, total, currency, url } = invoice
  const [name, tone] = STATUSES[status]
  return (
    <li className="invoice">
      <a href={url} target="_blank" rel="noreferrer" className="app-link invoice-number">
        <VisuallyHidden>Invoice </VisuallyHidden>
        {invoiceNumber}{' '}
        <span className="app-row-arrow">
          <NewTabIcon />
        </span>
        <VisuallyHidden> (opens in a new tab)</VisuallyHidden>
      </a>
      <span className="app-figure invoice-total" data-void={status === 'Void' || undefined}>
        {formatMoney(total, currency.isoCode)}
      </span>
      <Status tone={tone} className="invoice-status">
        {name}
      </Status>
      <span className="invoice-due">{dueText(invoice)}</span>
    </li>
  )
}

/** The invoice itself states its due date in UTC, so the list does too. */
function dueText({ status, amountPaid, amountDue, currency, dueDate }: BookingInvoice): string {
  if (status === 'Void' || status === 'Paid') return ''
  const date = dueDate === null ? null : formatDate(dueDate, 'UTC')
  if (amountPaid === 0) return date === null ? '' : `Due ${date}`
  const amount = formatMoney(amountDue, currency.isoCode)
  return date === null ? `${amount} due` : `${amount} due ${date}`
}
