/** A month as a sheet of weeks, for screens that are wide enough. */
import { VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { isWithin, listDays } from '../../../src/core/schedule/agenda.ts'
import type { DayRange, Period } from '../../../src/core/schedule/agenda.ts'
import type { AgendaEvent } from '../../../src/console/events.ts'
import {
  dayNumber,
  eventPath,
  isOvernight,
  longDay,
  startOn,
  timesOn,
  titleOf,
  today,
  weekdayName,
  zoneOf,
} from './calendar.ts'

/** As many as fit before a day is folded; one more would take no more room than to say so. */
const FOLDED_MAX = 3

interface MonthSheetProps {
  period: Period
  shown: DayRange
  byDay: ReadonlyMap<string, readonly AgendaEvent[]>
}

export function MonthSheet({ period, shown, byDay }: MonthSheetProps) {
  const days = listDays(shown)
  const weeks = Array.from({ length: days.length / 7 }, (_, i) => days.slice(i * 7, i * 7 + 7))
  return (
    <table className="app-panel agenda-month">
      <thead>
        <tr>
          {weeks[0]?.map((day) => (
            <th key={day} scope="col" abbr={weekdayName(day)}>
              {weekdayName(day, 'short')}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => (
              <DayCell key={day} day={day} isOutside={!isWithin(day, period)} events={byDay.get(day) ?? []} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface DayCellProps {
  day: string
  isOutside: boolean
  events: readonly AgendaEvent[]
}

function DayCell({ day, isOutside, events }: DayCellProps) {
  const [isOpen, setOpen] = useState(false)
  const isToday = day === today()
  const isFolded = !isOpen && events.length > FOLDED_MAX + 1
  const visible = isFolded ? events.slice(0, FOLDED_MAX) : events
  return (
    <td data-outside={isOutside || undefined} data-today={isToday || undefined}>
      <span className="agenda-cell-date" aria-hidden="true">
        {dayNumber(day)}
      </span>
      <VisuallyHidden>
        {longDay(day)}
        {isToday ? ', today' : ''}
      </VisuallyHidden>
      {events.length === 0 ? null : (
        <ul className="app-list" id={`cell-${day}`}>
          {visible.map((event) => (
            <CellEvent key={event.id} event={event} day={day} />
          ))}
        </ul>
      )}
      {events.length > FOLDED_MAX + 1 ? (
        <button
          type="button"
          className="agenda-more"
          aria-expanded={isOpen}
          aria-controls={`cell-${day}`}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Show fewer' : `+${events.length - FOLDED_MAX} more`}
          <VisuallyHidden> on {longDay(day)}</VisuallyHidden>
        </button>
      ) : null}
    </td>
  )
}

function CellEvent({ event, day }: { event: AgendaEvent; day: string }) {
  const zone = zoneOf(event)
  const title = titleOf(event)
  const isContinued = day !== event.days.first
  // An evening that only ends here: lighter than on its own day.
  const isTail = isContinued && isOvernight(event)
  const start = startOn(event, day)
  return (
    <li>
      <Link
        to={eventPath(event.id)}
        className="agenda-chip"
        data-canceled={event.canceled || undefined}
        data-continued={isContinued || undefined}
        data-tail={isTail || undefined}
        title={[title, `${timesOn(event, day)} ${zone}`.trim(), event.locationName]
          .filter((part) => part !== null)
          .join('\n')}
      >
        <span className="app-figure agenda-chip-time">{isTail ? start : `${start} ${zone}`.trim()}</span>
        <span className="agenda-chip-name">
          {isContinued ? <span aria-hidden="true">↳ </span> : null}
          {title}
        </span>
        {isContinued ? <VisuallyHidden> (continued)</VisuallyHidden> : null}
        {event.canceled ? <VisuallyHidden> (canceled)</VisuallyHidden> : null}
      </Link>
    </li>
  )
}
