/** The values of a row of a CSV file. */
import { currencyOfTarget } from '../core/import-columns.ts'
import type { ImportMapping } from '../core/import-columns.ts'
import { minorDigits } from '../core/pricing/currencies.ts'
import { parseTypedAmount } from '../core/pricing/typed-amount.ts'
import type { Unit } from '../core/enumerations.ts'
import type { RecordValues } from '../records/kind.ts'

interface Numbers {
  /** Of prices without a currency. */
  currency: string
  /** Whether the file is likely to have decimal commas. */
  hasDecimalComma: boolean
}

export interface RowError {
  /** The target of the cell; null for the whole row. */
  target: string | null
  /** Begins with a verb, or is a sentence for the whole row. */
  message: string
}

const UNITS: Record<Unit, readonly string[]> = {
  EACH: ['each', 'ea', 'item', 'piece', 'pc', 'flat', 'fixed'],
  HOUR: ['hour', 'hr', 'h', 'hourly', 'hours'],
  GUEST: ['guest', 'person', 'pp', 'pax', 'head', 'guests'],
  DAY: ['day', 'daily', 'days'],
}

const YES = new Set(['yes', 'y', 'true', '1', 'x', 'taxable'])
const NO = new Set(['no', 'n', 'false', '0', 'exempt'])

/** A row of a contact. Absent cells are null. */
export function contactValues(cells: readonly string[], mapping: ImportMapping): RecordValues {
  const { name, ...values } = Object.fromEntries(
    Object.entries(mapping).map(([target, i]) => [target, cells[i]?.trim() || null]),
  )
  if (name == null) return values
  // The last word is the last name. Columns for the parts take precedence.
  const space = name.lastIndexOf(' ')
  const first = space === -1 ? name : name.slice(0, space).trim()
  const last = space === -1 ? null : name.slice(space + 1)
  return { ...values, firstName: values['firstName'] ?? first, lastName: values['lastName'] ?? last }
}

/** A row of a service or add-on. */
export function itemValues(
  cells: readonly string[],
  mapping: ImportMapping,
  numbers: Numbers,
): { values: RecordValues; errors: RowError[] } {
  const errors: RowError[] = []
  const values: Record<string, unknown> = { prices: [], unit: 'EACH', taxable: true }
  const prices: { currency: string; unitPriceCents: number }[] = []
  for (const [target, i] of Object.entries(mapping)) {
    const text = cells[i]?.trim() ?? ''
    if (text === '') continue
    const currency = target === 'price' ? numbers.currency : currencyOfTarget(target)
    const value = currency === null ? cellValue(target, text) : parsePrice(text, currency, numbers)
    if (value === null) errors.push({ target, message: messageOf(target, currency) })
    else if (currency === null) values[target] = value
    else if (prices.some((price) => price.currency === currency))
      errors.push({ target, message: `has a second price in ${currency}` })
    else prices.push({ currency, unitPriceCents: value as number })
  }
  return { values: { ...values, prices }, errors }
}

function cellValue(target: string, text: string): unknown {
  const plain = text.toLowerCase()
  if (target === 'taxable') return YES.has(plain) ? true : NO.has(plain) ? false : null
  if (target !== 'unit') return text
  const word = plain.replace(/^per\s+/, '').trim()
  return (
    Object.entries(UNITS).find(([unit, words]) => unit.toLowerCase() === word || words.includes(word))?.[0] ??
    null
  )
}

function messageOf(target: string, currency: string | null): string {
  if (currency !== null)
    return `must be an amount in ${currency} with at most ${minorDigits(currency)} decimals, without other letters or signs`
  return target === 'unit' ? 'must be each, hour, guest or day' : 'must be yes or no'
}

const CENTS_MAX = 100_000_000_000n

/** Exact, without floating point. Another currency or unit than that of the column is no amount: `€50`, `50k`. */
function parsePrice(text: string, currency: string, { hasDecimalComma }: Numbers): number | null {
  const signs = hasDecimalComma ? { decimal: ',', group: '.' } : { decimal: '.', group: ',' }
  const cents = parseTypedAmount(withoutCurrency(text, currency), minorDigits(currency), signs)
  return cents === null || cents > CENTS_MAX ? null : Number(cents)
}

/** Without the code or sign of the currency before or after the amount. */
function withoutCurrency(text: string, currency: string): string {
  const plain = text.toLowerCase()
  for (const name of currencyNames(currency)) {
    if (plain.startsWith(name)) return plain.slice(name.length)
    if (plain.endsWith(name)) return plain.slice(0, -name.length)
  }
  return plain
}

/** By currency: formats take longer to create than a row to read. */
const NAMES = new Map<string, string[]>()

/** `cad`, `ca$` and `$`, the longer ones first. */
function currencyNames(currency: string): string[] {
  const known = NAMES.get(currency)
  if (known !== undefined) return known
  const signs = (['symbol', 'narrowSymbol'] as const).flatMap((currencyDisplay) =>
    new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay })
      .formatToParts(0)
      .flatMap(({ type, value }) => (type === 'currency' ? value.toLowerCase() : [])),
  )
  const names = [currency.toLowerCase(), ...signs]
  NAMES.set(currency, names)
  return names
}
