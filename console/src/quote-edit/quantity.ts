/** Quantities in the user's notation. They are stored and sent as plain decimals: `1250.5`. */
import { isQuantity } from '../../../src/core/quotes/quote-edit.ts'
import { locales } from '../format.ts'

const FORMAT = new Intl.NumberFormat(locales, { numberingSystem: 'latn', maximumFractionDigits: 4 })
const parts = new Intl.NumberFormat(locales, { numberingSystem: 'latn' }).formatToParts(1_234_567.5)
const signOf = (type: 'group' | 'decimal', usual: string) =>
  parts.find((part) => part.type === type)?.value ?? usual
const DECIMAL = signOf('decimal', '.')
const GROUP = signOf('group', '')

/** A plain decimal as a user would type it. */
export function typedQuantity(plain: string): string {
  return plain.replace('.', DECIMAL)
}

/** How a quantity is shown while its field is not edited: `1,250.5`. Invalid text stays as typed. */
export function shownQuantity(text: string): string {
  const quantity = parseQuantity(text)
  return isQuantity(quantity) ? FORMAT.format(quantity as Intl.StringNumericLiteral) : text
}

/**
 * The typed text as a plain decimal, or unchanged if it is invalid. `1,000` is a thousand if the locale writes thousands
 * so. Any other point or comma is the decimal separator.
 */
export function parseQuantity(text: string): string {
  const tight = text.trim().replaceAll(/[\s\u00a0\u202f'’]/g, '')
  const [whole = '', ...rest] = tight.split(DECIMAL)
  const groups = GROUP === '' ? [whole] : whole.split(GROUP)
  const isGrouped =
    groups.length > 1 &&
    rest.length < 2 &&
    /^[1-9]\d{0,2}$/.test(groups[0] ?? '') &&
    groups.slice(1).every((group) => /^\d{3}$/.test(group))
  if (isGrouped) return [groups.join(''), ...rest].join('.')
  return tight.replace(DECIMAL, '.').replace(/[.,]/, '.')
}
