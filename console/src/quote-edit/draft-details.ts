/** The event of a quote while it is edited, and its days as clocks at the location show them. */
import { addDays, countDays } from '../../../src/core/schedule/agenda.ts'
import { clockAt, instantAt } from '../../../src/core/schedule/local-time.ts'
import { DETAILS } from '../../../src/core/quotes/quote-details.ts'
import type { ServiceDay } from '../../../src/core/quotes/quote-details.ts'
import type { QuoteContent } from '../../../src/core/quotes/quote-edit.ts'

const COUNTS = ['guestCount', 'numberOfStaff', 'numberOfResources'] as const
export type CountField = (typeof COUNTS)[number]

/** Numbers as they are typed. */
export type DraftDetails = Omit<Pick<QuoteContent, keyof typeof DETAILS>, CountField> &
  Record<CountField, string>

export interface DraftDay {
  id: string
  date: string
  start: string
  /** A time that is not after the start is on the next day. */
  end: string
  /** How many days later than that it ends. */
  daysLater: number
  /** As it is stored, with seconds, which counts until a field is changed. */
  stored: { timeZone: string; serviceStartTime: string; serviceEndTime: string } | null
}

interface Problem {
  message: string
  /** Still empty: no error before the user leaves the field or saves. */
  isMissing: boolean
}

/** By `line-3.price`, `baseFee`. */
export type Problems = Record<string, Problem>

export function draftDetails(content: QuoteContent): DraftDetails {
  const details = Object.fromEntries(
    Object.keys(DETAILS).map((name) => {
      const value: unknown = Reflect.get(content, name)
      return [name, typeof value === 'number' ? String(value) : value]
    }),
  )
  return details as unknown as DraftDetails
}

const COUNT_MAX = 2 ** 31 - 1
/** Digits, or groups of three with one separator. */
const COUNT = /^(?:\d*|\d{1,3}(?:([\s,.'’])\d{3})(?:\1\d{3})*)$/

/** The number of guests, staff or equipment; null if the text is not such a number. Blank is 0. */
export function parseCount(text: string): number | null {
  const plain = text.trim()
  if (!COUNT.test(plain)) return null
  const count = Number(plain.replaceAll(/\D/g, ''))
  return count <= COUNT_MAX ? count : null
}

/** Invalid numbers count as zero. */
export function readDetails(
  details: DraftDetails,
  problems: Problems,
): Pick<QuoteContent, keyof typeof DETAILS> {
  const counts = COUNTS.map((name) => {
    const count = parseCount(details[name])
    if (count === null) problems[name] = { message: 'Enter a whole number.', isMissing: false }
    return [name, count ?? 0] as const
  })
  if (details.eventAddress.trim() === '')
    problems['eventAddress'] = { message: 'Enter the address of the event.', isMissing: true }
  return { ...details, ...(Object.fromEntries(counts) as Record<CountField, number>) }
}

export function draftDay({ id, serviceStartTime, serviceEndTime }: ServiceDay, timeZone: string): DraftDay {
  const start = clockAt(serviceStartTime, timeZone)
  const end = clockAt(serviceEndTime, timeZone)
  const isNextDay = end.time <= start.time
  const days = countDays({ first: start.day, last: end.day }) - 1
  return {
    id,
    date: start.day,
    start: start.time,
    end: end.time,
    daysLater: Math.max(0, days - (isNextDay ? 1 : 0)),
    stored: { timeZone, serviceStartTime, serviceEndTime },
  }
}

let days = 0

/** The day after the last one, at the same times. */
export function nextDay(before: readonly DraftDay[]): DraftDay {
  const last = before.at(-1)
  const date = last === undefined || last.date === '' ? '' : addDays(last.date, 1)
  return {
    id: `new-day-${++days}`,
    date,
    start: last?.start ?? '',
    end: last?.end ?? '',
    daysLater: last?.daysLater ?? 0,
    stored: null,
  }
}

/** Null while the date or a time is missing. */
export function timesOf(day: DraftDay, timeZone: string): Omit<ServiceDay, 'id'> | null {
  const { date, start, end, daysLater, stored } = day
  if (stored?.timeZone === timeZone) {
    const { serviceStartTime, serviceEndTime } = stored
    return { serviceStartTime, serviceEndTime }
  }
  const later = daysLater + (end <= start ? 1 : 0)
  const serviceStartTime = instantAt(date, start, timeZone)
  const serviceEndTime = serviceStartTime === null ? null : instantAt(addDays(date, later), end, timeZone)
  return serviceStartTime === null || serviceEndTime === null ? null : { serviceStartTime, serviceEndTime }
}

/** Days with a missing date or time have problems, and are left out. */
export function readDays(list: readonly DraftDay[], timeZone: string, problems: Problems): ServiceDay[] {
  return list.flatMap((day) => {
    for (const field of ['date', 'start', 'end'] as const) {
      if (day[field] !== '') continue
      const message = field === 'date' ? 'Enter a date.' : 'Enter a time.'
      problems[`${day.id}.${field}`] = { message, isMissing: true }
    }
    const times = timesOf(day, timeZone)
    return times === null ? [] : [{ id: day.id, ...times }]
  })
}
