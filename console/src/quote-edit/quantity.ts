/** Quantities as the user's language writes them. What is stored and sent is a plain decimal: `1250.5`. */
import { locales } from '../format.ts'

const parts = new Intl.NumberFormat(locales, { numberingSystem: 'latn' }).formatToParts(1_234_567.5)
const signOf = (type: 'group' | 'decimal', usual: string) =>
  parts.find((part) => part.type === type)?.value ?? usual
const DECIMAL = signOf('decimal', '.')
const GROUP = signOf('group', '')

/** A plain decimal as a user would type it. */
export function typedQuantity(plain: string): string {
  return plain.replace('.', DECIMAL)
}

/**
 * What a user typed as a plain decimal, or as it is where it is none. `1,000` is a thousand where that is how thousands
 * are written; any other point or comma begins the decimals.
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
