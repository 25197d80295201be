/** The page of an event: facts, staff, equipment, booking, invoices, form answers and checklist. */
import { Badge } from '@mantine/core'
import { useParams } from 'react-router'
import { localDay, weekOf } from '../../../src/core/schedule/agenda.ts'
import type { EventAnswer } from '../../../src/console/events.ts'
import { Timeline } from '../activity/timeline.tsx'
import { firstVisible, firstWeekday, knownZone, longDay, readerZone, titleOf } from '../events/calendar.ts'
import { Checklist } from '../events/checklist.tsx'
import '../events/marks.css'
import '../events/event.css'
import {
  BookingFacts,
  Customer,
  Invoices,
  Notes,
  Equipment,
  Services,
  Team,
  WhenAndWhere,
} from '../events/facts.tsx'
import { EventBones } from '../events/skeletons.tsx'
import { QuoteAnswers } from '../forms/responses.tsx'
import { BackLink } from '../ui/back-link.tsx'
import { useFocusOnTitle } from '../ui/focus-title.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { ErrorState } from '../ui/states.tsx'
import { useGet } from '../use-get.ts'

export default function EventPage() {
  const { id = '' } = useParams()
  const { data, error, refetch } = useGet<EventAnswer>(['event', id], `events/${encodeURIComponent(id)}`)
  if (data === undefined) {
    return (
      <>
        <PageHeader title="Event" back={<BackTo period={null} />} />
        {error === null ? <EventBones /> : <ErrorState error={error} onRetry={refetch} />}
      </>
    )
  }
  return <EventWhole key={id} {...data} />
}

function BackTo({ period }: { period: string | null }) {
  return <BackLink to={period === null ? '/events' : `/events?period=${period}`}>Events</BackLink>
}

function EventWhole(whole: EventAnswer) {
  useFocusOnTitle()
  const { event, location, booking, hasQuote } = whole
  const day = localDay(Date.parse(event.serviceStartTime), knownZone(location?.timeZone ?? readerZone))
  return (
    <>
      <PageHeader
        title={titleOf(event)}
        back={<BackTo period={weekOf(day, firstWeekday()).name} />}
        mark={
          booking === null || booking.canceledAt === null ? null : (
            <Badge className="mark-off">Canceled</Badge>
          )
        }
        subtitle={[longDay(day), firstVisible(location?.name)].filter((part) => part !== null).join(' · ')}
      />
      <div className="event-page">
        <WhenAndWhere {...whole} />
        <div className="event-column event-side">
          <Checklist eventId={event.id} />
          <Customer {...whole} />
          <BookingFacts {...whole} />
          <Invoices {...whole} />
        </div>
        <div className="event-column">
          <div className="event-pair">
            <Team {...whole} />
            <Equipment {...whole} />
          </div>
          <Services {...whole} />
          <Notes {...whole} />
          {hasQuote && booking?.quoteId != null ? <QuoteAnswers quoteId={booking.quoteId} /> : null}
          <Timeline object="event" id={event.id} />
        </div>
      </div>
    </>
  )
}
