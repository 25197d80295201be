/** The panels of an event page. */
import { Badge, Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { countDays, daysOfEvent } from '../../../src/core/schedule/agenda.ts'
import type { EventAnswer } from '../../../src/console/events.ts'
import { formatAddress, formatDate, formatMoney, formatNumber, formatTime, zoneNote } from '../format.ts'
import { Fact, emailLink, phoneLink, text } from '../ui/facts.tsx'
import { InvoiceList } from '../ui/invoice-list.tsx'
import { Note } from '../ui/note.ts'
import { isOvernight, knownZone, longDay, readerZone } from './calendar.ts'

interface PanelProps {
  title: string
  mark?: ReactNode
  children: ReactNode
}

function Panel({ title, mark, children }: PanelProps) {
  return (
    <section className="app-panel event-panel">
      <Group justify="space-between" mb="sm" gap="xs">
        <Title order={2}>{title}</Title>
        {mark}
      </Group>
      {children}
    </section>
  )
}

/** Start and end in one time zone, with each day except `known`. A time does not wrap. */
function formatSpan(start: string, end: string, timeZone: string, known = ''): string {
  const days = daysOfEvent(start, end, timeZone)
  const time = (iso: string) => formatTime(iso, timeZone).replaceAll(' ', '\u00a0')
  const onDay = (day: string, iso: string) => (day === known ? time(iso) : `${longDay(day)}, ${time(iso)}`)
  const isOneEvening =
    days.first === days.last || isOvernight({ serviceStartTime: start, serviceEndTime: end, timeZone, days })
  return `${onDay(days.first, start)} – ${isOneEvening ? time(end) : onDay(days.last, end)}`
}

export function WhenAndWhere({ event, location }: EventAnswer) {
  const zone = knownZone(location?.timeZone ?? readerZone)
  const { serviceStartTime: start, serviceEndTime: end, shiftStartTime, shiftEndTime } = event
  const note = zoneNote(start, zone)
  const days = daysOfEvent(start, end, zone)
  const dayCount = countDays(days)
  return (
    <Panel title="When and where">
      <dl className="event-facts">
        <Fact name="Time">
          <span className="event-span">
            {formatSpan(start, end, zone)}
            {note === '' ? '' : ` ${note}`}
          </span>
          {dayCount > 2 ? <span className="event-aside">{formatNumber(dayCount)} days</span> : null}
          {note === '' ? null : (
            <span className="event-aside">{formatSpan(start, end, readerZone, days.first)} your time</span>
          )}
        </Fact>
        <Fact name="Shift">
          {shiftStartTime === null || shiftEndTime === null ? null : (
            <>
              {formatSpan(shiftStartTime, shiftEndTime, zone, days.first)}
              {note === '' ? '' : ` ${note}`}
            </>
          )}
        </Fact>
        <Fact name="Location">
          {location === null ? null : (
            <>
              {location.name}
              <span className="event-aside">{formatAddress(location)}</span>
              <span className="event-aside">Time zone {location.timeZone.replaceAll('_', ' ')}</span>
            </>
          )}
        </Fact>
        <Fact name="Address">{text(event.eventAddress)}</Fact>
        <Fact name="Getting there">{text(event.additionalLocationInfo)}</Fact>
        <Fact name="Parking and loading">{text(event.parkingLoadingInfo)}</Fact>
        <Fact name="Outdoors">{event.outdoors ? 'Yes' : null}</Fact>
      </dl>
    </Panel>
  )
}

export function Customer({ event }: EventAnswer) {
  const { clientName, clientEmail, clientPhone, siteContactName, siteContactPhone, guestCount } = event
  const isEmpty = [clientName, clientEmail, clientPhone].every((one) => text(one) === null)
  return (
    <Panel title="Customer">
      <dl className="event-facts">
        <Fact name="Name">{isEmpty ? <Text c="dimmed">Not provided</Text> : text(clientName)}</Fact>
        <Fact name="Email">{emailLink(clientEmail)}</Fact>
        <Fact name="Phone">{phoneLink(clientPhone)}</Fact>
        <Fact name="On-site contact">{text(siteContactName)}</Fact>
        <Fact name="On-site phone">{phoneLink(siteContactPhone)}</Fact>
        <Fact name="Guests">{guestCount === null ? null : formatNumber(guestCount)}</Fact>
      </dl>
    </Panel>
  )
}

export function Notes({ event }: EventAnswer) {
  const { eventDescription, specialNotes, staffDressCode, tipJarAllowed } = event
  if ([eventDescription, specialNotes, staffDressCode].every((one) => text(one) === null) && !tipJarAllowed)
    return null
  return (
    <Panel title="Notes">
      <dl className="event-facts">
        <Fact name="Description">{text(eventDescription)}</Fact>
        <Fact name="Special notes">{text(specialNotes)}</Fact>
        <Fact name="Dress code">{text(staffDressCode)}</Fact>
        <Fact name="Tip jar">{tipJarAllowed ? 'Allowed' : null}</Fact>
      </dl>
    </Panel>
  )
}

/** How many are assigned, of how many are needed. */
function Share({ count, needed }: { count: number; needed: number }) {
  if (needed === 0) return null
  return (
    <Badge className={count < needed ? 'mark-short' : 'mark-plain'}>
      {formatNumber(count)} of {formatNumber(needed)} needed
    </Badge>
  )
}

const Mark = ({ children }: { children: string }) => (
  <Badge size="sm" className="mark-plain" ml={6}>
    {children}
  </Badge>
)

export function Team({ event, staff }: EventAnswer) {
  return (
    <Panel title="Staff" mark={<Share count={staff.length} needed={event.staffNumber} />}>
      <Things empty="No staff assigned yet.">
        {staff.map(({ id, firstName, lastName, role, phone, status }) => (
          <li key={id}>
            <span>{`${firstName} ${lastName}`}</span>
            {status === 'inactive' ? <Mark>Inactive</Mark> : null}
            <span className="event-aside">
              {[text(role), text(phone)].filter((one) => one !== null).join(' · ')}
            </span>
          </li>
        ))}
      </Things>
    </Panel>
  )
}

export function Equipment({ event, resources }: EventAnswer) {
  return (
    <Panel title="Equipment" mark={<Share count={resources.length} needed={event.resourceNumber} />}>
      <Things empty="No equipment assigned yet.">
        {resources.map(({ id, name, category, status }) => (
          <li key={id}>
            <span>{name}</span>
            <span className="event-aside">
              {[text(category), status === 'Inactive' ? 'inactive' : null]
                .filter((one) => one !== null)
                .join(' · ')}
            </span>
          </li>
        ))}
      </Things>
    </Panel>
  )
}

export function Services({ services, addons }: EventAnswer) {
  return (
    <Panel title="Services and add-ons">
      <Things empty="No services or add-ons.">
        {[...services, ...addons].map(({ object, id, name, description }) => (
          <li key={`${object} ${id}`}>
            <span>{name}</span>
            {object === 'addon' ? <Mark>Add-on</Mark> : null}
            <span className="event-aside">{text(description)}</span>
          </li>
        ))}
      </Things>
    </Panel>
  )
}

function Things({ empty, children }: { empty: string; children: readonly ReactNode[] }) {
  if (children.length === 0) return <Note>{empty}</Note>
  return <ul className="app-list event-things">{children}</ul>
}

export function BookingFacts({ booking, eventType }: EventAnswer) {
  if (booking === null) return null
  const { canceledAt, totalPriceCents, gratuityAmountCents, currency, fullName, quoteId, createdAt } = booking
  const money = (cents: number) => <span className="app-figure">{formatMoney(cents, currency.isoCode)}</span>
  return (
    <Panel title="Booking">
      <dl className="event-facts">
        <Fact name="Booked on">{formatDate(createdAt)}</Fact>
        <Fact name="Booked by">{text(fullName)}</Fact>
        <Fact name="Booked total">{money(totalPriceCents)}</Fact>
        <Fact name="Gratuity">{gratuityAmountCents === null ? null : money(gratuityAmountCents)}</Fact>
        <Fact name="Canceled on">{canceledAt === null ? null : formatDate(canceledAt)}</Fact>
        <Fact name="Event type">{eventType}</Fact>
        <Fact name="Quote">
          {quoteId === null ? null : (
            <Link to={`/quotes/${encodeURIComponent(quoteId)}`} className="app-link">
              View quote
            </Link>
          )}
        </Fact>
      </dl>
    </Panel>
  )
}

export function Invoices({ booking, invoices }: EventAnswer) {
  if (booking === null) return null
  return (
    <Panel title="Invoices">
      <InvoiceList invoices={invoices} />
    </Panel>
  )
}
