/** The invoices of a booking: number, status, total, the amount due, and the history. Each number opens the invoice. */
import { Button, Modal, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import type { BookingInvoice } from '../../../src/console/invoices.ts'
import { TimelineEntries } from '../activity/timeline.tsx'
import { formatDate, formatMoney } from '../format.ts'
import { NewTabIcon } from './icons.tsx'
import { INVOICE_STATUSES } from './invoice-status.ts'
import { Note } from './note.ts'
import { Status } from './status.tsx'
import './invoice-list.css'

export function InvoiceList({ invoices }: { invoices: readonly BookingInvoice[] }) {
  if (invoices.length === 0) {
    return <Note>No invoices yet.</Note>
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
  const { id, invoiceNumber, status, total, currency, url } = invoice
  const [name, tone] = INVOICE_STATUSES[status]
  const [isHistoryShown, setHistoryShown] = useState(false)
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
      <span className="invoice-state">
        <Status tone={tone} className="invoice-status">
          {name}
        </Status>
        <Button variant="subtle" size="compact-xs" onClick={() => setHistoryShown(true)}>
          History
          <VisuallyHidden> of invoice {invoiceNumber}</VisuallyHidden>
        </Button>
      </span>
      <span className="invoice-due">{dueText(invoice)}</span>
      <Modal
        opened={isHistoryShown}
        onClose={() => setHistoryShown(false)}
        title={`History of invoice ${invoiceNumber}`}
      >
        <TimelineEntries object="invoice" id={id} />
      </Modal>
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
