/**
 * The editable part of a quote, and its live price. The browser runs the same code, so the total on the page is the total of
 * the API.
 */
import { z } from 'zod'
import { LINE_KINDS } from '../enumerations.ts'
import type { PricedItem } from '../pricing/catalog-price.ts'
import { halfUp } from '../pricing/money.ts'
import type { Discount, PricingInput, ServiceCharge, TaxRate } from '../pricing/price-total.ts'
import { resolve, resolvePricing } from '../pricing/resolve-pricing.ts'
import { DETAILS, Day, Id, StorableText } from './quote-details.ts'

export const LINES_MAX = 1_000
export const CHARGES_MAX = 20
export const MONEY_MAX_CENTS = 100_000_000_000
const QUANTITY_MAX = 1_000_000

const QUANTITY = /^\d{1,7}(?:\.\d{1,4})?$/
export const QUANTITY_MESSAGE = 'Enter a number from 0 to 1,000,000 with at most 4 decimals.'
const MONEY_MESSAGE = 'Enter an amount from 0 to 100,000,000,000 in minor units.'
/** A quantity has up to four decimals. */
const TEN_THOUSANDTHS = 10_000n

const Cents = z.int(MONEY_MESSAGE).min(0, MONEY_MESSAGE).max(MONEY_MAX_CENTS, MONEY_MESSAGE)

const Quantity = z.string().refine(isQuantity, QUANTITY_MESSAGE).transform(plainQuantity)

const LINE = {
  serviceDayId: Id.nullable(),
  kind: z.enum(LINE_KINDS),
  serviceId: Id.nullable(),
  addonId: Id.nullable(),
  description: StorableText.nullable(),
  quantity: Quantity,
  unitPriceCents: Cents.nullable(),
  priceCents: Cents,
  taxable: z.boolean(),
  discountId: Id.nullable(),
  /** The customer may leave it out. */
  optional: z.boolean(),
  /** A line that is not selected is not part of the price. */
  selected: z.boolean(),
  /** Exactly one line of a group is selected. */
  optionGroup: StorableText.min(1, 'Enter a name.').nullable(),
}

/** Each is a column of the same name. */
export const LINE_FIELDS = Object.keys(LINE) as readonly (keyof typeof LINE)[]

/** Every member is always present, so two lines are equal exactly if their JSON is. */
const Line = z
  .strictObject({
    /** Null until the line is stored. */
    id: Id.nullable(),
    ...LINE,
  })
  .refine(({ kind, serviceId }) => (kind === 'SERVICE') === (serviceId !== null), {
    path: ['serviceId'],
    message: 'A service line needs a service. Other lines cannot have one.',
  })
  .refine(({ kind, addonId }) => (kind === 'ADDON') === (addonId !== null), {
    path: ['addonId'],
    message: 'An add-on line needs an add-on. Other lines cannot have one.',
  })

/** Errors beyond this number are not reported: thousands of them take longer to report than a quote takes to save. */
const LINE_ERRORS_MAX = 100

const Lines = z
  .array(z.unknown())
  .max(LINES_MAX, 'A quote has at most 1,000 lines.')
  .transform((sent, context) => {
    const lines: z.output<typeof Line>[] = []
    for (const [index, item] of sent.entries()) {
      const { data, error } = Line.safeParse(item)
      if (data !== undefined) lines.push(data)
      for (const { path, message } of error?.issues ?? [])
        context.addIssue({ code: 'custom', path: [index, ...path], message })
      if (context.issues.length >= LINE_ERRORS_MAX) break
    }
    if (context.issues.length > 0) return z.NEVER
    return lines
  })

/** Besides days and lines. Each is a column of the same name. */
const MEMBERS = {
  ...DETAILS,
  discountId: Id.nullable(),
  serviceChargeIds: z
    .array(Id)
    .max(CHARGES_MAX, 'A quote has at most 20 service charges.')
    .refine(areDistinct, 'A service charge appears twice.'),
  taxRateId: Id.nullable(),
  baseFeeCents: Cents,
  baseFeeTaxable: z.boolean(),
  travelFeeCents: Cents,
  travelFeeTaxable: z.boolean(),
}

