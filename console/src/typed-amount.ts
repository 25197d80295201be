/** Amounts as people type them: with the signs of their language, grouped or not. Pure; the browser says the signs. */

export interface NumberSigns {
  /** Before the fraction: `.` or `,`. */
  decimal: string
  /** Between groups of three: `,`, `.`, a blank, an apostrophe. */
  group: string
}

const BLANKS = /[\s\u00a0\u202f'’]/g

/**
 * What was typed, in units of 10^-digits; null where it is no amount, or where it could be read in two ways. `1,000` is a
 * thousand where the comma groups, and one where it is the decimal sign; nowhere is it guessed.
 */
export function parseTypedAmount(text: string, digits: number, signs: NumberSigns): bigint | null {
  const plain = text.trim().replaceAll(BLANKS, '')
  if (!/^[\d.,]{1,30}$/.test(plain)) return null
  const decimal = decimalSignOf(plain, signs)
  const [whole = '', fraction = '', ...more] = decimal === '' ? [plain] : plain.split(decimal)
  if (more.length > 0 || fraction.length > digits || !/^\d*$/.test(fraction)) return null
  const ungrouped = withoutGroups(whole)
  return ungrouped === null ? null : BigInt(ungrouped + fraction.padEnd(digits, '0'))
}

/** Empty if there is no fraction. */
function decimalSignOf(text: string, signs: NumberSigns): string {
  const last = text.search(/[.,][^.,]*$/)
  if (last === -1) return ''
  const sign = text[last] ?? ''
  const others = text.slice(0, last)
  // Of two different signs the last one is before the fraction.
  if (/[.,]/.test(others)) return others.includes(sign) ? '' : sign
  if (sign === signs.decimal) return sign
  // The other sign groups, where what is around it looks like that.
  return withoutGroups(text) === null ? sign : ''
}

/** Digits alone, or in groups of three by one sign. */
function withoutGroups(text: string): string | null {
  if (/^\d+$/.test(text)) return text
  const isGrouped = /^\d{1,3}(?:,\d{3})+$/.test(text) || /^\d{1,3}(?:\.\d{3})+$/.test(text)
  return isGrouped ? text.replaceAll(/[.,]/g, '') : null
}
