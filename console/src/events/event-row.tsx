/** One event on one day of a list. */
import { Badge, Group, Text } from '@mantine/core'
import { Link } from 'react-router'
import { countDays } from '../../../src/core/agenda.ts'
import type { AgendaEvent } from '../../../src/http/console/events.ts'
import { formatNumber } from '../format.ts'
import { firstVisible, timesOn, titleOf, zoneOf } from './calendar.ts'

export const eventPath = (id: string): string => `/events/${encodeURIComponent(id)}`

export function EventRow({ event, day }: { event: AgendaEvent; day: string }) {
  const zone = zoneOf(event)
  const dayCount = countDays(event.days)
  const dayPlace = countDays({ first: event.days.first, last: day })
  const client = firstVisible(event.clientName)
  const about = [client === titleOf(event) ? null : client, event.locationName].filter(
    (text) => text !== null,
  )
  return (
    <li>
      <Link
        to={eventPath(event.id)}
        className="agenda-event"
        data-canceled={event.canceled || undefined}
        data-continues={dayPlace > 1 || undefined}
      >
        <span className="agenda-time">
          <span className="app-figure">{timesOn(event, day)}</span>
          {zone === '' ? null : (
            <span className="agenda-zone" title={event.timeZone}>
              {zone}
            </span>
          )}
        </span>
        <span className="agenda-about">
          <span className="agenda-name">{titleOf(event)}</span>
          {about.length === 0 ? null : (
            <Text span c="dimmed" size="sm" className="agenda-line">
              {about.join(' · ')}
            </Text>
          )}
        </span>
        <Group gap={6} component="span" className="agenda-marks">
          {dayCount > 1 ? (
            <Text span size="xs" c="dimmed">
              day {formatNumber(dayPlace)} of {formatNumber(dayCount)}
            </Text>
          ) : null}
          <Marks event={event} />
        </Group>
      </Link>
    </li>
  )
}

function Marks({ event }: { event: AgendaEvent }) {
  const { canceled, staffCount, staffNumber, taskCount, openTaskCount } = event
  if (canceled) {
    return (
      <Badge color="red" variant="light" tt="none">
        Canceled
      </Badge>
    )
  }
  const isShort = staffCount < staffNumber
  return (
    <>
      {staffNumber === 0 && staffCount === 0 ? null : (
        <Badge color={isShort ? 'orange' : 'gray'} variant="light" tt="none">
          {staffNumber === 0
            ? formatNumber(staffCount)
            : `${formatNumber(staffCount)} of ${formatNumber(staffNumber)}`}{' '}
          staff
        </Badge>
      )}
      {taskCount === 0 ? null : (
        <Badge color={openTaskCount > 0 ? 'harbor' : 'gray'} variant="light" tt="none">
          {openTaskCount > 0 ? `${formatNumber(openTaskCount)} to do` : 'all done'}
        </Badge>
      )}
    </>
  )
}
