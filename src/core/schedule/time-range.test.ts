import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { postgresTime, timeRange } from './time-range.ts'
import type { TimeBounds } from './time-range.ts'

/** Formats microseconds since 1970 like `parseDateTime`. */
function instantOf(microseconds: bigint): string {
  const milliseconds = Number(microseconds / 1000n)
  return `${new Date(milliseconds).toISOString().slice(0, 23)}${String(microseconds % 1000n).padStart(3, '0')}Z`
}

const START = 1_760_000_000_000_000n
const instants = fc.bigInt({ min: START, max: START + 5_000n })

describe('a range of whole milliseconds', () => {
  it('contains exactly the stored times that satisfy every bound', () => {
    const bounds = fc.record(
      { gt: instants, gte: instants, lt: instants, lte: instants },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(bounds, (given) => {
        const texts: TimeBounds = Object.fromEntries(
          Object.entries(given).map(([name, instant]) => [name, instantOf(instant)]),
        )
        const range = timeRange(texts)
        for (let stored = START - 1_000n; stored <= START + 7_000n; stored += 1_000n) {
          const satisfies =
            (given.gt === undefined || stored > given.gt) &&
            (given.gte === undefined || stored >= given.gte) &&
            (given.lt === undefined || stored < given.lt) &&
            (given.lte === undefined || stored <= given.lte)
          const milliseconds = Number(stored / 1000n)
          const isInside = range === null || (milliseconds >= range.from && milliseconds < range.before)
          expect(isInside).toBe(satisfies)
        }
      }),
    )
  })

  it.each([
    ['gt', 1_001, Infinity],
    ['gte', 1_000, Infinity],
    ['lt', -Infinity, 1_000],
    ['lte', -Infinity, 1_001],
  ])('can have only the bound %s', (name, from, before) => {
    expect(timeRange({ [name]: '1970-01-01T00:00:01.000000Z' })).toEqual({ from, before })
  })

  it('is null without a bound', () => {
    expect(timeRange({})).toBeNull()
    expect(timeRange({ gt: undefined, lte: undefined })).toBeNull()
  })
})

describe('a time for PostgreSQL', () => {
  it.each([
    [-Infinity, '-infinity'],
    [Infinity, 'infinity'],
    [Date.parse('9999-12-31T23:59:59.999Z') + 1, 'infinity'],
    [Date.parse('9999-12-31T23:59:59.999Z'), '9999-12-31T23:59:59.999Z'],
    [Date.parse('0001-01-01T00:00:00.000Z'), '0001-01-01T00:00:00.000Z'],
  ])('%d is %s', (milliseconds, text) => {
    expect(postgresTime(milliseconds)).toBe(text)
  })
})
