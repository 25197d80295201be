/** Values of a company's profile: color, country and locale. */
import { describe, expect, it } from 'vitest'
import { colorProblem, contrastWithWhite, parseColor } from './accent-color.ts'
import { isCountryCode } from './countries.ts'
import { parseLocale } from './locale.ts'

describe('an accent color', () => {
  it('has the contrast of WCAG', () => {
    expect(contrastWithWhite('#000000')).toBeCloseTo(21)
    expect(contrastWithWhite('#ffffff')).toBeCloseTo(1)
    expect(contrastWithWhite('#767676')).toBeCloseTo(4.54, 2)
  })

  it('must be readable on white', () => {
    expect(colorProblem('#767676')).toBeNull()
    expect(colorProblem('#777777')).toMatch(/its contrast is 4\.4 to 1\. .* 4\.5 to 1/)
  })

  it.each(['', 'red', '#fff', '#12345g', '1f6f5c', '#1f6f5c '])('cannot be %j', (text) => {
    expect(parseColor(text)).toBeNull()
    expect(colorProblem(text)).toBe('Enter a color such as #1f6f5c.')
  })

  it('is stored in lower case', () => expect(parseColor('#1F6F5C')).toBe('#1f6f5c'))
})

describe('a country', () => {
  it.each([
    ['US', true],
    ['PT', true],
    ['us', false],
    ['EU', false],
    ['XX', false],
    ['', false],
  ])('%j is valid: %s', (text, isCountry) => expect(isCountryCode(text)).toBe(isCountry))
})

describe('a locale', () => {
  it.each([
    ['en-US', 'en-US'],
    ['de-ch', 'de-CH'],
    ['zh-Hant-TW', 'zh-Hant-TW'],
    ['', null],
    ['english', null],
    ['en_US', null],
    ['xx-XX', null],
    ['x'.repeat(1_000), null],
  ])('%j is parsed as %j', (text, locale) => expect(parseLocale(text)).toBe(locale))
})
