/** Clock times of a place, and the instants they stand for. A zone that is undefined is that of the machine. */
import { isCalendarDay, localDay } from './agenda.ts'

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/

/** How far the clocks of a zone are ahead of UTC at an instant. */
function offsetMs(at: number, timeZone: string | undefined): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at)
  const value = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((part) => part.type === type)?.value)
  const local = Date.UTC(
    value('year'),
    value('month') - 1,
    value('day'),
    value('hour'),
    value('minute'),
    value('second'),
  )
  return local - Math.floor(at / 1_000) * 1_000
}

/** The instant at which clocks show `2026-05-01` and `09:30`. Null if one of them is not a day or a time. */
export function instantAt(day: string, time: string, timeZone: string | undefined): string | null {
  if (!isCalendarDay(day) || !TIME.test(time)) return null
  const clock = Date.parse(`${day}T${time}:00Z`)
  // The offset at the result counts, which the first guess can miss by a change of the clocks.
  const guess = clock - offsetMs(clock, timeZone)
  return new Date(clock - offsetMs(guess, timeZone)).toISOString()
}

/** The day and time that clocks show at an instant. */
export function clockAt(iso: string, timeZone: string): { day: string; time: string } {
  const at = Date.parse(iso)
  const time = new Date(at + offsetMs(at, timeZone)).toISOString().slice(11, 16)
  return { day: localDay(at, timeZone), time }
}
