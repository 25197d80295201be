/** A quote while it is edited: numbers as they are typed, removed lines still there to be brought back. */
import type { LineKind } from '../../../src/core/enumerations.ts'
import {
  QUANTITY_MESSAGE,
  isQuantity,
  linePriceCents,
  plainQuantity,
} from '../../../src/core/quotes/quote-edit.ts'
import type { QuoteContent, QuoteLine } from '../../../src/core/quotes/quote-edit.ts'
import { groupedMoney, parseMoney, typedMoney } from '../format.ts'
import { parseQuantity, typedQuantity } from './quantity.ts'

export interface DraftLine {
  /** Of this page only: new lines have no id. */
  key: string
  id: string | null
  serviceDayId: string | null
  kind: LineKind
  serviceId: string | null
  addonId: string | null
  description: string | null
  quantity: string
  unitPrice: string
  price: string
  /** The price was typed: it stays when quantity or unit price change. */
  isPriceTyped: boolean
  taxable: boolean
  discountId: string | null
  isRemoved: boolean
}

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
  lines: DraftLine[]
  terms: DraftTerms
}

type NumberField = 'quantity' | 'unitPrice' | 'price'

export type DraftAction =
  | { type: 'typed'; key: string; field: NumberField; text: string }
  /** Formats the value after blur. */
  | { type: 'left'; key: string; field: NumberField }
  | { type: 'recalculated'; key: string }
  | {
      type: 'line'
      key: string
      change: Partial<
        Pick<DraftLine, 'description' | 'taxable' | 'discountId' | 'serviceDayId' | 'isRemoved'>
      >
    }
  | { type: 'added'; line: DraftLine }
  | { type: 'terms'; change: Partial<DraftTerms> }
  | { type: 'replaced'; draft: Draft }

let keys = 0

export function draftOf(content: QuoteContent, currency: string): Draft {
  const { lines, baseFeeCents, travelFeeCents, ...terms } = content
  return {
    currency,
    lines: lines.map((line) => draftLine(line, currency)),
    terms: {
      ...terms,
      serviceChargeIds: [...terms.serviceChargeIds],
      baseFee: typedMoney(baseFeeCents, currency),
      travelFee: typedMoney(travelFeeCents, currency),
    },
  }
}

function draftLine({ unitPriceCents, priceCents, ...line }: QuoteLine, currency: string): DraftLine {
  return {
    ...line,
    key: `line-${++keys}`,
    quantity: typedQuantity(line.quantity),
    unitPrice: unitPriceCents === null ? '' : typedMoney(unitPriceCents, currency),
    price: typedMoney(priceCents, currency),
    isPriceTyped: unitPriceCents === null || linePriceCents(line.quantity, unitPriceCents) !== priceCents,
    isRemoved: false,
  }
}

/** A new line, still without a price. */
export function newLine(
  item: { kind: 'SERVICE' | 'ADDON'; id: string } | { kind: 'CUSTOM' },
  serviceDayId: string | null,
): DraftLine {
  return {
    key: `line-${++keys}`,
    id: null,
    serviceDayId,
    kind: item.kind,
    serviceId: item.kind === 'SERVICE' ? item.id : null,
    addonId: item.kind === 'ADDON' ? item.id : null,
    description: null,
    quantity: '1',
    unitPrice: '',
    price: '',
    isPriceTyped: false,
    taxable: true,
    discountId: null,
    isRemoved: false,
  }
}

export function changeDraft(draft: Draft, action: DraftAction): Draft {
  switch (action.type) {
    case 'replaced':
      return action.draft
    case 'terms':
      return { ...draft, terms: { ...draft.terms, ...action.change } }
    case 'added':
      return { ...draft, lines: [...draft.lines, action.line] }
    case 'line':
      return changeLine(draft, action.key, (line) => ({ ...line, ...action.change }))
    case 'recalculated':
      return changeLine(draft, action.key, (line) =>
        withProduct({ ...line, isPriceTyped: false }, draft.currency),
      )
    case 'typed':
      return changeLine(draft, action.key, (line) => withTyped(line, action, draft.currency))
    case 'left':
      return changeLine(draft, action.key, (line) => ({
        ...line,
        [action.field]: usualForm(action.field, line[action.field], draft.currency),
      }))
    default:
      return draft
  }
}

