import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutToMilliseconds, isoFromPostgres, parseDateTime } from './datetime.ts'

describe('R6: the date-time grammar', () => {
  it.each([
    ['2026-03-01T09:30Z', '2026-03-01T09:30:00.000000Z'],
    ['2026-03-01T09:30:15Z', '2026-03-01T09:30:15.000000Z'],
    ['2026-03-01T09:30:15.5Z', '2026-03-01T09:30:15.500000Z'],
    ['2026-03-01T09:30+00:00', '2026-03-01T09:30:00.000000Z'],
    ['2026-03-01T09:30-00:00', '2026-03-01T09:30:00.000000Z'],
    ['2026-03-01T09:30+05:30', '2026-03-01T04:00:00.000000Z'],
    ['2026-03-01T09:30:59.25-03:45', '2026-03-01T13:15:59.250000Z'],
    ['2026-03-01T00:00+23:59', '2026-02-28T00:01:00.000000Z'],
    ['2024-12-31T23:59:59.999999-23:59', '2025-01-01T23:58:59.999999Z'],
    ['2024-02-29T12:00Z', '2024-02-29T12:00:00.000000Z'],
    ['2000-02-29T12:00Z', '2000-02-29T12:00:00.000000Z'],
    ['2024-03-01T00:30+01:00', '2024-02-29T23:30:00.000000Z'],
    ['2023-03-01T00:30+01:00', '2023-02-28T23:30:00.000000Z'],
    ['0099-12-31T23:59-00:01', '0100-01-01T00:00:00.000000Z'],
  ])('reads %s as %s', (text, instant) => {
    expect(parseDateTime(text)).toBe(instant)
  })

  it.each([
    ['2026-01-01T00:00:00.1Z', '100000'],
    ['2026-01-01T00:00:00.123456Z', '123456'],
    ['2026-01-01T00:00:00.1234567Z', '123456'],
    ['2026-01-01T00:00:00.999999999Z', '999999'],
    ['2026-01-01T00:00:00.0000009+02:00', '000000'],
  ])('truncates the fraction of %s to the digits %s', (text, digits) => {
    expect(parseDateTime(text)?.slice(20, -1)).toBe(digits)
  })

  it.each([
    ['an empty text', ''],
    ['a bare date', '2026-03-01'],
    ['no offset', '2026-03-01T09:30:00'],
    ['an hour alone', '2026-03-01T09Z'],
    ['a fraction of minutes', '2026-03-01T09:30.5Z'],
    ['a lower-case t', '2026-03-01t09:30Z'],
    ['a lower-case z', '2026-03-01T09:30z'],
    ['a space instead of T', '2026-03-01 09:30Z'],
    ['a space instead of the sign, like a decoded plus', '2026-03-01T09:30 05:30'],
    ['an offset without minutes', '2026-03-01T09:30+05'],
    ['an offset without colon', '2026-03-01T09:30+0530'],
    ['an offset with a Unicode minus sign', '2026-03-01T09:30\u{2212}05:30'],
    ['both Z and an offset', '2026-03-01T09:30Z+05:30'],
    ['a named zone', '2026-03-01T09:30+05:30[Asia/Kolkata]'],
    ['a leading space', ' 2026-03-01T09:30Z'],
    ['a trailing space', '2026-03-01T09:30Z '],
    ['a trailing line break', '2026-03-01T09:30Z\n'],
    ['a trailing NUL', '2026-03-01T09:30Z\0'],
    ['a fraction without digits', '2026-03-01T09:30:00.Z'],
    ['ten fraction digits', '2026-03-01T09:30:00.1234567890Z'],
    ['a comma fraction', '2026-03-01T09:30:00,5Z'],
    ['full-width digits', '２０２６-03-01T09:30Z'],
    ['a year of five digits', '12026-03-01T09:30Z'],
    ['a signed year', '+002026-03-01T09:30Z'],
    ['a year before Christ', '-0001-03-01T09:30Z'],
    ['a month of one digit', '2026-3-01T09:30Z'],
    ['the basic format', '20260301T0930Z'],
    ['a week date', '2026-W09-7T09:30Z'],
    ['an ordinal date', '2026-060T09:30Z'],
    ['a number', '1772357400000'],
  ])('rejects %s', (_, text) => {
    expect(parseDateTime(text)).toBeNull()
  })

  it.each([
    '2026-02-29T00:00Z',
    '2026-02-30T00:00Z',
    '2024-02-30T00:00Z',
    '1900-02-29T00:00Z',
    '2026-04-31T00:00Z',
    '2026-06-31T00:00+02:00',
    '2026-01-32T00:00Z',
    '2026-01-00T00:00Z',
    '2026-00-10T00:00Z',
    '2026-13-10T00:00Z',
    '2026-01-01T24:00Z',
    '2026-01-01T24:00:00+01:00',
    '2026-01-01T23:60Z',
    '2026-01-01T23:59:60Z',
    '2016-12-31T23:59:60Z',
    '2026-01-01T00:00+24:00',
    '2026-01-01T00:00-24:00',
    '2026-01-01T00:00+00:60',
    '2026-01-01T00:00+99:99',
  ])('rejects %s, which does not exist', (text) => {
    expect(parseDateTime(text)).toBeNull()
  })

  it.each([
    ['0001-01-01T00:00Z', '0001-01-01T00:00:00.000000Z'],
    ['0001-01-01T00:00-00:01', '0001-01-01T00:01:00.000000Z'],
    ['0001-01-01T00:00+00:01', null],
    ['0001-01-01T23:58+23:59', null],
    ['0001-01-01T23:59+23:59', '0001-01-01T00:00:00.000000Z'],
    ['0000-12-31T23:59-00:01', null],
    ['0000-06-01T00:00Z', null],
    ['9999-12-31T23:59:59.999999999Z', '9999-12-31T23:59:59.999999Z'],
    ['9999-12-31T23:59-00:01', null],
    ['9999-12-31T23:59+00:01', '9999-12-31T23:58:00.000000Z'],
    ['9999-12-31T00:01-23:59', null],
    ['9999-12-31T00:00-23:59', '9999-12-31T23:59:00.000000Z'],
  ])('reads %s, at the limits of the years 0001 to 9999, as %s', (text, instant) => {
    expect(parseDateTime(text)).toBe(instant)
  })

  it('matches an independent calculation for any valid text', () => {
    fc.assert(
      fc.property(validDateTime, ({ text, seconds, fraction }) => {
        const expected = new Date(seconds * 1000)
        const year = expected.getUTCFullYear()
        const inRange = year >= 1 && year <= 9999
        const microseconds = fraction.padEnd(6, '0').slice(0, 6)
        expect(parseDateTime(text)).toBe(
          inRange ? `${expected.toISOString().slice(0, 19)}.${microseconds}Z` : null,
        )
      }),
      { numRuns: 2000 },
    )
  })

  it('accepts a changed text only if it is valid, and returns UTC with six digits', () => {
    const character = fc.constantFrom(...'0123456789:-+.TZtz ,/\0\n٣é'.split(''))
    const edit = fc.record({
      at: fc.nat(40),
      remove: fc.nat(2),
      insert: fc.array(character, { maxLength: 2 }),
    })
    fc.assert(
      fc.property(validDateTime, edit, ({ text }, { at, remove, insert }) => {
        const changed = text.slice(0, at) + insert.join('') + text.slice(at + remove)
        const instant = parseDateTime(changed)
        expect(instant === null ? false : CANONICAL.test(instant)).toBe(isValid(changed))
      }),
      { numRuns: 3000 },
    )
  })

  it('reads its results unchanged', () => {
    fc.assert(
      fc.property(validDateTime, ({ text }) => {
        const instant = parseDateTime(text)
        expect(parseDateTime(instant ?? '')).toBe(instant)
      }),
    )
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(parseDateTime(text)).toBeNull()
      }),
    )
  })
})

