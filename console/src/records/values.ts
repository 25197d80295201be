/** Values of a record as typed into its form, and back. */
import { findOptionErrors } from '../../../src/core/quotes/quote-options.ts'
import type { StoredRecord } from '../../../src/console/records.ts'
import { isQuantity } from '../../../src/core/quotes/quote-edit.ts'
import { parseMoney, typedMoney } from '../format.ts'
import { parseQuantity, typedQuantity } from '../quote-edit/quantity.ts'
import type { Field, KindView } from './kind-view.ts'

export interface PriceRow {
  currency: string
  amount: string
}

export interface LineRow {
  /** Distinguishes rows of the form. */
  key: number
  kind: 'SERVICE' | 'ADDON' | 'CUSTOM'
  itemId: string | null
  itemName: string
  description: string
  quantity: string
  /** Empty: the price of the catalog. */
  price: string
  taxable: boolean
  optional: boolean
  selected: boolean
  optionGroup: string | null
}

export type FormValue = string | boolean | PriceRow[] | LineRow[]
export type FormValues = Readonly<Record<string, FormValue>>

/** Members of a record as they are sent. */
export type Values = Record<string, unknown>

interface StoredPrice {
  currency: string
  unitPriceCents: number
}

interface StoredLine {
  kind: LineRow['kind']
  serviceId: string | null
  addonId: string | null
  description: string | null
  quantity: number
  unitPriceCents: number | null
  taxable: boolean
  optional: boolean
  selected: boolean
  optionGroup: string | null
}

let lastKey = 0
export const nextKey = () => ++lastKey

/** Amounts of a record without a currency are in that of the company. */
export const currencyIn = (values: FormValues | StoredRecord, companyCurrency: string) =>
  typeof values['currency'] === 'string' && values['currency'] !== '' ? values['currency'] : companyCurrency

/** Of a new record. */
export function newFormValues({ fields, blank }: KindView, companyCurrency: string): FormValues {
  const currencies = fields.filter(({ type }) => type === 'currency')
  return { ...blank, ...Object.fromEntries(currencies.map(({ name }) => [name, companyCurrency])) }
}

export function formValuesOf(fields: readonly Field[], record: StoredRecord, currency: string): FormValues {
  const values = Object.fromEntries(fields.map((field) => [field.name, formValue(field, record, currency)]))
  const { locationName } = record
  return typeof locationName === 'string' ? { ...values, locationName } : values
}

/** The names of the location and of services and add-ons that were chosen in a form, like those of a stored record. */
export function chosenNames(values: FormValues): Values {
  const { locationName, lines } = values
  const rows = Array.isArray(lines) ? (lines as LineRow[]) : []
  return {
    ...(locationName !== undefined && { locationName }),
    items: rows.map(({ itemId, itemName }) => ({ id: itemId, name: itemName })),
  }
}

function formValue({ name, type }: Field, record: StoredRecord, companyCurrency: string): FormValue {
  const value = record[name]
  if (type === 'prices')
    return (value as StoredPrice[]).map(({ currency, unitPriceCents }) => ({
      currency,
      amount: typedMoney(unitPriceCents, currency),
    }))
  if (type === 'lines') return lineRows(value as StoredLine[], record, companyCurrency)
  if (type === 'checkbox') return value === true
  // A percentage has none. If it becomes an amount, the form shows this one as its unit.
  if (type === 'currency') return currencyIn(record, companyCurrency)
  if (value === null || value === undefined) return ''
  if (type === 'money') return typedMoney(value as number, currencyIn(record, companyCurrency))
  if (typeof value === 'number') return String(value)
  return type === 'percent' ? typedQuantity(value as string) : (value as string)
}

function lineRows(lines: readonly StoredLine[], record: StoredRecord, currency: string): LineRow[] {
  const names = new Map((record['items'] as { id: string; name: string }[]).map(({ id, name }) => [id, name]))
  return lines.map((line) => {
    const itemId = line.serviceId ?? line.addonId
    return {
      key: nextKey(),
      kind: line.kind,
      itemId,
      itemName: names.get(itemId ?? '') ?? '',
      description: line.description ?? '',
      quantity: typedQuantity(String(line.quantity)),
      price: line.unitPriceCents === null ? '' : typedMoney(line.unitPriceCents, currency),
      taxable: line.taxable,
      optional: line.optional,
      selected: line.selected,
      optionGroup: line.optionGroup,
    }
  })
}

