import { array, assert, integer, property } from 'fast-check'
import { expect, it } from 'vitest'
import { isoNow } from './iso-now.ts'

const YEAR_10000 = Date.UTC(10_000, 0)

it('is the ISO text of any time, whatever was asked before', () => {
  const times = array(integer({ min: -YEAR_10000, max: YEAR_10000 }), { minLength: 1 })
  assert(
    property(times, integer({ min: 0, max: 1000 }), (first, later) => {
      for (const time of first.flatMap((each) => [each, each + later])) {
        expect(isoNow(time)).toBe(new Date(time).toISOString())
      }
    }),
  )
})

it('is the present time when none is given', () => {
  const before = Date.now()
  const now = Date.parse(isoNow())
  expect(now).toBeGreaterThanOrEqual(before)
  expect(now).toBeLessThanOrEqual(Date.now())
})
