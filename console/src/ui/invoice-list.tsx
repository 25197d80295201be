/** The invoices of a booking: number, status, total and what is still due. Each number opens the invoice. */
import { Text, VisuallyHidden } from '@mantine/core'
import type { InvoiceStatus } from '../../../src/core/pricing/invoice.ts'
import type { BookingInvoice } from '../../../src/console/invoices.ts'
import { formatDate, formatMoney } from '../format.ts'
import { NewTabIcon } from './icons.tsx'
import './invoice-list.css'

const STATUS_NAMES: Record<InvoiceStatus, string> = {
  Void: 'Void',
  Draft: 'Draft',
  Paid: 'Paid',
  Overdue: 'Overdue',
  PartiallyPaid: 'Partially paid',
  Open: 'Open',
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
    <ul className="invoices">
      {invoices.map((invoice) => (
        <Invoice key={invoice.id} {...invoice} />
      ))}
    </ul>
  )
}

function Invoice(invoice: BookingInvoice) {
  const { invoiceNumber, status, total, currency, url } = invoice
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
      <span className={`invoice-status invoice-${status}`}>{STATUS_NAMES[status]}</span>
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
