/** The agenda as a list of days: a week, and on small screens a month. */
import { Badge, Title } from '@mantine/core'
import type { AgendaEvent } from '../../../src/console/events.ts'
import { Note } from '../ui/note.ts'
import { dayAndMonth, today, weekdayName } from './calendar.ts'
import { EventRow } from './event-row.tsx'

export function DayList({
  days,
  byDay,
}: {
  days: readonly string[]
  byDay: ReadonlyMap<string, readonly AgendaEvent[]>
}) {
  return (
    <div className="app-panel agenda-list">
      {days.map((day) => (
        <Day key={day} day={day} events={byDay.get(day) ?? []} />
      ))}
    </div>
  )
}

function Day({ day, events }: { day: string; events: readonly AgendaEvent[] }) {
  const isToday = day === today()
  return (
    <section className="agenda-day" data-today={isToday || undefined} aria-labelledby={`day-${day}`}>
      <div className="agenda-date">
        <Title order={3} id={`day-${day}`}>
          {weekdayName(day)} <span className="agenda-date-number">{dayAndMonth(day)}</span>
        </Title>
        {isToday ? (
          <Badge size="sm" className="mark-todo">
            Today
          </Badge>
        ) : null}
      </div>
      {events.length === 0 ? (
        <Note className="agenda-nothing">No events</Note>
      ) : (
        <ul className="app-list">
          {events.map((event) => (
            <EventRow key={event.id} event={event} day={day} />
          ))}
        </ul>
      )}
    </section>
  )
}