describe('R6: stored times', () => {
  it('are truncated to milliseconds, never rounded', () => {
    expect(cutToMilliseconds('2026-03-01T09:30:00.999999Z')).toBe('2026-03-01T09:30:00.999Z')
    expect(cutToMilliseconds('9999-12-31T23:59:59.999999Z')).toBe('9999-12-31T23:59:59.999Z')
    expect(cutToMilliseconds('2026-03-01T09:30:00.000500Z')).toBe('2026-03-01T09:30:00.000Z')
  })
})

describe('isoFromPostgres', () => {
  it.each([
    ['2026-03-01 09:30:00+00', '2026-03-01T09:30:00.000Z'],
    ['2026-03-01 09:30:00.5+00', '2026-03-01T09:30:00.500Z'],
    ['2026-03-01 09:30:00.05+00', '2026-03-01T09:30:00.050Z'],
    ['2026-03-01 09:30:00.123+00', '2026-03-01T09:30:00.123Z'],
    ['0001-01-01 00:00:00+00', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31 23:59:59.999+00', '9999-12-31T23:59:59.999Z'],
  ])('converts %s to %s', (text, iso) => {
    expect(isoFromPostgres(text)).toBe(iso)
  })
})

const CANONICAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

const two = (value: number) => String(value).padStart(2, '0')

/** Days from 1970-01-01 to a date, counted in years that begin in March, without a table of months or Date. */
function daysBefore(year: number, month: number, day: number): number {
  const marchYear = month <= 2 ? year - 1 : year
  const monthFromMarch = (month + 9) % 12
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400)
  return 365 * marchYear + leapDays + Math.floor((153 * monthFromMarch + 2) / 5) + day - 1 - 719468
}

