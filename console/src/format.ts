/** Money, dates and numbers as the company writes them. Digits of money are ISO 4217's, not the browser's. */
import { decimalAmount, minorDigits } from '../../src/core/pricing/currencies.ts'
import { parseTypedAmount } from '../../src/core/pricing/typed-amount.ts'
import type { NumberSigns } from '../../src/core/pricing/typed-amount.ts'

/** The locale of the company, then the browser's languages. */
export const locales: string[] = [...navigator.languages]

/** Called before pages load, because some of them read the locale only once. */
export function preferLocale(locale: string | null): void {
  locales.splice(0, locales.length, ...(locale === null ? [] : [locale]), ...navigator.languages)
}

/** The largest amount that can be stored, in minor units. */
const MONEY_MAX_CENTS = 100_000_000_000n

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

function findSigns(): NumberSigns {
  const parts = new Intl.NumberFormat(locales, { numberingSystem: 'latn' }).formatToParts(1_234_567.8)
  const sign = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
  return { decimal: sign('decimal'), group: sign('group') }
}

/** Parses typed text into minor units; null if it is not an amount that can be stored. */
export function parseMoney(text: string, currency: string): number | null {
  const cents = parseTypedAmount(text, minorDigits(currency), findSigns())
  return cents === null || cents > MONEY_MAX_CENTS ? null : Number(cents)
}

/** Minor units as a user would type them, without separators of thousands. */
export function typedMoney(cents: number, currency: string): string {
  return decimalMoney(cents, currency, false)
}

/** Minor units with separators of thousands and without the currency: `1,250.00`. */
export function groupedMoney(cents: number, currency: string): string {
  return decimalMoney(cents, currency, true)
}

function decimalMoney(cents: number, currency: string, useGrouping: boolean): string {
  const digits = minorDigits(currency)
  const format = new Intl.NumberFormat(locales, {
    numberingSystem: 'latn',
    useGrouping,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  return format.format(decimalAmount(cents, currency) as Intl.StringNumericLiteral)
}

/** Percentages are numbers in percent: 8.875. */
export function formatPercent(percent: number): string {
  return new Intl.NumberFormat(locales, {
    style: 'unit',
    unit: 'percent',
    maximumFractionDigits: 6,
  }).format(percent)
}

export function formatNumber(value: number): string {
  return new Intl.NumberFormat(locales, { maximumFractionDigits: 4 }).format(value)
}

export function formatOpenTasks(count: number): string {
  return count === 1 ? '1 open task' : `${formatNumber(count)} open tasks`
}

interface Address {
  streetAddress: string | null
  city: string | null
  state: string | null
  zip: string | null
}

/** `3055 Walnut Street, Denver, CO 80205`, without the parts that are empty. */
export function formatAddress({ streetAddress, city, state, zip }: Address): string {
  return joinTexts([streetAddress, city, joinTexts([state, zip], ' ')], ', ')
}

function joinTexts(texts: (string | null)[], separator: string): string {
  return texts.filter((text) => text !== null && text.trim() !== '').join(separator)
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
  // Words stand in sentences of the page, which are English.
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
  for (const [unit, ms] of UNITS) {
    if (Math.abs(distance) >= ms) return format.format(Math.trunc(distance / ms), unit)
  }
  return format.format(0, 'second')
}

/** As `formatRelative`, for a place outside of a sentence: `Now`, `Yesterday`. */
export function formatRelativeLabel(iso: string): string {
  const text = formatRelative(iso)
  return text.charAt(0).toUpperCase() + text.slice(1)
}
