/** One quote: the customer, its days and lines, and how its total is calculated. */
import type { ReactNode } from 'react'
import { useLocation, useParams } from 'react-router'
import type { QuotePageAnswer } from '../../../src/console/quotes.ts'
import { Timeline } from '../activity/timeline.tsx'
import { formatDate, formatDateTime, formatMoney, formatRelativeLabel } from '../format.ts'
import { QuoteAnswers } from '../forms/responses.tsx'
import { QuoteActions } from '../quote-edit/quote-actions.tsx'
import { formatDays } from '../quotes/dates.ts'
import { DayLines } from '../quotes/day-lines.tsx'
import { BookingFacts, CustomerFacts, EventFacts, Invoices, TermsFacts } from '../quotes/facts.tsx'
import { QuoteMessages } from '../mail/quote-messages.tsx'
import { quoteName } from '../quotes/name.ts'
import { ActionsSkeleton, QuoteSkeleton, SubtitleSkeleton } from '../quotes/quote-skeleton.tsx'
import '../quotes/quote-page.css'
import { Receipt } from '../quotes/receipt.tsx'
import { Revisions } from '../quotes/revisions.tsx'
import { StateBadge } from '../quotes/state-badge.tsx'
import { LOST_WORDS } from '../quotes/words.ts'
import { BackLink } from '../ui/back-link.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { useFocusOnTitle } from '../ui/focus-title.ts'
import { Note } from '../ui/note.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { Panel } from '../ui/panel.tsx'
import { ErrorState } from '../ui/states.tsx'
import { useGet } from '../use-get.ts'

export default function Quote() {
  const { id = '' } = useParams()
  const { data, error, refetch } = useGet<QuotePageAnswer>(
    ['quotes', 'page', id],
    `quotes/${encodeURIComponent(id)}`,
  )
  if (data !== undefined) return <QuotePage key={id} page={data} />
  if (error === null) return <Loading />
  return (
    <>
      <PageHeader title="Quote" back={<Back />} />
      <ErrorState error={error} onRetry={refetch} />
    </>
  )
}

function Loading() {
  return (
    <>
      <PageHeader
        title="Quote"
        back={<Back />}
        subtitle={<SubtitleSkeleton />}
        actions={<ActionsSkeleton />}
      />
      <QuoteSkeleton />
    </>
  )
}

/** Back to the table with the same filters. */
function Back() {
  const { state } = useLocation() as { state: { quotes?: string } | null }
  return <BackLink to={`/quotes${state?.quotes ?? ''}`}>Quotes</BackLink>
}

function QuotePage({ page }: { page: QuotePageAnswer }) {
  useFocusOnTitle()
  const { quote, number, state, lead, location, eventType, serviceDays, pricing, breakdown } = page
  const name = lead?.name.trim()
  const title = name === undefined || name === '' ? `Quote ${number ?? ''}`.trim() : name
  const about = [eventType?.name, location?.name].filter((text) => text !== undefined).join(' · ')
  return (
    <>
      <PageHeader
        title={title}
        tab={number === null ? title : `${number} ${title}`}
        mark={<StateBadge state={state} />}
        subtitle={
          <>
            {about === '' ? null : <>{about} · </>}
            <span className="quote-id">{quoteName({ id: quote.id, number })}</span>
          </>
        }
        back={<Back />}
        actions={
          <QuoteActions
            quote={{
              id: quote.id,
              state,
              totalCents: breakdown.totalCents,
              hasServiceDays: serviceDays.length > 0,
              hasLines: pricing.lines.length > 0,
              hasBooking: page.booking !== null && page.booking.canceledAt === null,
            }}
          />
        }
      />
      <Summary page={page} />
      <div className="quote-page">
        <div className="quote-column">
          <DayLines
            className="is-second"
            days={serviceDays}
            pricing={pricing}
            breakdown={breakdown}
            timeZone={location?.timeZone ?? 'UTC'}
          />
          <EventFacts page={page} />
          <TermsFacts page={page} />
          <Revisions
            id={quote.id}
            isSent={quote.sentAt !== null}
            isOpen={state === 'sent' || state === 'expired'}
          />
          <QuoteAnswers quoteId={quote.id} />
          <Timeline object="quote" id={quote.id} />
        </div>
        <div className="quote-column">
          <Receipt className="is-first" pricing={pricing} breakdown={breakdown} />
          <CustomerFacts page={page} />
          <QuoteMessages id={quote.id} />
          <BookingFacts page={page} />
          <Invoices page={page} />
        </div>
        <ApiRequest text={page.apiRequest} />
      </div>
    </>
  )
}

function Summary({ page: { quote, state, serviceDays, location, breakdown } }: { page: QuotePageAnswer }) {
  const starts = serviceDays.map(({ serviceStartTime }) => serviceStartTime)
  const days = formatDays(starts, location?.timeZone ?? 'UTC')
  const expiration = state === 'expired' ? 'Expired' : 'Expires'
  return (
    <dl className="app-panel quote-summary">
      <Item name="Total" note={quote.currency.isoCode}>
        <span className="app-figure quote-total">
          {formatMoney(breakdown.totalCents, quote.currency.isoCode)}
        </span>
      </Item>
      <Item name={starts.length === 1 ? 'Day' : 'Days'} note={countDays(starts.length)}>
        {days === '' ? 'None yet' : days}
      </Item>
      <Item name="Created" note={formatRelativeLabel(quote.createdAt)}>
        {formatDate(quote.createdAt)}
      </Item>
      <Moment name="Sent" at={quote.sentAt} />
      {quote.bookedAt === null && quote.lostAt === null ? (
        <Moment name={expiration} at={quote.expiresAt} />
      ) : null}
      <Moment name="Booked" at={quote.bookedAt} />
      {quote.lostAt === null ? null : (
        <Item name="Lost" note={quote.lostReason === null ? undefined : LOST_WORDS[quote.lostReason]}>
          <span title={formatDateTime(quote.lostAt)}>{formatDate(quote.lostAt)}</span>
        </Item>
      )}
    </dl>
  )
}

function countDays(count: number): string | undefined {
  if (count === 0) return undefined
  return count === 1 ? '1 day' : `${count} days`
}

function Moment({ name, at }: { name: string; at: string | null }) {
  if (at === null) return null
  return (
    <Item name={name} note={formatRelativeLabel(at)}>
      <span title={formatDateTime(at)}>{formatDate(at)}</span>
    </Item>
  )
}

function Item({ name, note, children }: { name: string; note?: string | undefined; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {note === undefined ? null : <dd className="quote-summary-note">{note}</dd>}
    </div>
  )
}

function ApiRequest({ text }: { text: string }) {
  return (
    <Panel title="Get this quote from the API" className="quote-request" gap="sm" align="flex-start">
      <Note>
        Set EQS_API_KEY to one of your API keys. totalPriceCents in the response is the total above.
      </Note>
      <pre className="app-code">{text}</pre>
      <CopyButton text={text} label="Copy request" />
    </Panel>
  )
}
