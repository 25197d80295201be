/** Lines while they are edited: numbers as they are typed. */
import type { LineKind } from '../../../src/core/enumerations.ts'
import { catalogPrice, quantityOf, unitsOf } from '../../../src/core/pricing/catalog-price.ts'
import type { Occasion } from '../../../src/core/pricing/catalog-price.ts'
import type { PackageLine } from '../../../src/core/quotes/quote-choices.ts'
import { linePriceCents, plainQuantity } from '../../../src/core/quotes/quote-edit.ts'
import type { Catalogue, CatalogueItem, QuoteLine } from '../../../src/core/quotes/quote-edit.ts'
import { newGroupName } from '../../../src/core/quotes/quote-options.ts'
import { parseMoney, typedMoney } from '../format.ts'
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
  optional: boolean
  selected: boolean
  optionGroup: string | null
  /** The quantity is this many times the hours, guests or days of the item. Null if it is any other quantity. */
  pieces: string | null
  isRemoved: boolean
}

let keys = 0
const newKey = () => `line-${++keys}`

type ItemOfLine = Pick<QuoteLine, 'kind' | 'serviceId' | 'addonId'>

export function itemOf(
  { kind, serviceId, addonId }: ItemOfLine,
  catalogue: Catalogue,
): CatalogueItem | undefined {
  if (kind === 'CUSTOM') return undefined
  const items = kind === 'SERVICE' ? catalogue.services : catalogue.addons
  return items.find(({ id }) => id === (serviceId ?? addonId))
}

export function draftLine(
  { unitPriceCents, priceCents, ...line }: QuoteLine,
  occasion: Occasion,
  catalogue: Catalogue,
): DraftLine {
  const { currency } = occasion
  return {
    ...line,
    key: newKey(),
    quantity: typedQuantity(line.quantity),
    unitPrice: unitPriceCents === null ? '' : typedMoney(unitPriceCents, currency),
    price: typedMoney(priceCents, currency),
    isPriceTyped: unitPriceCents === null || linePriceCents(line.quantity, unitPriceCents) !== priceCents,
    pieces: piecesOf(line, occasion, itemOf(line, catalogue)),
    isRemoved: false,
  }
}

/** How many pieces of its item a line has, if its quantity follows from hours, guests or days. */
function piecesOf(
  { quantity, serviceDayId }: Pick<QuoteLine, 'quantity' | 'serviceDayId'>,
  occasion: Occasion,
  item: CatalogueItem | undefined,
): string | null {
  if (item === undefined || item.unit === 'EACH') return null
  const units = unitsOf(item.unit, occasion, serviceDayId)
  const pieces = units === '0' ? '1' : String(Math.max(1, Math.round(Number(quantity) / Number(units))))
  return quantityOf(pieces, units) === quantity ? pieces : null
}

const EMPTY = {
  id: null,
  serviceId: null,
  addonId: null,
  description: null,
  quantity: '1',
  unitPrice: '',
  price: '',
  isPriceTyped: false,
  taxable: true,
  discountId: null,
  optional: false,
  selected: true,
  optionGroup: null,
  pieces: null,
  isRemoved: false,
} as const

export function customLine(serviceDayId: string | null): DraftLine {
  return { ...EMPTY, key: newKey(), kind: 'CUSTOM', serviceDayId }
}

export interface ItemChoice {
  kind: 'SERVICE' | 'ADDON'
  item: CatalogueItem
}

/** A line with the price of the catalog. Without a price in the currency, the price stays empty. */
export function catalogLine(
  { kind, item }: ItemChoice,
  serviceDayId: string | null,
  occasion: Occasion,
  pieces = '1',
): DraftLine {
  const price = catalogPrice(item, occasion, { pieces, dayId: serviceDayId })
  const quantity = price?.quantity ?? quantityOf(pieces, unitsOf(item.unit, occasion, serviceDayId)) ?? pieces
  return {
    ...EMPTY,
    key: newKey(),
    kind,
    serviceDayId,
    serviceId: kind === 'SERVICE' ? item.id : null,
    addonId: kind === 'ADDON' ? item.id : null,
    quantity: typedQuantity(quantity),
    unitPrice: price === null ? '' : typedMoney(price.unitPriceCents, occasion.currency),
    price: price === null ? '' : typedMoney(price.priceCents, occasion.currency),
    taxable: item.taxable,
    pieces: item.unit === 'EACH' ? null : pieces,
  }
}

/** The lines of a package. Items that are not in the catalog any more are left out. Groups get new names. */
export function packageLines(
  lines: readonly PackageLine[],
  serviceDayId: string | null,
  occasion: Occasion,
  { catalogue, others }: { catalogue: Catalogue; others: readonly DraftLine[] },
): DraftLine[] {
  const groups = new Map(
    lines.flatMap(({ optionGroup }) =>
      optionGroup === null ? [] : [[optionGroup, newGroupName(optionGroup, others)] as const],
    ),
  )
  return lines.flatMap((line) => {
    const { description, taxable, optional, selected, unitPriceCents, optionGroup } = line
    const pieces = plainQuantity(String(line.quantity))
    const item = itemOf(line, catalogue)
    if (line.kind !== 'CUSTOM' && item === undefined) return []
    const start =
      line.kind === 'CUSTOM' || item === undefined
        ? { ...customLine(serviceDayId), quantity: typedQuantity(pieces) }
        : catalogLine({ kind: line.kind, item }, serviceDayId, occasion, pieces)
    const options = {
      optional,
      selected,
      optionGroup: optionGroup === null ? null : (groups.get(optionGroup) ?? null),
    }
    const own = { ...start, description, taxable, ...options }
    if (unitPriceCents === null) return own
    return withProduct(
      { ...own, unitPrice: typedMoney(unitPriceCents, occasion.currency) },
      occasion.currency,
    )
  })
}

/** A copy to add. A copy of an alternative is not selected. */
export function copyOf(line: DraftLine): DraftLine {
  return { ...line, key: newKey(), id: null, selected: line.optionGroup === null && line.selected }
}

export function withProduct(line: DraftLine, currency: string): DraftLine {
  const product = productOf(line, currency)
  return line.isPriceTyped || product === null ? line : { ...line, price: typedMoney(product, currency) }
}

/** Quantity times unit price, or null where one of them is missing or wrong. */
export function productOf({ quantity, unitPrice }: DraftLine, currency: string): number | null {
  const unitPriceCents = parseMoney(unitPrice, currency)
  return unitPriceCents === null ? null : linePriceCents(parseQuantity(quantity), unitPriceCents)
}

export interface StaleLine {
  key: string
  /** As it would be typed. */
  quantity: string
  unit: CatalogueItem['unit']
}

/** Lines whose hours, guests or days changed since their quantity was calculated. */
export function staleLines(
  lines: readonly DraftLine[],
  occasion: Occasion,
  catalogue: Catalogue,
): StaleLine[] {
  return lines.flatMap((line) => {
    const item = itemOf(line, catalogue)
    if (line.pieces === null || line.isRemoved || item === undefined) return []
    const quantity = quantityOf(line.pieces, unitsOf(item.unit, occasion, line.serviceDayId))
    if (quantity === null || quantity === parseQuantity(line.quantity)) return []
    return [{ key: line.key, quantity: typedQuantity(quantity), unit: item.unit }]
  })
}
