import { describe, expect, it } from 'vitest'
import { parseCount } from './draft-details.ts'

describe('a typed count', () => {
  it.each([
    ['', 0],
    [' 120 ', 120],
    ['1,250', 1_250],
    ['1.250', 1_250],
    ['1\u202f250', 1_250],
    ["1'250'000", 1_250_000],
    ['2147483647', 2_147_483_647],
  ])('%j is parsed as %i', (text, count) => {
    expect(parseCount(text)).toBe(count)
  })

  it.each(['12.5', '12,50', '1.2500', '1,250.000', '1,,250', '1250,000', '-1', '12 guests', '2147483648'])(
    '%j is rejected',
    (text) => {
      expect(parseCount(text)).toBeNull()
    },
  )
})
