/** The customer, event, terms and booking of a quote. */
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { QuotePageAnswer } from '../../../src/console/quotes.ts'
import { SubjectLink } from '../activity/subject-link.tsx'
import { formatAddress, formatDate, formatMoney, formatNumber, formatPercent } from '../format.ts'
import { Fact, emailLink, phoneLink, text } from '../ui/facts.tsx'
import { InvoiceList } from '../ui/invoice-list.tsx'
import { Note } from '../ui/note.ts'
import { Panel } from '../ui/panel.tsx'
import './quote-page.css'
import { SCHEDULE_WORDS } from './words.ts'

/** A panel of names and values. Empty values are left out. */
function Facts({
  title,
  className = '',
  children,
}: {
  title: string
  className?: string
  children: ReactNode
}) {
  return (
    <Panel title={title} className={className} gap="sm">
      <dl className="quote-facts">{children}</dl>
    </Panel>
  )
}

export function CustomerFacts({ page: { lead, quote } }: { page: QuotePageAnswer }) {
  const person = [lead?.firstName ?? null, lead?.lastName ?? null]
    .filter((name) => text(name) !== null)
    .join(' ')
  const company = text(lead?.companyName ?? null)
  return (
    <Facts title="Customer" className="is-third">
      {lead === null ? (
        <Fact name="Name">Not found</Fact>
      ) : (
        <>
          <Fact name="Name">
            <SubjectLink
              subject={{ object: 'lead', id: lead.id }}
              name={person === '' ? (company ?? 'Unnamed contact') : person}
            />
          </Fact>
          <Fact name="Company">{person === '' ? null : company}</Fact>
          <Fact name="Email">{emailLink(lead.email)}</Fact>
          <Fact name="Phone">{phoneLink(lead.phone)}</Fact>
        </>
      )}
      <Fact name="Quotes">
        <Link className="app-link" to={`/quotes?lead=${encodeURIComponent(quote.leadId)}`}>
          All quotes for this customer
        </Link>
      </Fact>
    </Facts>
  )
}

export function EventFacts({ page: { quote, location, eventType } }: { page: QuotePageAnswer }) {
  return (
    <Facts title="Event">
      <Fact name="Event type">{eventType?.name}</Fact>
      <Fact name="Location">
        {location === null ? (
          'Not found'
        ) : (
          <>
            {location.name}
            <Note>{formatAddress(location)}</Note>
          </>
        )}
      </Fact>
      <Fact name="Time zone">{location?.timeZone.replaceAll('_', ' ')}</Fact>
      <Fact name="Address">{quote.eventAddress}</Fact>
      <Fact name="Guests">{formatNumber(quote.guestCount)}</Fact>
      <Fact name="Staff">{formatNumber(quote.numberOfStaff)}</Fact>
      <Fact name="Equipment">{formatNumber(quote.numberOfResources)}</Fact>
      <Fact name="On-site contact">{text(quote.siteContactName)}</Fact>
      <Fact name="On-site phone">{phoneLink(quote.siteContactPhone)}</Fact>
      <Fact name="Description">
        {text(quote.eventDescription) === null ? null : (
          <span className="quote-text">{quote.eventDescription}</span>
        )}
      </Fact>
    </Facts>
  )
}

export function TermsFacts({ page: { quote, contract, paymentTerms } }: { page: QuotePageAnswer }) {
  const isEmpty = contract === null && paymentTerms === null && text(quote.entityToInvoice) === null
  return (
    <Facts title="Terms">
      <Fact name="Contract">
        {contract === null ? null : (
          <>
            {contract.name}
            <Note>{text(contract.description)}</Note>
          </>
        )}
      </Fact>
      <Fact name="Payment">
        {paymentTerms === null ? null : (
          <>
            {paymentTerms.name}
            <Note>{paymentWords(paymentTerms, quote.currency.isoCode)}</Note>
          </>
        )}
      </Fact>
      <Fact name="Bill to">{text(quote.entityToInvoice)}</Fact>
      {isEmpty ? <Fact name="Terms">None yet</Fact> : null}
    </Facts>
  )
}

function paymentWords(terms: NonNullable<QuotePageAnswer['paymentTerms']>, currency: string): string {
  const { paymentSchedule, depositPercentage, depositAmountCents, invoiceDueDays } = terms
  const deposit =
    depositPercentage === null
      ? depositAmountCents === null
        ? ''
        : formatMoney(depositAmountCents, currency)
      : formatPercent(depositPercentage)
  const due =
    invoiceDueDays === 0
      ? 'due on receipt'
      : `due in ${invoiceDueDays === 1 ? '1 day' : `${invoiceDueDays} days`}`
  return [SCHEDULE_WORDS[paymentSchedule], deposit, due].filter((part) => part !== '').join(' · ')
}

export function BookingFacts({ page: { booking, location } }: { page: QuotePageAnswer }) {
  if (booking === null) return null
  const { events, currency, fullName, totalPriceCents, gratuityAmountCents, createdAt, canceledAt } = booking
  return (
    <Facts title="Booking">
      <Fact name="Booked on">{formatDate(createdAt)}</Fact>
      <Fact name="Booked by">{text(fullName)}</Fact>
      <Fact name="Booked total">
        <span className="app-figure">{formatMoney(totalPriceCents, currency.isoCode)}</span>
      </Fact>
      <Fact name="Gratuity">
        {gratuityAmountCents === null ? null : (
          <span className="app-figure">{formatMoney(gratuityAmountCents, currency.isoCode)}</span>
        )}
      </Fact>
      <Fact name="Canceled on">{canceledAt === null ? null : formatDate(canceledAt)}</Fact>
      {events.length === 0 ? null : (
        <Fact name="Events">
          <ul className="app-list">
            {events.map(({ id, name, serviceStartTime }) => (
              <li key={id}>
                <Link className="app-link" to={`/events/${encodeURIComponent(id)}`}>
                  {formatDate(serviceStartTime, location?.timeZone)}
                  {text(name) === null ? '' : ` · ${name}`}
                </Link>
              </li>
            ))}
          </ul>
        </Fact>
      )}
    </Facts>
  )
}

export function Invoices({ page: { booking, invoices } }: { page: QuotePageAnswer }) {
  if (booking === null) return null
  return (
    <Panel title="Invoices" gap="sm">
      <InvoiceList invoices={invoices} />
    </Panel>
  )
}
