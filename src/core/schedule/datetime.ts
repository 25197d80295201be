/** Date-times are parsed strictly, never guessed, and kept as UTC text. */

const GRAMMAR = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d\d):(\d\d))$/

const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/**
 * The instant as `YYYY-MM-DDTHH:MM:SS.ffffffZ`, or null when the text is not `YYYY-MM-DDTHH:MM[:SS[.f]]` with `Z` or
 * `±HH:MM`, names no real date or time, or lies outside the years 0001 to 9999 in UTC. Digits after the sixth of the
 * fraction are cut off. Text, not Date: a Date has no microseconds and accepts 30 February.
 */
export function parseDateTime(text: string): string | null {
  const parts = GRAMMAR.exec(text)
  if (parts === null) return null
  const [, year, month, day, hour, minute, second = 0, fraction = '', sign, ...offset] = parts
  const [offsetHour = 0, offsetMinute = 0] = offset
  if (Number(year) === 0 || !isDayOfMonth(Number(year), Number(month), Number(day))) return null
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return null
  const ahead = Number(offsetHour) * 60 + Number(offsetMinute)
  const instant = new Date(0)
  instant.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  instant.setUTCHours(Number(hour), Number(minute) + (sign === '-' ? ahead : -ahead), Number(second))
  const utcYear = instant.getUTCFullYear()
  if (utcYear < 1 || utcYear > 9999) return null
  return `${instant.toISOString().slice(0, 19)}.${fraction.slice(0, 6).padEnd(6, '0')}Z`
}

/** The same instant cut to the milliseconds that are stored. */
export function cutToMilliseconds(instant: string): string {
  return `${instant.slice(0, 23)}Z`
}

/** `2026-03-01 09:30:00.5+00`, as PostgreSQL prints a UTC timestamptz, as `2026-03-01T09:30:00.500Z`. */
export function isoFromPostgres(text: string): string {
  // Fast path: all three digits are there.
  if (text.length === 26) return `${text.slice(0, 10)}T${text.slice(11, 23)}Z`
  // Fixed positions: PostgreSQL pads every part and only omits trailing zeros of the fraction.
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0')}Z`
}

function isDayOfMonth(year: number, month: number, day: number): boolean {
  const leapDay = month === 2 && ((year % 4 === 0 && year % 100 !== 0) || year % 400 === 0) ? 1 : 0
  return day >= 1 && day <= (DAYS_IN_MONTH[month - 1] ?? 0) + leapDay
}