/** To send with amounts in the currency of the company, which can change while they are typed. */
export function currencyOf(
  { fields }: KindView,
  sent: Values,
  companyCurrency: string,
): { currency?: string } {
  const hasOwn = fields.some(({ type }) => type === 'currency')
  const isAmount = ({ name, type }: Field) =>
    (type === 'money' || type === 'lines') && sent[name] !== null && sent[name] !== undefined
  return !hasOwn && fields.some(isAmount) ? { currency: companyCurrency } : {}
}

export type FormErrors = Record<string, string>

/** The values to send, or the errors of the fields. Fields that do not apply are null. */
export function readForm(
  fields: readonly Field[],
  values: FormValues,
  currency: string,
): { values: Values; errors: FormErrors } {
  const errors: FormErrors = {}
  const read = fields.map((field) => {
    const applies = field.showIf?.(values) ?? true
    const fail = (message: string, place = field.name) => {
      errors[place] ??= message
      return null
    }
    return [field.name, applies ? readValue(field, values, currency, fail) : null]
  })
  return { values: Object.fromEntries(read) as Values, errors }
}

type Fail = (message: string, place?: string) => null

function readValue(field: Field, values: FormValues, companyCurrency: string, fail: Fail): unknown {
  const { name, type, label, isOptional } = field
  const value = values[name] ?? ''
  if (type === 'checkbox') return value === true
  if (type === 'prices') return readPrices(name, value as PriceRow[], fail)
  if (type === 'lines') return readLines(name, value as LineRow[], companyCurrency, fail)
  const text = (value as string).trim()
  if (text === '') return isOptional === true ? null : fail(`Enter the ${label.toLowerCase()}.`)
  if (type === 'integer') return /^\d{1,9}$/.test(text) ? Number(text) : fail('Enter a whole number.')
  if (type === 'percent') {
    const plain = parseQuantity(text)
    const isValid = /^\d{1,3}(\.\d{1,6})?$/.test(plain) && Number(plain) <= 100
    return isValid ? plain : fail('Enter a percentage from 0 to 100 with at most 6 decimals.')
  }
  if (type === 'money')
    return parseMoney(text, currencyIn(values, companyCurrency)) ?? fail('Enter an amount of at least 0.')
  return type === 'longText' || type === 'contract' ? value : text
}

function readPrices(name: string, rows: readonly PriceRow[], fail: Fail): unknown {
  const hasPrice = ({ amount }: PriceRow) => amount.trim() !== ''
  return rows
    .map((row, i) => {
      // Rows without an amount are not sent, but count for the place of an error.
      if (!hasPrice(row)) return null
      const { currency, amount } = row
      if (rows.findIndex((other) => other.currency === currency && hasPrice(other)) < i)
        fail(`There are two prices in ${currency}.`, `${name}.${i}`)
      const unitPriceCents =
        parseMoney(amount, currency) ?? fail('Enter an amount of at least 0.', `${name}.${i}`)
      return { currency, unitPriceCents }
    })
    .filter((price) => price !== null)
}

function readLines(name: string, rows: readonly LineRow[], currency: string, fail: Fail): unknown {
  const lines = rows.map((row, i): StoredLine => {
    const { kind, itemId, taxable, optional, selected, optionGroup } = row
    const place = `${name}.${i}`
    const quantity = parseQuantity(row.quantity)
    if (!isQuantity(quantity)) fail('Enter a number from 0 to 1,000,000 with at most 4 decimals.', place)
    if (kind !== 'CUSTOM' && itemId === null)
      fail(kind === 'SERVICE' ? 'Choose a service.' : 'Choose an add-on.', place)
    if (kind === 'CUSTOM' && row.description.trim() === '') fail('Enter a description.', place)
    const price = row.price.trim() === '' ? null : parseMoney(row.price, currency)
    if (optionGroup?.trim() === '') fail('Enter a name for the group of alternatives.', place)
    if (row.price.trim() !== '' && price === null) fail('Enter an amount of at least 0.', place)
    return {
      kind,
      serviceId: kind === 'SERVICE' ? itemId : null,
      addonId: kind === 'ADDON' ? itemId : null,
      description: row.description.trim() || null,
      quantity: Number(quantity),
      unitPriceCents: price,
      taxable,
      optional,
      selected,
      optionGroup: optionGroup?.trim() ?? null,
    }
  })
  for (const { index, message } of findOptionErrors(lines)) fail(message, `${name}.${index}`)
  return lines
}

/** Stored objects have their members in another order. */
export const isSame = (a: unknown, b: unknown) => canonical(a) === canonical(b)

function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
}
