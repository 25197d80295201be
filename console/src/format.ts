/** Money, dates and numbers as the user's language writes them. Digits of money are ISO 4217's, not the browser's. */
import { decimalAmount, minorDigits } from '../../src/core/currencies.ts'

/** What the browser asks for, most wanted first. */
export const locales: readonly string[] = navigator.languages

/** The largest amount that can be stored, in minor units. */
const MONEY_MAX_CENTS = 100_000_000_000

export function formatMoney(cents: number | bigint, currency: string): string {
  const digits = minorDigits(currency)
  const format = new Intl.NumberFormat(locales, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  const text = decimalAmount(cents < 0 ? -cents : cents, currency)
  // A text, since a number could not hold every amount exactly.
  return format.format((cents < 0 ? `-${text}` : text) as Intl.StringNumericLiteral)
}

/** What a user typed, in minor units; null where it is no amount that can be stored. Takes a point or a comma. */
export function parseMoney(text: string, currency: string): number | null {
  const digits = minorDigits(currency)
  const plain = text.trim().replaceAll(/[\s\u00a0\u202f']/g, '')
  const [, whole, fraction = ''] = /^(\d{1,12})(?:[.,](\d{0,4}))?$/.exec(plain) ?? []
  if (whole === undefined || fraction.length > digits) return null
  const cents = Number(`${whole}${fraction.padEnd(digits, '0')}`)
  return cents <= MONEY_MAX_CENTS ? cents : null
}

/** Minor units as a user would type them. */
export function typedMoney(cents: number, currency: string): string {
  return decimalAmount(cents, currency)
}

/** Percentages are numbers in percent: 8.875. */
export function formatPercent(percent: number): string {
  return new Intl.NumberFormat(locales, { maximumFractionDigits: 6 }).format(percent) + '\u00a0%'
}

export function formatNumber(value: number): string {
  return new Intl.NumberFormat(locales, { maximumFractionDigits: 4 }).format(value)
}

const browserZone = new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Of an instant, in a zone: the browser's unless said. */
export function formatDate(iso: string, timeZone = browserZone): string {
  return new Intl.DateTimeFormat(locales, { dateStyle: 'medium', timeZone }).format(new Date(iso))
}

export function formatDateTime(iso: string, timeZone = browserZone): string {
  return new Intl.DateTimeFormat(locales, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
    new Date(iso),
  )
}

export function formatTime(iso: string, timeZone = browserZone): string {
  return new Intl.DateTimeFormat(locales, { timeStyle: 'short', timeZone }).format(new Date(iso))
}

/** The short name of a zone at an instant, or nothing where the browser's clock shows the same. */
export function zoneNote(iso: string, timeZone: string): string {
  const at = new Date(iso)
  const name = (zone: string, timeZoneName: 'short' | 'longOffset') =>
    new Intl.DateTimeFormat(locales, { timeZone: zone, timeZoneName })
      .formatToParts(at)
      .find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return name(timeZone, 'longOffset') === name(browserZone, 'longOffset') ? '' : name(timeZone, 'short')
}

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** `3 days ago`, `in 2 hours`, `now`. */
export function formatRelative(iso: string, now = Date.now()): string {
  const distance = Date.parse(iso) - now
  const format = new Intl.RelativeTimeFormat([...locales], { numeric: 'auto' })
  for (const [unit, ms] of UNITS) {
    if (Math.abs(distance) >= ms) return format.format(Math.trunc(distance / ms), unit)
  }
  return format.format(0, 'second')
}
