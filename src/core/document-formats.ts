/** How dates, amounts and quantities are written on documents for customers: in the locale of the company. */
import { decimalAmount, minorDigits } from './pricing/currencies.ts'

export interface DocumentFormats {
  money: (cents: number) => string
  /** A day, in the time zone of the document. */
  date: (time: string) => string
  dateAndTime: (time: string) => string
  /** `Saturday, June 6, 2026`, and `4:00 – 10:00 PM`. */
  day: (start: string) => string
  times: (start: string, end: string) => string
  /** From decimal text. */
  number: (value: string | number) => string
  percent: (value: string) => string
}

interface Conventions {
  locale: string
  currency: string
  timeZone: string
}

export function documentFormats({ locale, currency, timeZone }: Conventions): DocumentFormats {
  const money = moneyFormat(locale, currency)
  // Always the Gregorian calendar, as in the texts of documents. In Thai or Persian the year would differ.
  const dates = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone, calendar: 'gregory', ...options })
  const date = dates({ dateStyle: 'long' })
  const dateAndTime = dates({ dateStyle: 'long', timeStyle: 'short' })
  const day = dates({ dateStyle: 'full' })
  const times = dates({ hour: 'numeric', minute: '2-digit' })
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 })
  const shown = (value: string | number) => number.format(value as number)
  return {
    money,
    date: (time) => date.format(new Date(time)),
    dateAndTime: (time) => dateAndTime.format(new Date(time)),
    day: (start) => day.format(new Date(start)),
    times: (start, end) => times.formatRange(new Date(start), new Date(end)),
    number: shown,
    percent: (value) => `${shown(value)} %`,
  }
}

/** Exact for every amount. The browser of the customer runs the same code. */
export function moneyFormat(locale: string, currency: string): (cents: number) => string {
  const digits = minorDigits(currency)
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  // A string is formatted exactly, digit by digit. The type declarations do not allow it yet.
  const positive = (cents: number) => format.format(decimalAmount(cents, currency) as unknown as number)
  return (cents) => (cents < 0 ? `−${positive(-cents)}` : positive(cents))
}
