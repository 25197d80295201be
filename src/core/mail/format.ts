/** Times as messages show them, in the locale and time zone of the company. */
interface Place {
  locale: string | null
  timeZone: string | null
}

/** Such as `November 25, 2026 at 9:00 AM UTC`. */
export function formatMoment(iso: string, place: Place): string {
  return formatterOf(place, { dateStyle: 'long', timeStyle: 'long' }).format(Date.parse(iso))
}

function formatterOf({ locale, timeZone }: Place, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(locale ?? 'en-US', { ...options, timeZone: timeZone ?? 'UTC' })
  } catch {
    // Imported values can be unknown to this version of Node.
    return new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' })
  }
}