function changeLine(draft: Draft, key: string, change: (line: DraftLine) => DraftLine): Draft {
  return { ...draft, lines: draft.lines.map((line) => (line.key === key ? change(line) : line)) }
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
  return withProduct({ ...changed, isPriceTyped }, currency)
}

function withProduct(line: DraftLine, currency: string): DraftLine {
  const product = productOf(line, currency)
  return line.isPriceTyped || product === null ? line : { ...line, price: typedMoney(product, currency) }
}

/** Quantity times unit price, or null where one of them is missing or wrong. */
export function productOf({ quantity, unitPrice }: DraftLine, currency: string): number | null {
  const unitPriceCents = parseMoney(unitPrice, currency)
  return unitPriceCents === null ? null : linePriceCents(parseQuantity(quantity), unitPriceCents)
}

function usualForm(field: NumberField, text: string, currency: string): string {
  if (field !== 'quantity') return usualMoney(text, currency)
  const quantity = parseQuantity(text)
  return isQuantity(quantity) ? typedQuantity(plainQuantity(quantity)) : text
}

/** How the amount is shown while the field is not edited. Invalid text stays as typed. */
export function shownMoney(text: string, currency: string): string {
  const cents = parseMoney(text, currency)
  return cents === null ? text : groupedMoney(cents, currency)
}

/** Asks for an amount in the form of the currency. */
export function moneyMessage(currency: string): string {
  return `Enter an amount like ${groupedMoney(125_000, currency)}.`
}

export function usualMoney(text: string, currency: string): string {
  const cents = parseMoney(text, currency)
  return cents === null ? text : typedMoney(cents, currency)
}

interface Problem {
  message: string
  /** Still empty: no error before the user leaves the field or saves. */
  isMissing: boolean
}

/** By `line-3.price`, `baseFee`. */
type Problems = Record<string, Problem>

export interface ReadDraft {
  /** Invalid fields count as zero. */
  content: QuoteContent
  /** The keys of its lines, in their order. */
  keys: string[]
  problems: Problems
}

export function readDraft({ currency, lines, terms }: Draft): ReadDraft {
  const problems: Problems = {}
  const money = (field: string, text: string): number => {
    const cents = parseMoney(text, currency)
    if (cents !== null) return cents
    const isMissing = text.trim() === ''
    problems[field] = { isMissing, message: isMissing ? 'Enter an amount.' : moneyMessage(currency) }
    return 0
  }
  const kept = lines.filter(({ isRemoved }) => !isRemoved)
  const { baseFee, travelFee, ...others } = terms
  const content: QuoteContent = {
    lines: kept.map((line) => {
      const quantity = parseQuantity(line.quantity)
      if (!isQuantity(quantity)) {
        problems[`${line.key}.quantity`] = {
          isMissing: quantity === '',
          message: quantity === '' ? 'Enter a quantity.' : QUANTITY_MESSAGE,
        }
      }
      return {
        id: line.id,
        serviceDayId: line.serviceDayId,
        kind: line.kind,
        serviceId: line.serviceId,
        addonId: line.addonId,
        description: line.description,
        quantity: isQuantity(quantity) ? plainQuantity(quantity) : '0',
        unitPriceCents: line.unitPrice.trim() === '' ? null : money(`${line.key}.unitPrice`, line.unitPrice),
        priceCents: money(`${line.key}.price`, line.price),
        taxable: line.taxable,
        discountId: line.discountId,
      }
    }),
    ...others,
    baseFeeCents: money('baseFee', baseFee),
    travelFeeCents: money('travelFee', travelFee),
  }
  return { content, keys: kept.map(({ key }) => key), problems }
}
