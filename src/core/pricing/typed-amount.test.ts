import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseTypedAmount } from './typed-amount.ts'

const EN = { decimal: '.', group: ',' }
const DE = { decimal: ',', group: '.' }
const FR = { decimal: ',', group: '\u202f' }
const CH = { decimal: '.', group: '’' }

describe('typed amounts', () => {
  it.each([
    ['1250', 2, EN, 125_000n],
    ['1250.5', 2, EN, 125_050n],
    ['1,250.50', 2, EN, 125_050n],
    ['1.250,50', 2, DE, 125_050n],
    ['1250,50', 2, DE, 125_050n],
    // Pasted amounts in another locale are accepted if they are unambiguous.
    ['1.250,50', 2, EN, 125_050n],
    ['1,250.50', 2, DE, 125_050n],
    ['12,5', 2, EN, 1_250n],
    ['12.5', 2, DE, 1_250n],
    // With three digits of minor units, a grouped thousand is a thousand.
    ['1,000', 3, EN, 1_000_000n],
    ['1.000', 3, EN, 1_000n],
    ['1.000', 3, DE, 1_000_000n],
    ['1,000', 3, DE, 1_000n],
    ['1,000', 2, EN, 100_000n],
    ['1.000', 2, DE, 100_000n],
    ['1 250,50', 2, FR, 125_050n],
    ['1\u202f250,50', 2, FR, 125_050n],
    ['1’250.50', 2, CH, 125_050n],
    ['1,234,567', 0, EN, 1_234_567n],
    [' 7 ', 2, EN, 700n],
    ['7.', 2, EN, 700n],
    ['0', 2, EN, 0n],
  ] as const)('%j with %i digits is %o: %s', (text, digits, signs, amount) => {
    expect(parseTypedAmount(text, digits, signs)).toBe(amount)
  })

  it.each([
    ['', 2, EN],
    ['.', 2, EN],
    ['.5', 2, EN],
    ['-5', 2, EN],
    ['1e3', 2, EN],
    ['1.005', 2, EN],
    ['1.5', 0, EN],
    ['1,00,000', 2, EN],
    ['1.2.3', 2, EN],
    ['1,250,5', 2, EN],
    ['1.250.50', 2, DE],
    ['12,34.567,8', 2, EN],
    ['$5', 2, EN],
    ['٣', 2, EN],
    ['9'.repeat(40), 2, EN],
  ] as const)('%j with %i digits is not an amount', (text, digits, signs) => {
    expect(parseTypedAmount(text, digits, signs)).toBeNull()
  })

  it.each(['en-US', 'de-DE', 'fr-FR', 'de-CH', 'pt-BR', 'ja-JP', 'sv-SE', 'pl-PL'])(
    'parses a formatted amount in %s, grouped or not',
    (locale) => {
      const parts = new Intl.NumberFormat(locale).formatToParts(1_234_567.8)
      const signOf = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
      const signs = { decimal: signOf('decimal'), group: signOf('group') }
      fc.assert(
        fc.property(
          fc.bigInt(0n, 100_000_000_000n),
          fc.constantFrom(0, 2, 3),
          fc.boolean(),
          (cents, digits, grouped) => {
            const text = String(cents).padStart(digits + 1, '0')
            const decimal = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
            const printed = new Intl.NumberFormat(locale, {
              minimumFractionDigits: digits,
              maximumFractionDigits: digits,
              useGrouping: grouped,
            }).format(decimal as Intl.StringNumericLiteral)
            expect(parseTypedAmount(printed, digits, signs)).toBe(cents)
          },
        ),
      )
    },
  )
})
