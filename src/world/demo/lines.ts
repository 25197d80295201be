import type { Catalog, ItemEntry } from './catalog.ts'
import { ARCHIVED } from './catalog-terms.ts'
import { LINE_NOTES } from './event-texts.ts'
import { type Unit, CUSTOM_LINES } from './offer.ts'
import { inCurrency } from './plan.ts'
import type { Random } from './random.ts'
import type { RecordOf } from './records.ts'
import { DAY, iso, pastOnly } from './times.ts'

/** Shared by the lines of a quote. */
export interface LineContext {
  number: string
  quote: RecordOf<'quote'>
  guestCount: number
  createdAt: number
  days: readonly { record: RecordOf<'serviceDay'> }[]
}

export interface LineEntry {
  record: RecordOf<'lineItem'>
  /** The description on an invoice. */
  label: string
  item: ItemEntry | null
  discount: RecordOf<'discount'> | null
}

interface LineContent {
  kind: RecordOf<'lineItem'>['kind']
  item: ItemEntry | null
  description: string | undefined
  quantity: number
  unitPriceCents: number
  taxable: boolean
}

/** The next entries of the catalog, so that a quote has no repetitions. */
interface Cursor {
  services: number
  addons: number
}

function quantityOf(random: Random, unit: Unit, guestCount: number): number {
  if (unit === 'hours') return random.int(4, 16) / 2
  if (unit === 'pieces') return random.int(1, 12)
  return unit === 'guests' ? guestCount : 1
}

function itemAt(
  random: Random,
  items: readonly ItemEntry[],
  archived: readonly ItemEntry[],
  index: number,
  createdAt: number,
): ItemEntry {
  const old = createdAt < ARCHIVED && archived.length > 0 && random.chance(0.12)
  return (old ? undefined : items[index % items.length]) ?? random.pick(archived)
}

function contentOf(
  catalog: Catalog,
  context: LineContext,
  random: Random,
  cursor: Cursor,
  isFirst: boolean,
): LineContent {
  const roll = isFirst ? 0 : random.int(1, 100)
  if (roll > 84) {
    const [description, usdCents] = random.pick(CUSTOM_LINES)
    const unitPriceCents = inCurrency(usdCents, context.quote.currency)
    return {
      kind: 'CUSTOM',
      item: null,
      description,
      quantity: 1,
      unitPriceCents,
      taxable: random.chance(0.7),
    }
  }
  const isService = roll <= 50
  const item = isService
    ? itemAt(random, catalog.services, catalog.archivedServices, cursor.services++, context.createdAt)
    : itemAt(random, catalog.addons, catalog.archivedAddons, cursor.addons++, context.createdAt)
  return {
    kind: isService ? 'SERVICE' : 'ADDON',
    item,
    description: random.maybe(0.3, LINE_NOTES),
    quantity: quantityOf(random, item.text.unit, context.guestCount),
    unitPriceCents: inCurrency(item.text.usdCents, context.quote.currency),
    taxable: random.chance(0.92),
  }
}

function lineOf(
  catalog: Catalog,
  context: LineContext,
  random: Random,
  content: LineContent,
  index: number,
  count: number,
): LineEntry {
  const { kind, item, description, quantity, unitPriceCents, taxable } = content
  const day = random.chance(0.08)
    ? undefined
    : context.days[Math.floor((index * context.days.length) / count)]?.record
  const price = Math.round(quantity * unitPriceCents)
  const discount = random.maybe(0.1, catalog.terms.get(context.quote.currency)?.current.discounts ?? [])
  const { createdAt } = context.quote
  const deletedAt =
    index > 0 && random.chance(0.04) ? iso(pastOnly(context.createdAt + random.int(1, 3) * DAY)) : undefined
  // Some saved prices were negotiated and are not quantity times unit price.
  const priceCents = random.chance(0.07) ? Math.floor((price * 0.92) / 100) * 100 : price
  const record: RecordOf<'lineItem'> = {
    object: 'lineItem',
    id: `line_${context.number}_${String(index + 1).padStart(2, '0')}`,
    companyId: catalog.plan.id,
    quoteId: context.quote.id,
    kind,
    quantity,
    unitPriceCents,
    priceCents,
    taxable,
    createdAt,
    updatedAt: deletedAt ?? createdAt,
  }
  // Field by field: half of a large world are lines, and this is the fastest way.
  if (kind === 'SERVICE' && item !== null) record.serviceId = item.record.id
  if (kind === 'ADDON' && item !== null) record.addonId = item.record.id
  if (day !== undefined) record.serviceDayId = day.id
  if (description !== undefined) record.description = description
  if (discount !== undefined) record.discountId = discount.id
  if (deletedAt !== undefined) record.deletedAt = deletedAt
  // Every fifth quote has options, which are all selected.
  if (kind === 'ADDON' && context.number.endsWith('5')) record.optional = true
  return { record, label: item?.text.name ?? description ?? kind, item, discount: discount ?? null }
}

export function linesOf(catalog: Catalog, context: LineContext, random: Random, count: number): LineEntry[] {
  const cursor = { services: random.int(0, 99), addons: random.int(0, 99) }
  const lines: LineEntry[] = []
  for (let index = 0; index < count; index++) {
    const content = contentOf(catalog, context, random, cursor, index === 0)
    lines.push(lineOf(catalog, context, random, content, index, count))
  }
  return lines
}
