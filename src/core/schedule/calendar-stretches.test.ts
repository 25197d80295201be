import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calendarStretches } from './calendar-stretches.ts'

const DAY = 86_400_000
const FIRST = Date.parse('0001-01-01T00:00:00Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')
const LEVELS = 5

/** The stretches of a day, one for each level, like the database function `stretches_of`. */
function stretchesOf(day: number): number[] {
  return Array.from({ length: LEVELS }, (_, level) => level * 2 ** 26 + Math.floor(day / 32 ** level))
}

const times = fc.integer({ min: FIRST, max: LAST })
const near = fc.integer({ min: -400 * DAY, max: 400 * DAY })

/** Ranges of any length, including empty and unbounded ones. */
const ranges = fc.oneof(
  fc.record({ from: times, before: times }),
  fc.tuple(times, near).map(([from, length]) => ({ from, before: from + length })),
  fc.record({ from: fc.constant(-Infinity), before: times }),
  fc.record({ from: times, before: fc.constant(Infinity) }),
  fc.constant({ from: -Infinity, before: Infinity }),
)

describe('the stretches of a time range', () => {
  it('contain every instant of it once, and others only in partial days', () => {
    fc.assert(
      fc.property(ranges, times, near, ({ from, before }, anywhere, offset) => {
        const { whole, partial } = calendarStretches({ from, before })
        const edge = Number.isFinite(from) ? from : before
        const close = Number.isFinite(edge) ? Math.min(Math.max(edge + offset, FIRST), LAST) : anywhere
        for (const time of [anywhere, close]) {
          const stretches = stretchesOf(Math.floor((time - FIRST) / DAY))
          const inWhole = whole.filter((stretch) => stretches.includes(stretch)).length
          const inPartial = partial.filter((stretch) => stretches.includes(stretch)).length
          expect(inWhole + inPartial).toBeLessThanOrEqual(1)
          const isInside = time >= from && time < before
          expect(isInside ? inWhole + inPartial : inWhole).toBe(isInside ? 1 : 0)
        }
      }),
    )
  })

  it('are few for any range', () => {
    fc.assert(
      fc.property(ranges, (range) => {
        const { whole, partial } = calendarStretches(range)
        expect(whole.length).toBeLessThanOrEqual(2 * 31 * 4 + 4)
        expect(partial.length).toBeLessThanOrEqual(2)
        expect(new Set([...whole, ...partial]).size).toBe(whole.length + partial.length)
      }),
    )
  })

  it.each([
    ['an unbounded range', -Infinity, Infinity, 4, 0],
    ['an empty range', Date.UTC(2026, 0), Date.UTC(2026, 0), 0, 0],
    ['a reversed range', Date.UTC(2026, 1), Date.UTC(2026, 0), 0, 0],
    ['one whole day', Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 2), 1, 0],
    ['an hour', Date.UTC(2026, 0, 1, 5), Date.UTC(2026, 0, 1, 6), 0, 1],
    ['two halves of days', Date.UTC(2026, 0, 1, 12), Date.UTC(2026, 0, 2, 12), 0, 2],
    ['a range before the year 1', FIRST - 5 * DAY, FIRST, 0, 0],
  ])('%s', (_, from, before, whole, partial) => {
    const stretches = calendarStretches({ from, before })
    expect(stretches.whole).toHaveLength(whole)
    expect(stretches.partial).toHaveLength(partial)
  })
})
