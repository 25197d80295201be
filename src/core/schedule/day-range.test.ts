import { describe, expect, it } from 'vitest'
import { addDays, doOverlap, instantsOf, isCalendarDay, isWithin, parsePeriod } from './agenda.ts'

const RANGE = { first: '2027-02-10', last: '2027-02-20' }

describe('a range of days', () => {
  it.each([
    ['2027-02-09', false],
    ['2027-02-10', true],
    ['2027-02-20', true],
    ['2027-02-21', false],
  ])('includes %s: %s', (day, isInside) => {
    expect(isWithin(day, RANGE)).toBe(isInside)
  })

  it.each([
    ['2027-02-01', '2027-02-09', false],
    ['2027-02-01', '2027-02-10', true],
    ['2027-02-20', '2027-02-28', true],
    ['2027-02-21', '2027-02-28', false],
  ])('overlaps with %s to %s: %s', (first, last, overlaps) => {
    expect(doOverlap(RANGE, { first, last })).toBe(overlaps)
    expect(doOverlap({ first, last }, RANGE)).toBe(overlaps)
  })

  it('has instants that cover its days in every time zone', () => {
    expect(instantsOf(RANGE)).toEqual({
      from: '2027-02-09T08:00:00.000Z',
      before: '2027-02-21T16:00:00.000Z',
    })
  })

  it('has no instants outside the years 0001 to 9999', () => {
    expect(instantsOf({ first: '0001-01-01', last: '9999-12-31' })).toEqual({
      from: '0001-01-01T00:00:00.000Z',
      before: '9999-12-31T23:59:59.999Z',
    })
  })
})

describe('a calendar day', () => {
  it.each(['x2027-02-15', '2027-02-15x', '2027-02-30', '2027-2-15', ''])('cannot be %j', (text) => {
    expect(isCalendarDay(text)).toBe(false)
  })

  it('stays in the years 0001 to 9999', () => {
    expect(addDays('0001-01-02', -1)).toBe('0001-01-01')
    expect(addDays('0001-01-01', -1)).toBe('0001-01-01')
    expect(addDays('9999-12-30', 1)).toBe('9999-12-31')
    expect(addDays('9999-12-31', 1)).toBe('9999-12-31')
  })
})

describe('a period', () => {
  it.each(['x2027-W07', '2027-W07x', '2027-W7', '2027-W00', '2027-W54', '2027-W53', '0000-W01', '2027-13'])(
    'cannot be %j',
    (name) => {
      expect(parsePeriod(name)).toBeNull()
    },
  )

  it('can be week 53 of a year with 53 weeks', () => {
    expect(parsePeriod('2026-W53')).toMatchObject({ first: '2026-12-28', last: '2027-01-03' })
  })
})
