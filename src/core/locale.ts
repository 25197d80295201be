/** Locales decide how dates and numbers are written. */

/** The longest in use have about 30 characters. */
const MAX_CHARACTERS = 60

/** The canonical spelling of a BCP 47 language tag that has formats for dates and numbers, such as `de-CH`; null for any other. */
export function parseLocale(text: string): string | null {
  if (text.length > MAX_CHARACTERS) return null
  try {
    const [locale = null] = Intl.DateTimeFormat.supportedLocalesOf(text)
    return locale
  } catch {
    return null
  }
}
