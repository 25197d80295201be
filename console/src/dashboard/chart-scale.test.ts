import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bandsOf, barHeight, niceTicks, shownLabels } from './chart-scale.ts'

const largest = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })

describe('ticks', () => {
  it.each([
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [4, [0, 1, 2, 3, 4]],
    [5, [0, 2, 4, 6]],
    [9, [0, 5, 10]],
    [100, [0, 50, 100]],
    [101, [0, 50, 100, 150]],
    [1_234_567, [0, 500_000, 1_000_000, 1_500_000]],
    [4_000_000, [0, 1_000_000, 2_000_000, 3_000_000, 4_000_000]],
  ])('of %i are %j', (value, ticks) => {
    expect(niceTicks(value, 4)).toEqual(ticks)
  })

  it('are [0] without values', () => {
    expect(niceTicks(0, 4)).toEqual([0])
  })

  it('exceed the largest value by less than a step, in few integer and round steps', () => {
    fc.assert(
      fc.property(largest, fc.integer({ min: 1, max: 10 }), (value, stepsMax) => {
        const ticks = niceTicks(value, stepsMax)
        const [first, step = 0] = ticks
        const last = ticks.at(-1) ?? 0
        expect(first).toBe(0)
        expect(ticks).toEqual(ticks.map((_, i) => i * step))
        expect(String(step)).toMatch(/^[125]0*$|^[125]e\+\d+$/)
        expect(last).toBeGreaterThanOrEqual(value)
        expect(last - step).toBeLessThan(value)
        expect(ticks.length - 1).toBeLessThanOrEqual(stepsMax)
      }),
    )
  })
})

describe('a bar', () => {
  it('is proportional to the top', () => {
    expect(barHeight(50, 200, 100)).toBe(25)
    expect(barHeight(200, 200, 100)).toBe(100)
  })

  it('is visible for a small value, but not for 0', () => {
    expect(barHeight(1, 1_000_000, 100)).toBe(1)
    expect(barHeight(0, 1_000_000, 100)).toBe(0)
    expect(barHeight(0, 0, 100)).toBe(0)
  })
})

describe('bands', () => {
  it('share the width, with the bar in the middle', () => {
    const bands = bandsOf(4, 200)
    expect(bands.map(({ start, width }) => [start, width])).toEqual([
      [0, 50],
      [50, 50],
      [100, 50],
      [150, 50],
    ])
    for (const { start, width, center, barStart, barWidth } of bands) {
      expect(center).toBe(start + width / 2)
      expect(barStart).toBeCloseTo(center - barWidth / 2)
      expect(barWidth).toBeCloseTo(31)
    }
  })

  it('limit the width of bars', () => {
    expect(bandsOf(2, 1_000).map(({ barWidth }) => barWidth)).toEqual([44, 44])
  })
})

describe('labels', () => {
  it('are all shown if they fit, otherwise every second or third and the last', () => {
    expect(shownLabels(4, 160, 40)).toEqual([true, true, true, true])
    expect(shownLabels(4, 159, 40)).toEqual([false, true, false, true])
    expect(shownLabels(4, 60, 40)).toEqual([true, false, false, true])
  })
})
