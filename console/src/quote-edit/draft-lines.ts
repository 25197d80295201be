/** Lines while they are edited: numbers as they are typed. */
import type { LineKind } from '../../../src/core/enumerations.ts'
import { catalogPrice, quantityOf, unitsOf } from '../../../src/core/pricing/catalog-price.ts'
import type { Occasion } from '../../../src/core/pricing/catalog-price.ts'
import type { PackageChoice, PackageLine } from '../../../src/core/quotes/quote-choices.ts'
import { linePriceCents, plainQuantity } from '../../../src/core/quotes/quote-edit.ts'
import type { Catalog, CatalogItem, QuoteLine } from '../../../src/core/quotes/quote-edit.ts'
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

export function itemOf({ kind, serviceId, addonId }: ItemOfLine, catalog: Catalog): CatalogItem | undefined {
  if (kind === 'CUSTOM') return undefined
  const items = kind === 'SERVICE' ? catalog.services : catalog.addons
  return items.find(({ id }) => id === (serviceId ?? addonId))
}

export function draftLine(
  { unitPriceCents, priceCents, ...line }: QuoteLine,
  occasion: Occasion,
  catalog: Catalog,
): DraftLine {
  const { currency } = occasion
  return {
    ...line,
    key: newKey(),
    quantity: typedQuantity(line.quantity),
    unitPrice: unitPriceCents === null ? '' : typedMoney(unitPriceCents, currency),
    price: typedMoney(priceCents, currency),
    isPriceTyped: unitPriceCents === null || linePriceCents(line.quantity, unitPriceCents) !== priceCents,
    pieces: piecesOf(line, occasion, itemOf(line, catalog)),
    isRemoved: false,
  }
}

/** How many pieces of its item a line has, if its quantity follows from hours, guests or days. */
function piecesOf(
  { quantity, serviceDayId }: Pick<QuoteLine, 'quantity' | 'serviceDayId'>,
  occasion: Occasion,
  item: CatalogItem | undefined,
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
  item: CatalogItem
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

interface PackagePlace {
  serviceDayId: string | null
  occasion: Occasion
  catalog: Catalog
  /** Of the prices of packages. */
  companyCurrency: string
  others: readonly DraftLine[]
}

interface PackageLines {
  lines: DraftLine[]
  /** The names of services and add-ons that are archived or deleted: no line of a quote can get them. */
  leftOut: string[]
}

/** The lines of a package. Groups get new names. */
export function packageLines({ lines, items }: PackageChoice, place: PackagePlace): PackageLines {
  const groups = groupNames(lines, place.others)
  const added: DraftLine[] = []
  const leftOut: string[] = []
  for (const line of lines) {
    const start = packageLine(line, place)
    if (start === null) {
      const name = items.find(({ id }) => id === (line.serviceId ?? line.addonId))?.name
      leftOut.push(name ?? (line.kind === 'SERVICE' ? 'a deleted service' : 'a deleted add-on'))
      continue
    }
    const { description, taxable, optional, selected, optionGroup } = line
    const group = optionGroup === null ? null : (groups.get(optionGroup) ?? null)
    added.push({ ...start, description, taxable, optional, selected, optionGroup: group })
  }
  return { lines: added, leftOut }
}

/** Names for the groups of a package that no other group has, neither of the quote nor of the package. */
function groupNames(lines: readonly PackageLine[], others: readonly DraftLine[]): Map<string, string> {
  const names = new Map<string, string>()
  const taken: Pick<DraftLine, 'optionGroup'>[] = [...others]
  for (const { optionGroup } of lines) {
    if (optionGroup === null || names.has(optionGroup)) continue
    const name = newGroupName(optionGroup, taken)
    names.set(optionGroup, name)
    taken.push({ optionGroup: name })
  }
  return names
}

/** With its price. Null if its item is archived or missing. */
function packageLine(line: PackageLine, place: PackagePlace): DraftLine | null {
  const { serviceDayId, occasion, catalog, companyCurrency } = place
  const { currency } = occasion
  const pieces = plainQuantity(String(line.quantity))
  const item = itemOf(line, catalog)
  if (line.kind !== 'CUSTOM' && (item === undefined || item.isArchived)) return null
  const start =
    line.kind === 'CUSTOM' || item === undefined
      ? { ...customLine(serviceDayId), quantity: typedQuantity(pieces) }
      : catalogLine({ kind: line.kind, item }, serviceDayId, occasion, pieces)
  // Amounts are not converted: in another currency, the price of the catalog applies.
  if (line.unitPriceCents === null || currency !== companyCurrency) return start
  return withProduct({ ...start, unitPrice: typedMoney(line.unitPriceCents, currency) }, currency)
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
  unit: CatalogItem['unit']
  /** Its price stays. */
  isPriceTyped: boolean
}

/** Lines whose hours, guests or days changed since their quantity was calculated. */
export function staleLines(lines: readonly DraftLine[], occasion: Occasion, catalog: Catalog): StaleLine[] {
  return lines.flatMap((line) => {
    const item = itemOf(line, catalog)
    if (line.pieces === null || line.isRemoved || item === undefined) return []
    const quantity = quantityOf(line.pieces, unitsOf(item.unit, occasion, line.serviceDayId))
    if (quantity === null || quantity === parseQuantity(line.quantity)) return []
    const { key, isPriceTyped } = line
    return [{ key, quantity: typedQuantity(quantity), unit: item.unit, isPriceTyped }]
  })
}
