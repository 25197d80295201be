/** One event on one day of a list. */
import { Badge, Group } from '@mantine/core'
import { Link } from 'react-router'
import { countDays } from '../../../src/core/schedule/agenda.ts'
import type { AgendaEvent } from '../../../src/console/events.ts'
import { formatNumber, formatOpenTasks } from '../format.ts'
import { RightIcon } from '../ui/icons.tsx'
import { Note } from '../ui/note.ts'
import { eventPath, firstVisible, isOvernight, timesOn, titleOf, zoneOf } from './calendar.ts'

export function EventRow({ event, day }: { event: AgendaEvent; day: string }) {
  const zone = zoneOf(event)
  const isContinued = day !== event.days.first
  return (
    <li>
      <Link
        to={eventPath(event.id)}
        className="agenda-event"
        data-canceled={event.canceled || undefined}
        data-continued={isContinued || undefined}
      >
        <span className="agenda-time">
          <span className="app-figure">{timesOn(event, day)}</span>
          {zone === '' ? null : (
            <span className="agenda-zone" title={event.timeZone}>
              {zone}
            </span>
          )}
        </span>
        <span>
          <span className="agenda-name">{titleOf(event)}</span>
          {isContinued ? null : <Place event={event} />}
        </span>
        <Group gap={8} component="span" className="agenda-marks">
          <DayOf event={event} day={day} />
          {isContinued ? null : <Marks event={event} />}
        </Group>
        <span className="app-row-arrow agenda-arrow">
          <RightIcon />
        </span>
      </Link>
    </li>
  )
}

function Place({ event }: { event: AgendaEvent }) {
  const client = firstVisible(event.clientName)
  const parts = [client === titleOf(event) ? null : client, event.locationName].filter(
    (part) => part !== null,
  )
  if (parts.length === 0) return null
  return (
    <Note span className="agenda-line">
      {parts.join(' · ')}
    </Note>
  )
}

function DayOf({ event, day }: { event: AgendaEvent; day: string }) {
  const count = countDays(event.days)
  if (count === 1 || isOvernight(event)) return null
  return (
    <Note span>
      Day {formatNumber(countDays({ first: event.days.first, last: day }))} of {formatNumber(count)}
    </Note>
  )
}

/** Problems are badges, other facts are plain text. */
function Marks({ event }: { event: AgendaEvent }) {
  const { canceled, staffCount, staffNumber, openTaskCount } = event
  if (canceled) {
    return (
      <Badge component="span" className="mark-off">
        Canceled
      </Badge>
    )
  }
  const staff =
    staffNumber === 0
      ? formatNumber(staffCount)
      : `${formatNumber(staffCount)} of ${formatNumber(staffNumber)}`
  return (
    <>
      {staffCount < staffNumber ? (
        <Badge component="span" className="mark-short">
          {staff} staff
        </Badge>
      ) : null}
      {staffCount >= staffNumber && staffCount > 0 ? <Note span>{staff} staff</Note> : null}
      {openTaskCount === 0 ? null : (
        <Badge component="span" className="mark-todo">
          {formatOpenTasks(openTaskCount)}
        </Badge>
      )}
    </>
  )
}
