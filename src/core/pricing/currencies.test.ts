import { describe, expect, it } from 'vitest'
import { decimalAmount, isCurrencyCode, minorDigits } from './currencies.ts'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')
const known = LETTERS.flatMap((a) => LETTERS.flatMap((b) => LETTERS.map((c) => a + b + c))).filter(
  isCurrencyCode,
)

describe('ISO 4217', () => {
  it.each(['USD', 'EUR', 'GBP', 'JPY', 'CHF', 'SEK', 'KWD', 'TND', 'CLF', 'UYW', 'ZWG', 'XCG', 'XXX'])(
    'has %s',
    (code) => {
      expect(isCurrencyCode(code)).toBe(true)
    },
  )

  it.each([
    '',
    'usd',
    'Usd',
    'US',
    'USDX',
    ' USD',
    'USD ',
    'DEM',
    'FRF',
    'ITL',
    'HRK',
    'XYZ',
    'AAA',
    '840',
    '$',
  ])('does not have %j', (code) => {
    expect(isCurrencyCode(code)).toBe(false)
  })

  it.each(['constructor', 'toString', '__proto__', 'has'])('does not accept %s', (name) => {
    expect(isCurrencyCode(name)).toBe(false)
  })

  it('has only codes that Intl knows, or that are newer than its data', () => {
    const names = new Intl.DisplayNames('en', { type: 'currency', fallback: 'none' })
    const nameless = known.filter((code) => names.of(code) === undefined)
    expect(['XAD', 'XCG', 'ZWG']).toEqual(expect.arrayContaining(nameless))
    expect(known.length).toBeGreaterThan(170)
    expect(known.length).toBeLessThan(190)
  })
})

describe('P25: minor units', () => {
  it.each([
    ['JPY', 0],
    ['KRW', 0],
    ['USD', 2],
    ['HUF', 2],
    ['IDR', 2],
    ['KWD', 3],
    ['IQD', 3],
    ['CLF', 4],
    ['ABC', 2],
  ])('%s has %i digits', (code, digits) => {
    expect(minorDigits(code)).toBe(digits)
  })

  it.each([
    [0, 'USD', '0.00'],
    [5, 'USD', '0.05'],
    [1234567, 'USD', '12345.67'],
    [1234567, 'JPY', '1234567'],
    [0, 'JPY', '0'],
    [1234567, 'KWD', '1234.567'],
    [7, 'KWD', '0.007'],
    [7, 'UYW', '0.0007'],
    [Number.MAX_SAFE_INTEGER, 'USD', '90071992547409.91'],
  ])('%i of %s is %s', (cents, code, text) => {
    expect(decimalAmount(cents, code)).toBe(text)
  })
})
