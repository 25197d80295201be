/** A quote while it is edited: numbers as they are typed, removed lines still there to be brought back. */
import type { Occasion } from '../../../src/core/pricing/catalog-price.ts'
import { isQuantity, plainQuantity } from '../../../src/core/quotes/quote-edit.ts'
import type { Catalog, QuoteContent } from '../../../src/core/quotes/quote-edit.ts'
import { withValidChanges } from '../../../src/core/quotes/quote-options.ts'
import { typedMoney } from '../format.ts'
import { draftDay, draftDetails, parseCount, readDays } from './draft-details.ts'
import type { DraftDay, DraftDetails } from './draft-details.ts'
import { copyOf, draftLine, withProduct } from './draft-lines.ts'
import type { DraftLine, StaleLine } from './draft-lines.ts'
import { parseQuantity, typedQuantity } from './quantity.ts'
import { usualMoney } from './typed-money.ts'

interface DraftTerms {
  discountId: string | null
  serviceChargeIds: string[]
  taxRateId: string | null
  baseFee: string
  baseFeeTaxable: boolean
  travelFee: string
  travelFeeTaxable: boolean
}

export interface Draft {
  currency: string
  /** Of the location. */
  timeZone: string
  details: DraftDetails
  days: DraftDay[]
  lines: DraftLine[]
  terms: DraftTerms
}

type NumberField = 'quantity' | 'unitPrice' | 'price'
type LineChange = Partial<
  Pick<DraftLine, 'description' | 'taxable' | 'discountId' | 'serviceDayId' | 'isRemoved'> &
    Pick<DraftLine, 'optional' | 'selected' | 'optionGroup'>
>

export type DraftAction =
  | { type: 'typed'; key: string; field: NumberField; text: string }
  /** Formats the value after blur. */
  | { type: 'left'; key: string; field: NumberField }
  | { type: 'recalculated'; key: string }
  /** New quantities, after hours, guests or days changed. */
  | { type: 'requantified'; lines: readonly StaleLine[] }
  /** These lines keep their quantity. */
  | { type: 'kept'; lines: readonly StaleLine[] }
  | { type: 'line'; key: string; change: LineChange }
  /** Of a group, this line is the one that is selected. */
  | { type: 'chosen'; key: string }
  /** A new group of two lines, of which the other one is selected. */
  | { type: 'grouped'; key: string; otherKey: string; group: string }
  | { type: 'added'; lines: readonly DraftLine[] }
  | { type: 'copied'; key: string }
  /** Past the previous or next line of the same day. */
  | { type: 'shifted'; key: string; by: -1 | 1 }
  /** To the place of another line, also on another day. */
  | { type: 'dropped'; key: string; onKey: string }
  | { type: 'details'; change: Partial<DraftDetails>; timeZone?: string }
  | { type: 'day'; id: string; change: Partial<Pick<DraftDay, 'date' | 'start' | 'end'>> }
  | { type: 'dayAdded'; day: DraftDay }
  /** Its lines move to the whole event, or are removed. */
  | { type: 'dayRemoved'; id: string; isKeepingLines: boolean }
  | { type: 'terms'; change: Partial<DraftTerms> }
  | { type: 'replaced'; draft: Draft }

interface Place {
  currency: string
  timeZone: string | null
  catalog: Catalog
}

export function draftOf(content: QuoteContent, { currency, timeZone, catalog }: Place): Draft {
  const { lines, baseFeeCents, travelFeeCents } = content
  const zone = timeZone ?? 'UTC'
  const occasion = { currency, guestCount: content.guestCount, days: content.serviceDays }
  return {
    currency,
    timeZone: zone,
    details: draftDetails(content),
    days: content.serviceDays.map((day) => draftDay(day, zone)),
    lines: lines.map((line) => draftLine(line, occasion, catalog)),
    terms: {
      discountId: content.discountId,
      serviceChargeIds: [...content.serviceChargeIds],
      taxRateId: content.taxRateId,
      baseFee: typedMoney(baseFeeCents, currency),
      baseFeeTaxable: content.baseFeeTaxable,
      travelFee: typedMoney(travelFeeCents, currency),
      travelFeeTaxable: content.travelFeeTaxable,
    },
  }
}

/** What prices of the catalog depend on. */
export function occasionOf({ currency, details, days, timeZone }: Draft): Occasion {
  const guestCount = parseCount(details.guestCount) ?? 0
  return { currency, guestCount, days: readDays(days, timeZone, {}) }
}

export function changeDraft(draft: Draft, action: DraftAction): Draft {
  if (action.type === 'replaced') return action.draft
  if (action.type === 'terms') return { ...draft, terms: { ...draft.terms, ...action.change } }
  if (action.type === 'details') {
    const details = { ...draft.details, ...action.change }
    return { ...draft, details, timeZone: action.timeZone ?? draft.timeZone }
  }
  if (action.type === 'day' || action.type === 'dayAdded' || action.type === 'dayRemoved') {
    return changeDays(draft, action)
  }
  return { ...draft, lines: withOptions(draft.lines, changeLines(draft, action)) }
}

