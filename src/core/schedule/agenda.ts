/**
 * The calendar of the agenda: stretches of calendar days, and the days on which an event lies where it takes place. A
 * calendar day is a text, `2027-02-15`, and belongs to no time zone: so nothing shifts it.
 */
import { parseDateTime } from './datetime.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const WEEK_DAYS = 7
const FIRST_DAY = '0001-01-01'
const LAST_DAY = '9999-12-31'
/** Zones lie between UTC-12 and UTC+14 today; before there were any, Manila and Alaska lay near 16 hours. */
const FURTHEST_ZONE_MS = 16 * HOUR_MS

/** As ISO 8601 and `Intl` number them: Monday is 1, Sunday 7. */
export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7

/** Both days belong to it. */
export interface DayRange {
  first: string
  last: string
}

/** The days that an agenda shows, and their text in a URL. */
export interface Period extends DayRange {
  view: 'week' | 'month'
  name: string
}

/** `2027-02` is that month, `2027-W07` the week of ISO 8601, `2027-02-15` the seven days that begin there; else null. */
export function parsePeriod(name: string): Period | null {
  const [, year = '', week] = /^(\d{4})-W(\d\d)$/.exec(name) ?? []
  if (week !== undefined) {
    const first = firstDayOfIsoWeek(year, Number(week))
    return first === null ? null : { view: 'week', name, ...weekFrom(first) }
  }
  if (isCalendarDay(name)) return { view: 'week', name, ...weekFrom(name) }
  return isCalendarDay(`${name}-01`) ? { view: 'month', name, ...monthOf(`${name}-01`) } : null
}

export function isCalendarDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && parseDateTime(`${text}T00:00Z`) !== null
}

/** The week in which the day lies, where weeks begin on that weekday. */
export function weekOf(day: string, firstWeekday: Weekday): Period {
  const first = startOfWeek(day, firstWeekday)
  return { view: 'week', name: first, ...weekFrom(first) }
}

export function monthPeriodOf(day: string): Period {
  return { view: 'month', name: day.slice(0, 7), ...monthOf(day) }
}

/** The period of the same length that is `by` periods later, or earlier if it is negative. */
export function movePeriod({ view, first }: Period, by: number): Period {
  if (view === 'month') {
    const [year = 0, month = 0] = first.split('-').map(Number)
    const months = Math.min(Math.max(year * 12 + month - 1 + by, 12), 9999 * 12 + 11)
    const day = `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}-01`
    return monthPeriodOf(day)
  }
  const day = addDays(first, by * WEEK_DAYS)
  return { view, name: day, ...weekFrom(day) }
}

/** The whole weeks that a month touches: at most six. */
export function weeksAround({ first, last }: DayRange, firstWeekday: Weekday): DayRange {
  return {
    first: startOfWeek(first, firstWeekday),
    last: addDays(startOfWeek(last, firstWeekday), WEEK_DAYS - 1),
  }
}

export function listDays({ first, last }: DayRange): string[] {
  return Array.from({ length: countDays({ first, last }) }, (_, i) => addDays(first, i))
}

export function countDays({ first, last }: DayRange): number {
  return Math.max(0, (startOf(last) - startOf(first)) / DAY_MS + 1)
}

/** Within the years 1 to 9999: there is no day before and after. */
export function addDays(day: string, days: number): string {
  const moved = startOf(day) + days * DAY_MS
  if (moved < startOf(FIRST_DAY)) return FIRST_DAY
  return moved > startOf(LAST_DAY) ? LAST_DAY : dayAt(moved)
}

export function weekdayOf(day: string): Weekday {
  return (new Date(startOf(day)).getUTCDay() || 7) as Weekday
}

export const isWithin = (day: string, { first, last }: DayRange): boolean => first <= day && day <= last

export const doOverlap = (a: DayRange, b: DayRange): boolean => a.first <= b.last && b.first <= a.last

/** All instants of these days in any zone at all, from the first up to the last, which is no longer part of it. */
export function instantsOf({ first, last }: DayRange): { from: string; before: string } {
  const from = Math.max(startOf(first) - FURTHEST_ZONE_MS, startOf(FIRST_DAY))
  const before = Math.min(startOf(last) + DAY_MS + FURTHEST_ZONE_MS, startOf(LAST_DAY) + DAY_MS - 1)
  return { from: new Date(from).toISOString(), before: new Date(before).toISOString() }
}

/**
 * The days on which an event lies, in that zone. What ends at midnight does not reach into the day that begins there; an
 * event without length, or one that ends before it starts, lies where it starts.
 */
export function daysOfEvent(startTime: string, endTime: string, timeZone: string): DayRange {
  const first = localDay(Date.parse(startTime), timeZone)
  const last = localDay(Date.parse(endTime) - 1, timeZone)
  return { first, last: last > first ? last : first }
}

/** The calendar day at that instant, in milliseconds since 1970. A zone that is not known here counts as UTC. */
export function localDay(instantMs: number, timeZone: string): string {
  const parts: Record<string, string> = {}
  for (const { type, value } of formatterOf(timeZone).formatToParts(instantMs)) parts[type] = value
  const { era, year = '', month = '', day = '' } = parts
  if (era?.startsWith('B') === true) return FIRST_DAY
  return year.length > 4 ? LAST_DAY : `${year.padStart(4, '0')}-${month}-${day}`
}

const formatters = new Map<string, Intl.DateTimeFormat>()
/** More than the time zones in use. Other names in requests must not fill the memory. */
const FORMATTERS_MAX = 500

/** Creating one costs as much as hundreds of uses. */
function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone)
  if (known !== undefined) return known
  const made = makeFormatter(timeZone) ?? makeFormatter('UTC') ?? new Intl.DateTimeFormat()
  if (formatters.size >= FORMATTERS_MAX) formatters.clear()
  formatters.set(timeZone, made)
  return made
}

function makeFormatter(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
      timeZone,
      era: 'short',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    })
  } catch {
    return null
  }
}

/** Week 1 is the one with 4 January in it; a year has 52 or 53. */
function firstDayOfIsoWeek(year: string, week: number): string | null {
  if (!isCalendarDay(`${year}-01-04`) || week < 1 || week > 53) return null
  const first = addDays(startOfWeek(`${year}-01-04`, 1), (week - 1) * WEEK_DAYS)
  // The Thursday of a week tells its year.
  return week < 53 || addDays(first, 3).startsWith(year) ? first : null
}

const weekFrom = (first: string): DayRange => ({ first, last: addDays(first, WEEK_DAYS - 1) })

function monthOf(day: string): DayRange {
  const first = `${day.slice(0, 7)}-01`
  const inNext = addDays(first, 31)
  return { first, last: inNext === LAST_DAY ? LAST_DAY : addDays(`${inNext.slice(0, 7)}-01`, -1) }
}

function startOfWeek(day: string, firstWeekday: Weekday): string {
  return addDays(day, -((weekdayOf(day) - firstWeekday + WEEK_DAYS) % WEEK_DAYS))
}

const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)

const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