export const MEMBER_FIELDS = Object.keys(MEMBERS) as readonly (keyof typeof MEMBERS)[]

export const QuoteContent = z.strictObject({
  ...MEMBERS,
  serviceDays: z
    .array(Day)
    .max(LINES_MAX, 'A quote has too many days.')
    .refine((days) => areDistinct(days.map(({ id }) => id)), 'A day appears twice.'),
  lines: Lines.refine((lines) => areDistinct(lines.flatMap(({ id }) => id ?? [])), 'A line appears twice.'),
})

export type QuoteContent = z.output<typeof QuoteContent>
export type QuoteLine = QuoteContent['lines'][number]

interface Named {
  name: string
  /** Still applies where it is attached, but cannot be attached to other quotes. */
  isArchived: boolean
}

export interface CatalogItem extends Named, PricedItem {
  id: string
}
export type CatalogDiscount = Discount & Named
export type CatalogCharge = ServiceCharge & Named
export type CatalogTaxRate = TaxRate & Named

/** The choices, plus everything the quote already refers to. A reference that is not here does not exist. */
export interface Catalog {
  services: readonly CatalogItem[]
  addons: readonly CatalogItem[]
  discounts: readonly CatalogDiscount[]
  serviceCharges: readonly CatalogCharge[]
  taxRates: readonly CatalogTaxRate[]
}

export function isQuantity(text: string): boolean {
  return QUANTITY.test(text) && Number(text) <= QUANTITY_MAX
}

/** `2.50` and `02.5` are `2.5`. */
export function plainQuantity(text: string): string {
  const [whole = '', fraction = ''] = text.split('.')
  const plainWhole = whole.replace(/^0+(?=\d)/, '')
  const plainFraction = fraction.replace(/0{1,4}$/, '')
  return plainFraction === '' ? plainWhole : `${plainWhole}.${plainFraction}`
}

/** Quantity times unit price, rounded half up. Null if the quantity is invalid or the price exceeds the limit. */
export function linePriceCents(quantity: string, unitPriceCents: number): number | null {
  if (!isQuantity(quantity)) return null
  const [whole = '', fraction = ''] = quantity.split('.')
  const price = halfUp(BigInt(whole + fraction.padEnd(4, '0')), BigInt(unitPriceCents), TEN_THOUSANDTHS)
  return price > BigInt(MONEY_MAX_CENTS) ? null : Number(price)
}

/** The key of a line in the price breakdown: its id, or its position marked with a character that no id can contain. */
export function lineKey({ id }: Pick<QuoteLine, 'id'>, index: number): string {
  return id ?? `\0${index}`
}

/** The parts of the catalog that a price depends on. */
interface PriceCatalog {
  services: readonly { id: string }[]
  addons: readonly { id: string }[]
  discounts: readonly Discount[]
  serviceCharges: readonly ServiceCharge[]
  taxRates: readonly TaxRate[]
}

/** The pricing input of the edited quote. Its lines are in the order of the content. */
export function pricingInputOf(content: QuoteContent, catalog: PriceCatalog, currency: string): PricingInput {
  const services = new Set(catalog.services.map(({ id }) => id))
  const addons = new Set(catalog.addons.map(({ id }) => id))
  const definitions = {
    discounts: byId<Discount>(catalog.discounts),
    serviceCharges: byId<ServiceCharge>(catalog.serviceCharges),
    taxRates: byId<TaxRate>(catalog.taxRates),
  }
  const lines = content.lines.map((line, index) => ({
    id: lineKey(line, index),
    kind: line.kind,
    itemFound: isItemFound(line, services, addons),
    priceCents: line.priceCents,
    taxable: line.taxable,
    deleted: !line.selected,
    discount: resolve(definitions.discounts, line.discountId),
  }))
  return resolvePricing({ ...content, currency }, lines, definitions)
}

function isItemFound(
  { serviceId, addonId }: QuoteLine,
  services: ReadonlySet<string>,
  addons: ReadonlySet<string>,
): boolean | null {
  if (serviceId !== null) return services.has(serviceId)
  return addonId === null ? null : addons.has(addonId)
}

function byId<Row extends { id: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [row.id, row]))
}

function areDistinct(ids: readonly string[]): boolean {
  return new Set(ids).size === ids.length
}
