/** Made-up data has fixed times: nothing here asks the clock, so every run gives the same world. */

export const HOUR = 3_600_000
export const DAY = 24 * HOUR

/** The "today" of made-up data. What has happened lies before it, what is planned may lie after it. */
export const ANCHOR = Date.UTC(2026, 10, 1)

/** Quotes come in over the year before; what they refer to was there already. */
export const FIRST_QUOTE = ANCHOR - 365 * DAY
export const COMPANY_START = FIRST_QUOTE - 60 * DAY

/** `2026-05-30T` by day. A world spans a few hundred days but has millions of times, most of the cost of making it. */
const dates = new Map<number, string>()
const TWO_DIGITS = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'))

/** The same as Date's toISOString, five times as fast. */
export function iso(instant: number): string {
  const day = Math.floor(instant / DAY)
  let date = dates.get(day)
  if (date === undefined) {
    date = new Date(day * DAY).toISOString().slice(0, 11)
    dates.set(day, date)
  }
  const milliseconds = instant - day * DAY
  const hours = TWO_DIGITS[Math.floor(milliseconds / HOUR)]
  const minutes = TWO_DIGITS[Math.floor(milliseconds / 60_000) % 60]
  const seconds = TWO_DIGITS[Math.floor(milliseconds / 1000) % 60]
  const fraction = String(milliseconds % 1000).padStart(3, '0')
  return `${date}${hours}:${minutes}:${seconds}.${fraction}Z`
}

export function isoDate(instant: number): string {
  return iso(instant).slice(0, 10)
}

/** What follows from something recent must still have happened before today. */
export function pastOnly(instant: number): number {
  return Math.min(instant, ANCHOR - HOUR)
}

export type SummerTime = 'AMERICA' | 'EUROPE' | 'NONE'

/** The last Sunday up to the given day. */
function sundayUpTo(year: number, month: number, day: number): number {
  const date = Date.UTC(year, month, day)
  return date - new Date(date).getUTCDay() * DAY
}

/** First day of summer time, first day after it. */
function summerOf(rule: SummerTime, year: number): readonly [number, number] {
  if (rule === 'NONE') return [0, 0]
  return rule === 'AMERICA'
    ? [sundayUpTo(year, 2, 14), sundayUpTo(year, 10, 7)]
    : [sundayUpTo(year, 2, 31), sundayUpTo(year, 9, 31)]
}

/** The years that made-up events can lie in. */
const SUMMERS = new Map(
  (['AMERICA', 'EUROPE', 'NONE'] as const).map((rule) => [
    rule,
    [2025, 2026, 2027].map((year) => summerOf(rule, year)),
  ]),
)

/**
 * Own rules instead of `Intl`: it is slow for millions of days and its answer depends on the time zone data of the
 * machine. The day decides, since nobody starts serving in the night the clocks change.
 */
function isSummer(rule: SummerTime, day: number): boolean {
  return SUMMERS.get(rule)?.some(([starts, ends]) => day >= starts && day < ends) ?? false
}

/** The instant at which the clocks of a place show `hour` (17.5 is half past five) on the day that begins at `midnight` UTC. */
export function localTime(
  place: { utcOffset: number; summerTime: SummerTime },
  midnight: number,
  hour: number,
): number {
  const offset = place.utcOffset + (isSummer(place.summerTime, midnight) ? 1 : 0)
  return midnight + (hour - offset) * HOUR
}