const monthLength = (year: number, month: number) =>
  (month === 12 ? daysBefore(year + 1, 1, 1) : daysBefore(year, month + 1, 1)) - daysBefore(year, month, 1)

/** A text of the grammar, its instant in whole seconds, and its fraction. */
const validDateTime = fc
  .record({
    year: fc.oneof(fc.integer({ min: 1, max: 9999 }), fc.constantFrom(1, 4, 99, 100, 1900, 2000, 2024, 9999)),
    month: fc.integer({ min: 1, max: 12 }),
    dayPart: fc.double({ min: 0, max: 1, noNaN: true }),
    hour: fc.integer({ min: 0, max: 23 }),
    minute: fc.integer({ min: 0, max: 59 }),
    second: fc.option(fc.integer({ min: 0, max: 59 })),
    fraction: fc.string({ unit: fc.constantFrom(...'0123456789'.split('')), maxLength: 9 }),
    offset: fc.option(
      fc.record({
        sign: fc.constantFrom('+', '-'),
        hours: fc.integer({ min: 0, max: 23 }),
        minutes: fc.integer({ min: 0, max: 59 }),
      }),
    ),
  })
  .map(({ year, month, dayPart, hour, minute, second, fraction, offset }) => {
    const day = Math.min(1 + Math.floor(dayPart * monthLength(year, month)), monthLength(year, month))
    const decimals = second === null ? '' : fraction
    const time = `${two(hour)}:${two(minute)}${second === null ? '' : `:${two(second)}`}`
    const zone = offset === null ? 'Z' : `${offset.sign}${two(offset.hours)}:${two(offset.minutes)}`
    const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
    const ahead =
      offset === null ? 0 : (offset.sign === '+' ? 60 : -60) * (offset.hours * 60 + offset.minutes)
    const seconds = daysBefore(year, month, day) * 86400 + hour * 3600 + minute * 60 + (second ?? 0) - ahead
    return {
      text: `${date}T${time}${decimals === '' ? '' : `.${decimals}`}${zone}`,
      seconds,
      fraction: decimals,
    }
  })

/** The rule, implemented in another way: splits the text at its separators, then checks each number. */
function isValid(text: string): boolean {
  const [date = '', rest, ...more] = text.split('T')
  if (rest === undefined || more.length > 0) return false
  const zone = rest.endsWith('Z') ? 'Z' : rest.slice(-6)
  const [clock = '', decimals, ...others] = rest.slice(0, -zone.length).split('.')
  const numbers = [date.split('-'), clock.split(':')].flat()
  if (date.split('-').length !== 3 || numbers.length < 5 || numbers.length > 6 || others.length > 0)
    return false
  if (decimals !== undefined && (numbers.length === 5 || !/^[0-9]{1,9}$/.test(decimals))) return false
  if (!numbers.every((part, i) => /^[0-9]+$/.test(part) && part.length === (i === 0 ? 4 : 2))) return false
  if (zone !== 'Z' && !/^[+-][0-9][0-9]:[0-9][0-9]$/.test(zone)) return false
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = numbers.map(Number)
  const hoursAhead = zone === 'Z' ? 0 : Number(zone.slice(1, 3))
  const minutesAhead = zone === 'Z' ? 0 : Number(zone.slice(4))
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > monthLength(year, month)) return false
  if (hour > 23 || minute > 59 || second > 59 || hoursAhead > 23 || minutesAhead > 59) return false
  const ahead = (zone.startsWith('-') ? -60 : 60) * (hoursAhead * 60 + minutesAhead)
  const seconds = daysBefore(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - ahead
  return seconds >= daysBefore(1, 1, 1) * 86400 && seconds < daysBefore(10000, 1, 1) * 86400
}
