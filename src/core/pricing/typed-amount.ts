/** Parses typed amounts with the separators of the user's locale. Pure: the caller passes the separators. */

export interface NumberSigns {
  /** Before the fraction: `.` or `,`. */
  decimal: string
  /** Between groups of three: `,`, `.`, a blank, an apostrophe. */
  group: string
}

const BLANKS = /[\s\u00a0\u202f'’]/g

/**
 * The amount in units of 10^-digits. Null if it is invalid or ambiguous. `1,000` is a thousand if the comma is the group
 * separator, and one if it is the decimal separator.
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
  // The last of two different separators is the decimal one.
  if (/[.,]/.test(others)) return others.includes(sign) ? '' : sign
  if (sign === signs.decimal) return sign
  // The other separator forms groups if the digits fit.
  return withoutGroups(text) === null ? sign : ''
}

/** Only digits, or groups of three with one separator. */
function withoutGroups(text: string): string | null {
  if (/^\d+$/.test(text)) return text
  const isGrouped = /^\d{1,3}(?:,\d{3})+$/.test(text) || /^\d{1,3}(?:\.\d{3})+$/.test(text)
  return isGrouped ? text.replaceAll(/[.,]/g, '') : null
}
