/** Days of a quote in words, where the quote's location is. */
import { formatDate, locales } from '../format.ts'

/** With the day of the week. */
export function formatDay(iso: string, timeZone: string): string {
  return new Intl.DateTimeFormat(locales, {
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    timeZone,
  }).format(new Date(iso))
}

/** From the first start to the last, as short as the language allows. */
export function formatDays(starts: readonly string[], timeZone: string): string {
  const [first, last] = [starts[0], starts.at(-1)]
  if (first === undefined || last === undefined) return ''
  if (starts.length === 1) return formatDate(first, timeZone)
  return new Intl.DateTimeFormat(locales, { dateStyle: 'medium', timeZone }).formatRange(
    new Date(first),
    new Date(last),
  )
}