type DayAction = Extract<DraftAction, { type: 'day' | 'dayAdded' | 'dayRemoved' }>
type LineAction = Exclude<DraftAction, DayAction | { type: 'replaced' | 'terms' | 'details' }>

function changeDays(draft: Draft, action: DayAction): Draft {
  if (action.type === 'dayAdded') return { ...draft, days: [...draft.days, action.day] }
  const { id } = action
  if (action.type === 'day') {
    const change = (day: DraftDay) => (day.id === id ? { ...day, ...action.change, stored: null } : day)
    return { ...draft, days: draft.days.map(change) }
  }
  const { isKeepingLines } = action
  const lines = draft.lines.map((line) =>
    line.serviceDayId === id
      ? { ...line, serviceDayId: null, isRemoved: line.isRemoved || !isKeepingLines }
      : line,
  )
  return { ...draft, days: draft.days.filter((day) => day.id !== id), lines: withOptions(draft.lines, lines) }
}

/** Removed lines take no part in groups. */
function withOptions(before: readonly DraftLine[], lines: readonly DraftLine[]): DraftLine[] {
  const [old, kept] = [before, lines].map((all) => all.filter(({ isRemoved }) => !isRemoved))
  const valid = withValidChanges(old ?? [], kept ?? [], ({ key }) => key)
  const byKey = new Map(valid.map((line) => [line.key, line]))
  return lines.map((line) => byKey.get(line.key) ?? line)
}

function changeLines(draft: Draft, action: LineAction): DraftLine[] {
  const { lines, currency } = draft
  const change = (key: string, changed: (line: DraftLine) => DraftLine) =>
    lines.map((line) => (line.key === key ? changed(line) : line))
  switch (action.type) {
    case 'added':
      return [...lines, ...action.lines]
    case 'copied':
      return lines.flatMap((line) => (line.key === action.key ? [line, copyOf(line)] : line))
    case 'line':
      return change(action.key, (line) => ({ ...line, ...action.change }))
    case 'chosen': {
      const group = lines.find(({ key }) => key === action.key)?.optionGroup
      return lines.map((line) =>
        line.optionGroup === group ? { ...line, selected: line.key === action.key } : line,
      )
    }
    case 'grouped': {
      const alternative = { optionGroup: action.group, optional: false }
      return lines.map((line) => {
        if (line.key === action.key) return { ...line, ...alternative, selected: false }
        return line.key === action.otherKey ? { ...line, ...alternative, selected: true } : line
      })
    }
    case 'recalculated':
      return change(action.key, (line) => withProduct({ ...line, isPriceTyped: false }, currency))
    case 'requantified':
    case 'kept':
      return requantify(draft, action)
    case 'typed':
      return change(action.key, (line) => withTyped(line, action, currency))
    case 'left':
      return change(action.key, (line) => ({
        ...line,
        [action.field]: usualForm(action.field, line[action.field], currency),
      }))
    case 'shifted':
    case 'dropped':
      return moveLine(lines, action)
    default:
      return [...lines]
  }
}

function requantify(
  { lines, currency }: Draft,
  { type, lines: stale }: Extract<DraftAction, { type: 'requantified' | 'kept' }>,
): DraftLine[] {
  const quantities = new Map(stale.map(({ key, quantity }) => [key, quantity]))
  return lines.map((line) => {
    const quantity = quantities.get(line.key)
    if (quantity === undefined) return line
    return type === 'kept' ? { ...line, pieces: null } : withProduct({ ...line, quantity }, currency)
  })
}

function moveLine(
  lines: readonly DraftLine[],
  action: Extract<DraftAction, { type: 'shifted' | 'dropped' }>,
): DraftLine[] {
  const from = lines.findIndex(({ key }) => key === action.key)
  const line = lines[from]
  if (line === undefined) return [...lines]
  const to =
    action.type === 'dropped'
      ? lines.findIndex(({ key }) => key === action.onKey)
      : beside(lines, from, action.by)
  const target = lines[to]
  if (target === undefined) return [...lines]
  return lines.toSpliced(from, 1).toSpliced(to, 0, { ...line, serviceDayId: target.serviceDayId })
}

/** The next line of the same day in this direction; -1 at the end. */
function beside(lines: readonly DraftLine[], from: number, by: -1 | 1): number {
  const day = lines[from]?.serviceDayId
  for (let i = from + by; i >= 0 && i < lines.length; i += by) if (lines[i]?.serviceDayId === day) return i
  return -1
}

function withTyped(
  line: DraftLine,
  { field, text }: { field: NumberField; text: string },
  currency: string,
): DraftLine {
  const changed = { ...line, [field]: text }
  if (field === 'price') return { ...changed, isPriceTyped: text.trim() !== '' }
  // With the first unit price, the price becomes the product.
  const isPriceTyped = line.isPriceTyped && !(field === 'unitPrice' && line.unitPrice.trim() === '')
  const pieces = field === 'quantity' ? null : line.pieces
  return withProduct({ ...changed, isPriceTyped, pieces }, currency)
}

function usualForm(field: NumberField, text: string, currency: string): string {
  if (field !== 'quantity') return usualMoney(text, currency)
  const quantity = parseQuantity(text)
  return isQuantity(quantity) ? typedQuantity(plainQuantity(quantity)) : text
}
