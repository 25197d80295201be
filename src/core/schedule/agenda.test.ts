import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import {
  addDays,
  countDays,
  daysOfEvent,
  doOverlap,
  instantsOf,
  isCalendarDay,
  isWithin,
  listDays,
  localDay,
  monthPeriodOf,
  movePeriod,
  parsePeriod,
  weekOf,
  weekdayOf,
  weeksAround,
} from './agenda.ts'
import type { Period, Weekday } from './agenda.ts'

const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 1000)
vi.setConfig({ testTimeout: 10_000 + numRuns * 20 })

function check<T>(arbitrary: fc.Arbitrary<T>, predicate: (value: T) => void): void {
  fc.assert(fc.property(arbitrary, predicate), { numRuns })
}

const DAY_MS = 86_400_000
const instant = (from: string, to: string) => fc.integer({ min: Date.parse(from), max: Date.parse(to) })
const anyInstant = instant('0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z')
const day = anyInstant.map((ms) => new Date(ms).toISOString().slice(0, 10))
const weekday = fc.constantFrom<Weekday[]>(1, 2, 3, 4, 5, 6, 7)
/** Includes the largest offsets, half and quarter hours, and zones that moved across the date line. */
const ZONES =
  `Etc/GMT+12 Pacific/Kiritimati Pacific/Apia Pacific/Chatham Asia/Kathmandu Asia/Manila America/Juneau
  America/St_Johns Australia/Lord_Howe Europe/Berlin America/New_York UTC Pacific/Kwajalein America/Sao_Paulo
  Africa/Monrovia Europe/Amsterdam`.split(/\s+/)
const zone = fc.constantFrom(...ZONES)
const iso = (ms: number) => new Date(ms).toISOString()
const range = ({ first, last }: { first: string; last: string }) => ({ first, last })

describe('periods', () => {
  it('a month has its days, with one more in February of a leap year', () => {
    expect(parsePeriod('2027-02')).toEqual({
      view: 'month',
      name: '2027-02',
      first: '2027-02-01',
      last: '2027-02-28',
    })
    expect(parsePeriod('2028-02')?.last).toBe('2028-02-29')
    expect(parsePeriod('2100-02')?.last).toBe('2100-02-28')
    expect(parsePeriod('9999-12')?.last).toBe('9999-12-31')
  })

  it('a week is that of ISO 8601, or seven days from a given day', () => {
    expect(parsePeriod('2027-W07')).toEqual({
      view: 'week',
      name: '2027-W07',
      first: '2027-02-15',
      last: '2027-02-21',
    })
    expect(parsePeriod('2026-W01')?.first).toBe('2025-12-29')
    expect(parsePeriod('2026-W53')).toMatchObject({ first: '2026-12-28', last: '2027-01-03' })
    expect(parsePeriod('2027-W01')?.first).toBe('2027-01-04')
    expect(parsePeriod('2027-02-17')).toMatchObject({ view: 'week', first: '2027-02-17', last: '2027-02-23' })
  })

  it.each([
    '',
    '2027',
    '2027-13',
    '2027-00',
    '2027-2',
    '0000-01',
    '2027-W00',
    '2027-W54',
    '2027-W53',
    '2027-w07',
    '2027-W7',
    '2027-02-29',
    '2027-02-30',
    '2027-2-3',
    '2027-02-15T00:00',
    ' 2027-02',
    '2027-02 ',
    '12027-02',
    '٢٠٢٧-٠٢',
  ])('%j is not a period', (name) => {
    expect(parsePeriod(name)).toBeNull()
  })

  it('a week contains its day and begins on the given weekday', () => {
    check(fc.tuple(day, weekday), ([date, firstWeekday]) => {
      const week = weekOf(date, firstWeekday)
      expect(isWithin(date, week)).toBe(true)
      if (week.first === '0001-01-01' || week.last === '9999-12-31') return
      expect(weekdayOf(week.first)).toBe(firstWeekday)
      expect(countDays(week)).toBe(7)
      expect(parsePeriod(week.name)).toEqual(week)
    })
  })

  it('a month contains its day, and ends on the day before the next month', () => {
    check(day, (date) => {
      const month = monthPeriodOf(date)
      expect(isWithin(date, month)).toBe(true)
      expect(month.first).toMatch(/-01$/)
      expect(listDays(month).every((one) => one.startsWith(month.name) && isCalendarDay(one))).toBe(true)
      expect(addDays(month.last, 1)).toMatch(/-01$|^9999-12-31$/)
      expect(parsePeriod(month.name)).toEqual(month)
    })
  })

  it('the next period begins where one ends, and its previous period is the same again', () => {
    const period = fc
      .tuple(instant('0002-01-01', '9998-12-01'), fc.boolean(), weekday)
      .map(([ms, isWeek, firstWeekday]): Period => {
        const date = iso(ms).slice(0, 10)
        return isWeek ? weekOf(date, firstWeekday) : monthPeriodOf(date)
      })
    check(period, (one) => {
      const next = movePeriod(one, 1)
      expect(next.first).toBe(addDays(one.last, 1))
      expect(movePeriod(next, -1)).toEqual(one)
      expect(movePeriod(movePeriod(one, 5), -5)).toEqual(one)
    })
  })

  it('moving stays in the years 1 to 9999', () => {
    expect(movePeriod(monthPeriodOf('9999-12-05'), 1).name).toBe('9999-12')
    expect(movePeriod(monthPeriodOf('0001-01-05'), -1).name).toBe('0001-01')
    expect(movePeriod(weekOf('9999-12-31', 1), 1).first).toBe('9999-12-31')
    expect(movePeriod(weekOf('0001-01-03', 1), -1).first).toBe('0001-01-01')
  })

  it('the weeks of a month are complete, cover it, and are at most six', () => {
    check(fc.tuple(instant('0002-01-01', '9998-12-01'), weekday), ([ms, firstWeekday]) => {
      const month = monthPeriodOf(iso(ms).slice(0, 10))
      const weeks = weeksAround(month, firstWeekday)
      expect(weekdayOf(weeks.first)).toBe(firstWeekday)
      expect(countDays(weeks) % 7).toBe(0)
      expect(countDays(weeks)).toBeLessThanOrEqual(42)
      expect(weeks.first <= month.first && month.last <= weeks.last).toBe(true)
      expect(countDays({ first: weeks.first, last: month.first })).toBeLessThanOrEqual(7)
    })
  })
})

