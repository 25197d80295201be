import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { HUNDRED_PERCENT, allocate, halfUp, parseCents, parsePercent, percentOf, toNumber } from './money.ts'

const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 1000)
vi.setConfig({ testTimeout: 10_000 + numRuns * 20 })

function check<T>(arbitrary: fc.Arbitrary<T>, predicate: (value: T) => void): void {
  fc.assert(fc.property(arbitrary, predicate), { numRuns })
}

const sum = (values: readonly bigint[]) => values.reduce((a, b) => a + b, 0n)
const natural = (max: bigint) => fc.bigInt({ min: 0n, max })

describe('P5: parsePercent', () => {
  it.each([
    ['0', 0n],
    ['8.875', 8_875_000n],
    ['8.875000', 8_875_000n],
    ['0.000001', 1n],
    ['007.5', 7_500_000n],
    ['100', HUNDRED_PERCENT],
    ['999.999999', 999_999_999n],
  ])('reads %s in millionths of one percent', (text, millionths) => {
    expect(parsePercent(text)).toBe(millionths)
  })

  it.each([
    '',
    '.5',
    '5.',
    '-1',
    '+1',
    '1000',
    '1.0000000',
    '1e2',
    '1,5',
    ' 1',
    '1 ',
    '1\n',
    '1.2.3',
    'x1',
    '٣',
  ])('rejects %j', (text) => {
    expect(() => parsePercent(text)).toThrow(new RangeError(`Not a percentage: ${text}`))
  })

  it('rejects a missing percentage', () => {
    expect(() => parsePercent(null)).toThrow(new RangeError('Not a percentage: null'))
  })

  it('reads every percentage with six decimals exactly', () => {
    check(fc.tuple(fc.nat(999), fc.nat(999_999)), ([whole, fraction]) => {
      const text = `${whole}.${String(fraction).padStart(6, '0')}`
      expect(parsePercent(text)).toBe(BigInt(whole) * 1_000_000n + BigInt(fraction))
      expect(parsePercent(text.replace(/\.?0+$/, '') || '0')).toBe(parsePercent(text))
    })
  })
})

describe('P5: parseCents and toNumber', () => {
  it.each([0, 1, 10 ** 11, Number.MAX_SAFE_INTEGER])('keep %d', (value) => {
    expect(parseCents(value)).toBe(BigInt(value))
    expect(toNumber(BigInt(value))).toBe(value)
  })

  it.each([-1, 0.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, null])(
    'reject %s as an amount',
    (value) => {
      expect(() => parseCents(value)).toThrow(new RangeError(`Not an amount in minor units: ${value}`))
    },
  )

  it('reject a figure that a number cannot represent exactly', () => {
    expect(() => toNumber(2n ** 53n)).toThrow(
      new RangeError('Too large for an exact number: 9007199254740992'),
    )
  })
})

describe('P6: halfUp and percentOf', () => {
  it.each([
    ['round down just below a half', 49n, 1n, 100n, 0n],
    ['round up exactly a half', 50n, 1n, 100n, 1n],
    ['round up an odd half', 3n, 1n, 2n, 2n],
    ['round up an even half', 5n, 1n, 2n, 3n],
    ['round up just above a half', 51n, 1n, 100n, 1n],
    ['round down below a half with an odd divisor', 1n, 1n, 3n, 0n],
    ['round up above a half with an odd divisor', 2n, 1n, 3n, 1n],
    ['keep an exact quotient', 6n, 7n, 21n, 2n],
  ])('%s', (_, a, b, c, expected) => {
    expect(halfUp(a, b, c)).toBe(expected)
  })

  it('round 532.5 to 533 and 61.5 to 62', () => {
    expect(percentOf(6000n, parsePercent('8.875'))).toBe(533n)
    expect(percentOf(600n, parsePercent('10.25'))).toBe(62n)
    expect(percentOf(1n, parsePercent('49.999999'))).toBe(0n)
    expect(percentOf(1n, parsePercent('50'))).toBe(1n)
  })

  it('return the only integer q with q - 1/2 <= a * b / c < q + 1/2', () => {
    check(fc.tuple(natural(10n ** 14n), natural(10n ** 9n), natural(10n ** 14n)), ([a, b, d]) => {
      const c = d + 1n
      const q = halfUp(a, b, c)
      expect((2n * q - 1n) * c <= 2n * a * b && 2n * a * b < (2n * q + 1n) * c).toBe(true)
    })
  })

  it('return the whole amount at 100 % and 0 at 0 %', () => {
    check(natural(10n ** 14n), (cents) => {
      expect(percentOf(cents, HUNDRED_PERCENT)).toBe(cents)
      expect(percentOf(cents, 0n)).toBe(0n)
    })
  })
})

describe('P10: allocate', () => {
  const split = fc
    .array(fc.oneof(natural(3n), natural(10n ** 11n)), { maxLength: 12 })
    .chain((weights) => fc.tuple(natural(sum(weights)), fc.constant(weights)))

  it('gives the spare unit to the largest remainder', () => {
    expect(allocate(7302n, [0n, 50000n, 7500n])).toEqual([0n, 6350n, 952n])
    expect(allocate(5n, [1n, 2n, 4n])).toEqual([1n, 1n, 3n])
  })

  it('orders equal remainders by position', () => {
    expect(allocate(769n, [10000n, 10000n, 10000n])).toEqual([257n, 256n, 256n])
    expect(allocate(2n, [1n, 1n, 1n])).toEqual([1n, 1n, 0n])
    expect(allocate(2n, [1n, 2n, 1n])).toEqual([1n, 1n, 0n])
  })

  it('returns zeros for an amount of 0', () => {
    expect(allocate(0n, [])).toEqual([])
    expect(allocate(0n, [0n, 0n])).toEqual([0n, 0n])
    expect(allocate(0n, [5n, 3n])).toEqual([0n, 0n])
  })

  it('rejects an amount without weights', () => {
    expect(() => allocate(1n, [0n, 0n])).toThrow(RangeError)
  })

  it('distributes the exact amount', () => {
    check(split, ([total, weights]) => {
      expect(sum(allocate(total, weights))).toBe(total)
    })
  })

  it('gives at most the weight, and 0 to a zero weight', () => {
    check(split, ([total, weights]) => {
      const shares = allocate(total, weights)
      expect(shares).toHaveLength(weights.length)
      expect(shares.every((share, i) => share >= 0n && share <= (weights[i] ?? -1n))).toBe(true)
    })
  })

  it('differs by less than one unit from the exact share, and rounds up only the largest remainders', () => {
    check(split, ([total, weights]) => {
      const all = sum(weights)
      const excess = allocate(total, weights).map((share, i) => share * all - total * (weights[i] ?? 0n))
      const up = excess.filter((rest) => rest > 0n)
      const down = excess.filter((rest) => rest <= 0n)
      expect(excess.every((rest) => -all < rest && rest < all) || all === 0n).toBe(true)
      expect(up.every((rest) => down.every((other) => all - rest >= -other))).toBe(true)
    })
  })
})
