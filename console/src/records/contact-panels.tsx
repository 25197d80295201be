/** The quotes, bookings, invoices and history of a contact, and merging it with another. */
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { ContactBooking, ContactRelatedAnswer } from '../../../src/console/contacts.ts'
import type { QuoteListItem } from '../../../src/console/quotes.ts'
import type { StoredRecord } from '../../../src/console/records.ts'
import { Timeline } from '../activity/timeline.tsx'
import { formatDate, formatMoney } from '../format.ts'
import { LoadingPanels } from '../loading.tsx'
import { StateBadge } from '../quotes/state-badge.tsx'
import { newQuotePath } from '../quote-new/asked-contact.ts'
import { PlusIcon } from '../ui/icons.tsx'
import { InvoiceList } from '../ui/invoice-list.tsx'
import { Note } from '../ui/note.ts'
import { Panel } from '../ui/panel.tsx'
import { ErrorState } from '../ui/states.tsx'
import { Older } from '../ui/older.tsx'
import { Status } from '../ui/status.tsx'
import { useGet } from '../use-get.ts'
import { MergeDialog } from './merge-dialog.tsx'

export function MergeButton({ record }: { record: StoredRecord }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        Merge
      </Button>
      <MergeDialog record={record} isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </>
  )
}

/** A quote for this contact. */
export function NewQuoteButton({ id }: { id: string }) {
  return (
    <Button component={Link} to={newQuotePath(id)} variant="default" leftSection={<PlusIcon />}>
      New quote
    </Button>
  )
}

interface ContactPanelsProps {
  id: string
  /** An archived contact gets no quotes. */
  isArchived: boolean
}

export function ContactPanels({ id, isArchived }: ContactPanelsProps) {
  const { data, error, refetch } = useGet<ContactRelatedAnswer>(
    ['contacts', 'related', id],
    `contacts/${encodeURIComponent(id)}/related`,
  )
  return (
    <>
      {error !== null ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : data === undefined ? (
        <LoadingPanels label="Loading quotes, bookings and invoices" lines={[3, 2]} />
      ) : (
        <RelatedPanels id={id} isArchived={isArchived} related={data} />
      )}
      <Timeline object="lead" id={id} />
    </>
  )
}

function RelatedPanels({ id, isArchived, related }: ContactPanelsProps & { related: ContactRelatedAnswer }) {
  const { quotes, bookings, invoices } = related
  const allQuotes = `/quotes?lead=${encodeURIComponent(id)}`
  return (
    <>
      <Related
        title="Quotes"
        none="No quotes yet. Quotes for this customer appear here."
        isEmpty={quotes.items.length === 0}
        action={
          isArchived ? null : (
            <div>
              <NewQuoteButton id={id} />
            </div>
          )
        }
      >
        <ul className="app-list record-related">
          {quotes.items.map((quote) => (
            <Quote key={quote.id} quote={quote} />
          ))}
        </ul>
        {quotes.hasMore ? (
          <Link className="app-link record-more" to={allQuotes}>
            All quotes for this customer
          </Link>
        ) : null}
      </Related>
      <Related
        title="Bookings"
        none="No bookings yet. Booked quotes appear here."
        isEmpty={bookings.items.length === 0}
      >
        <ul className="app-list record-related">
          {bookings.items.map((booking) => (
            <Booking key={booking.id} booking={booking} />
          ))}
        </ul>
        {bookings.hasMore ? (
          <>
            <Older what="bookings" count={10} />
            <Link className="app-link record-more" to={`${allQuotes}&state=booked`}>
              All booked quotes for this customer
            </Link>
          </>
        ) : null}
      </Related>
      <Related title="Invoices" none="No invoices yet." isEmpty={invoices.items.length === 0}>
        <InvoiceList invoices={invoices.items} />
        {invoices.hasMore ? <Older what="invoices" count={10} /> : null}
      </Related>
    </>
  )
}

interface RelatedProps {
  title: string
  none: string
  isEmpty: boolean
  /** Fills an empty panel. */
  action?: ReactNode
  children: ReactNode
}

function Related({ title, none, isEmpty, action, children }: RelatedProps) {
  return (
    <Panel title={title} gap="sm">
      {isEmpty ? (
        <>
          <Note>{none}</Note>
          {action}
        </>
      ) : (
        children
      )}
    </Panel>
  )
}

function Quote({ quote }: { quote: QuoteListItem }) {
  const { number, firstDay, timeZone, eventTypeName, createdAt } = quote
  const day =
    firstDay === null ? `Created ${formatDate(createdAt)}` : formatDate(firstDay.start, timeZone ?? 'UTC')
  return (
    <li className="app-row record-related-row">
      <span className="record-related-name">
        <Link className="app-row-name" to={`/quotes/${encodeURIComponent(quote.id)}`}>
          {eventTypeName ?? 'Quote'}
        </Link>
        <Note span>{number === null ? day : `${number} · ${day}`}</Note>
      </span>
      <StateBadge state={quote.state} />
      <span className="app-figure">{formatMoney(quote.totalPriceCents, quote.currency)}</span>
    </li>
  )
}

function Booking({ booking }: { booking: ContactBooking }) {
  const { quoteId, createdAt, canceledAt, currency, totalPriceCents } = booking
  const text = `Booked on ${formatDate(createdAt)}`
  return (
    <li className={quoteId === null ? 'record-related-row' : 'app-row record-related-row'}>
      <span className="record-related-name">
        {quoteId === null ? (
          text
        ) : (
          <Link className="app-row-name" to={`/quotes/${encodeURIComponent(quoteId)}`}>
            {text}
          </Link>
        )}
      </span>
      {canceledAt === null ? null : (
        <Status tone="gray" className="record-mark">
          Canceled
        </Status>
      )}
      <span className="app-figure">{formatMoney(totalPriceCents, currency)}</span>
    </li>
  )
}
