/** Calendar days and periods in the words of the reader's language. */
import { localDay } from '../../../src/core/schedule/agenda.ts'
import type { DayRange, Period, Weekday } from '../../../src/core/schedule/agenda.ts'
import type { AgendaEvent } from '../../../src/console/events.ts'
import { formatTime, locales, zoneNote } from '../format.ts'

export const readerZone = new Intl.DateTimeFormat().resolvedOptions().timeZone

export const today = (): string => localDay(Date.now(), readerZone)

/** Where weeks begin: Firefox does not tell, and then it is Monday. */
export function firstWeekday(): Weekday {
  const locale = new Intl.Locale(locales[0] ?? 'en') as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number }
    weekInfo?: { firstDay: number }
  }
  return (locale.getWeekInfo?.().firstDay ?? locale.weekInfo?.firstDay ?? 1) as Weekday
}

/** A calendar day has no time zone, so it is formatted in UTC. */
const instantOf = (day: string) => new Date(`${day}T00:00:00Z`)

function formatDay(day: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(locales, { ...options, timeZone: 'UTC' }).format(instantOf(day))
}

export const weekdayName = (day: string, weekday: 'long' | 'short' = 'long') => formatDay(day, { weekday })

export const dayAndMonth = (day: string) => formatDay(day, { day: 'numeric', month: 'long' })

export const longDay = (day: string) =>
  formatDay(day, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })

export const dayNumber = (day: string) => formatDay(day, { day: 'numeric' })

export function periodTitle({ view, first, last }: Period): string {
  if (view === 'month') return formatDay(first, { month: 'long', year: 'numeric' })
  const format = new Intl.DateTimeFormat(locales, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return format.formatRange(instantOf(first), instantOf(last))
}

export interface Span {
  serviceStartTime: string
  serviceEndTime: string
  timeZone: string
  days: DayRange
}

const DAY_MS = 86_400_000

/** Ends after midnight within 24 hours, so it is shown on one day. */
export const isOvernight = ({ serviceStartTime, serviceEndTime, days }: Span): boolean =>
  days.first !== days.last && Date.parse(serviceEndTime) - Date.parse(serviceStartTime) < DAY_MS

/** The part of an event that lies on a day. */
export function timesOn(span: Span, day: string): string {
  const { serviceStartTime, serviceEndTime, timeZone, days } = span
  const start = formatTime(serviceStartTime, timeZone)
  const end = formatTime(serviceEndTime, timeZone)
  if (day === days.first && (day === days.last || isOvernight(span)))
    return serviceStartTime === serviceEndTime ? start : `${start} – ${end}`
  if (day === days.first) return `from ${start}`
  return day === days.last ? `until ${end}` : 'all day'
}

/** The start time on the first day; on the others, that it goes on. */
export const startOn = (span: Span, day: string): string =>
  day === span.days.first ? formatTime(span.serviceStartTime, span.timeZone) : timesOn(span, day)

/** The local start time, to sort a day with several locations. */
export function clockAt({ serviceStartTime, timeZone }: Span): string {
  const options = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  return new Intl.DateTimeFormat('en', options).format(new Date(serviceStartTime))
}

export const zoneOf = ({ serviceStartTime, timeZone }: Pick<Span, 'serviceStartTime' | 'timeZone'>) =>
  zoneNote(serviceStartTime, timeZone)

export const eventPath = (id: string): string => `/events/${encodeURIComponent(id)}`

export const titleOf = ({ name, clientName }: Pick<AgendaEvent, 'name' | 'clientName'>): string =>
  firstVisible(name, clientName) ?? 'Unnamed event'

export function firstVisible(...texts: (string | null | undefined)[]): string | null {
  return texts.find((text) => typeof text === 'string' && text.trim() !== '') ?? null
}

/** If this browser does not know the time zone, times are shown in UTC and marked so. */
export function knownZone(timeZone: string): string {
  try {
    const { timeZone: known } = new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions()
    return known
  } catch {
    return 'UTC'
  }
}
