/**
 * Any range of time as a few dozen stretches of the calendar of fixed length: single days (UTC, counted from the year 1),
 * stretches of 32 days, of 32 of those, and so on. The table quote_stretches tells which quotes have a service day in
 * which stretch. Where the range begins or ends within a day, that day is partial: its quotes have to be looked at.
 */
import type { TimeRange } from './time-range.ts'

const DAY_MS = 86_400_000
const FIRST_DAY_MS = Date.parse('0001-01-01T00:00:00Z')
const LEVELS = 5
/** Each level's stretches are 2^5 of the level below. */
const LEVEL_BITS = 5
/** Where the level stands in the number of a stretch. */
const LEVEL_SHIFT = 26
/** Where four stretches of the highest level end: after the year 9999, so that a range without an end is few of them. */
const END_OF_DAYS = 4 * 2 ** (LEVEL_BITS * (LEVELS - 1))

export interface CalendarStretches {
  /** Wholly inside the range. */
  whole: number[]
  /** Single days of which a part is inside: at most two. */
  partial: number[]
}

export function calendarStretches({ from, before }: TimeRange): CalendarStretches {
  const stretches: CalendarStretches = { whole: [], partial: [] }
  if (from >= before) return stretches
  const start = Math.max((from - FIRST_DAY_MS) / DAY_MS, 0)
  const end = Math.min((before - FIRST_DAY_MS) / DAY_MS, END_OF_DAYS)
  if (start >= end) return stretches
  // The days [first, last) are whole.
  const first = Math.ceil(start)
  const last = Math.floor(end)
  if (first > start) stretches.partial.push(first - 1)
  if (last < end && last >= first) stretches.partial.push(last)
  addWhole(stretches.whole, first, last)
  return stretches
}

/** Level by level: what sticks out at either end of the level above, until the rest is few of the highest. */
function addWhole(whole: number[], firstDay: number, lastDay: number): void {
  let [first, last] = [firstDay, lastDay]
  for (let level = 0; first < last; level++) {
    const unit = level === LEVELS - 1 ? Infinity : 2 ** LEVEL_BITS
    const add = (stretch: number) => whole.push(level * 2 ** LEVEL_SHIFT + stretch)
    while (first < last && first % unit !== 0) add(first++)
    while (first < last && last % unit !== 0) add(--last)
    first /= unit
    last /= unit
  }
}
