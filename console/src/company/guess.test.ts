import { describe, expect, it } from 'vitest'
import { currencyOf, guessCountry } from './guess.ts'

describe('guesses for a new company', () => {
  it.each([
    [['en-US', 'en'], 'US'],
    [['de', 'de-CH'], 'CH'],
    [['pt'], 'BR'],
    [['es-419'], null],
    [[], null],
  ])('the country of %j is %s', (languages, country) => {
    expect(guessCountry(languages)).toBe(country)
  })

  it.each([
    ['PT', 'EUR'],
    ['JP', 'JPY'],
    ['LI', 'CHF'],
    ['AQ', null],
  ])('the currency of %s is %s', (country, currency) => expect(currencyOf(country)).toBe(currency))
})