describe('the days of an event', () => {
  it('are local to the venue, not in UTC', () => {
    const days = (zoneName: string) =>
      range(daysOfEvent('2027-02-15T11:00:00.000Z', '2027-02-15T13:00:00.000Z', zoneName))
    expect(days('Etc/GMT+12')).toEqual({ first: '2027-02-14', last: '2027-02-15' })
    expect(days('Pacific/Kiritimati')).toEqual({ first: '2027-02-16', last: '2027-02-16' })
    expect(days('Europe/Berlin')).toEqual({ first: '2027-02-15', last: '2027-02-15' })
    expect(days('Pacific/Auckland')).toEqual({ first: '2027-02-16', last: '2027-02-16' })
  })

  it('do not include a day that begins at its end', () => {
    const until = (end: string) => daysOfEvent('2027-02-15T17:00:00.000Z', end, 'Europe/Berlin')
    expect(until('2027-02-15T23:00:00.000Z').last).toBe('2027-02-15')
    expect(until('2027-02-15T23:00:00.001Z').last).toBe('2027-02-16')
    expect(until('2027-02-17T23:00:00.000Z').last).toBe('2027-02-17')
  })

  it('are one day for an event without duration, or that ends before it starts', () => {
    const one = { first: '2027-02-15', last: '2027-02-15' }
    expect(daysOfEvent('2027-02-14T23:00:00Z', '2027-02-14T23:00:00Z', 'Europe/Berlin')).toEqual(one)
    expect(daysOfEvent('2027-02-15T12:00:00Z', '2027-02-11T12:00:00Z', 'Europe/Berlin')).toEqual(one)
  })

  it('follow changes to and from daylight saving time', () => {
    // 28 March 2027 has 23 hours in Berlin, 31 October 25.
    expect(daysOfEvent('2027-03-27T23:00:00Z', '2027-03-28T22:00:00Z', 'Europe/Berlin')).toEqual({
      first: '2027-03-28',
      last: '2027-03-28',
    })
    expect(daysOfEvent('2027-10-30T22:00:00Z', '2027-10-31T23:00:00Z', 'Europe/Berlin')).toEqual({
      first: '2027-10-31',
      last: '2027-10-31',
    })
    expect(daysOfEvent('2027-10-30T22:00:00Z', '2027-10-31T23:00:00.001Z', 'Europe/Berlin').last).toBe(
      '2027-11-01',
    )
    // Samoa skipped 30 December 2011.
    expect(daysOfEvent('2011-12-30T09:00:00Z', '2011-12-30T12:00:00Z', 'Pacific/Apia')).toEqual({
      first: '2011-12-29',
      last: '2011-12-31',
    })
  })

  it('are in UTC for an unknown time zone', () => {
    expect(localDay(Date.parse('2027-02-15T23:59:59.999Z'), 'Mars/Olympus_Mons')).toBe('2027-02-15')
  })

  it('are valid days in order, at most a day from those in UTC', () => {
    check(fc.tuple(anyInstant, fc.nat(40 * DAY_MS), zone), ([start, lengthMs, zoneName]) => {
      const end = Math.min(start + lengthMs, Date.parse('9999-12-31T23:59:59.999Z'))
      const { first, last } = daysOfEvent(iso(start), iso(end), zoneName)
      expect(isCalendarDay(first) && isCalendarDay(last) && first <= last).toBe(true)
      const utc = iso(start).slice(0, 10)
      expect(first >= addDays(utc, -1) && first <= addDays(utc, 1)).toBe(true)
      expect(last <= addDays(iso(end).slice(0, 10), 1)).toBe(true)
    })
  })

  it('the instants of a range of days include every event on one of them in any zone', () => {
    const near = fc.integer({ min: -3 * DAY_MS, max: 9 * DAY_MS })
    const start = fc.oneof(
      anyInstant,
      instant('1840-01-01', '1870-01-01'),
      instant('1970-01-01', '2040-01-01'),
    )
    const length = fc.oneof(fc.constant(0), fc.nat(DAY_MS), fc.nat(10 * DAY_MS))
    let insideCount = 0
    check(fc.tuple(start, near, length, zone), ([ms, offsetMs, lengthMs, zoneName]) => {
      const eventStart = Math.min(Math.max(ms + offsetMs, Date.parse('0001-01-01')), Date.parse('9999-12-31'))
      const eventEnd = Math.min(eventStart + lengthMs, Date.parse('9999-12-31T23:59:59.999Z'))
      const week = weekOf(iso(ms).slice(0, 10), 1)
      if (!doOverlap(daysOfEvent(iso(eventStart), iso(eventEnd), zoneName), week)) return
      insideCount++
      const { from, before } = instantsOf(week)
      expect(eventStart < Date.parse(before)).toBe(true)
      expect(eventStart >= Date.parse(from) || eventEnd > Date.parse(from)).toBe(true)
    })
    expect(insideCount).toBeGreaterThan(numRuns / 4)
  })
})
