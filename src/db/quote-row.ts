/** A quote as it is read: its own columns, what its price is calculated from, and the ids its relations are found by. */
import type { LineKind, LostReason, ValueType } from '../core/enumerations.ts'
import type { Discount, NotFound, PricingInput, PricingLine, ServiceCharge } from '../core/price-total.ts'
import { defineFields } from './fields.ts'

/** What quotes refer to and their prices depend on, by id; what was not found in the company is not there. */
interface Definitions {
  discounts: ReadonlyMap<string, DiscountValues>
  serviceCharges: ReadonlyMap<string, ChargeValues>
  taxRates: ReadonlyMap<string, TaxRateValues>
}

export interface QuoteRow {
  id: string
  createdAt: string
  updatedAt: string
  sentAt: string | null
  expiresAt: string | null
  bookedAt: string | null
  lostAt: string | null
  lostReason: LostReason | null
  leadId: string
  locationId: string
  eventTypeId: string | null
  bookingId: string | null
  discountId: string | null
  taxRateId: string | null
  paymentTermsId: string | null
  contractId: string | null
  numberOfStaff: number
  numberOfResources: number
  guestCount: number
  eventAddress: string
  eventDescription: string | null
  siteContactName: string | null
  siteContactPhone: string | null
  entityToInvoice: string | null
  currency: string
  serviceChargeIds: string[]
  baseFeeCents: number
  baseFeeTaxable: boolean
  travelFeeCents: number
  travelFeeTaxable: boolean
  /** Current lines, as LINE_TOKEN writes them; deleted ones are not read. */
  lines: string | null
  /** Of the lines that have a discount, in their order. */
  lineDiscountIds: string[] | null
  definitions: Definitions
}

/** Of `t`, which is quotes with what LINES gives. */
export const QUOTE_FIELDS = defineFields<QuoteRow, Definitions>(
  `id createdAt:time updatedAt:time sentAt?:time expiresAt?:time bookedAt?:time lostAt?:time lostReason?:amount leadId
  locationId eventTypeId? bookingId? discountId? taxRateId? paymentTermsId? contractId? numberOfStaff:number
  numberOfResources:number guestCount:number eventAddress eventDescription? siteContactName? siteContactPhone?
  entityToInvoice? currency:amount serviceChargeIds:list baseFeeCents:number baseFeeTaxable:boolean travelFeeCents:number
  travelFeeTaxable:boolean lines?:amount lineDiscountIds?:list definitions:given`,
)

const KINDS: Record<string, [kind: LineKind, itemFound: boolean | null]> = {
  S: ['SERVICE', true],
  s: ['SERVICE', false],
  A: ['ADDON', true],
  a: ['ADDON', false],
  C: ['CUSTOM', null],
}

type Exists = (table: 'services' | 'addons', id: string) => string

/** A line in a few characters: `*` with a discount, the kind (small: its item was not found), `+` taxable, its price. */
const lineToken = (exists: Exists) => `concat(
  CASE WHEN l.discount_id IS NOT NULL THEN '*' END,
  CASE
    WHEN l.service_id IS NOT NULL THEN CASE WHEN ${exists('services', 'l.service_id')} THEN 'S' ELSE 's' END
    WHEN l.addon_id IS NOT NULL THEN CASE WHEN ${exists('addons', 'l.addon_id')} THEN 'A' ELSE 'a' END
    ELSE 'C'
  END,
  CASE WHEN l.taxable THEN '+' ELSE '-' END,
  l.price_cents)`

/** Lines and their discounts of `quotes q`, as a table beside it. */
const lines = (exists: Exists) => `
  CROSS JOIN LATERAL (
    SELECT string_agg(${lineToken(exists)}, ',') AS lines,
      array_agg(l.discount_id) FILTER (WHERE l.discount_id IS NOT NULL) AS line_discount_ids
    FROM line_items l
    WHERE l.company_id = $1 AND l.quote_id = q.id AND l.deleted_at IS NULL
  ) l`

const isFound: Exists = (table, id) =>
  `EXISTS (SELECT FROM ${table} i WHERE i.company_id = $1 AND i.id = ${id})`

/** So many that most companies have fewer, and few enough to be read with every page. */
const ITEMS_READ_MAX = 500

/** For one quote, each item is looked up; for a page, the company's are read once, and those beyond are looked up. */
export const LINES_OF_ONE = lines(isFound)
export const LINES_OF_MANY = lines(
  (table, id) =>
    `${id} IN (SELECT i.id FROM ${table} i WHERE i.company_id = $1 LIMIT ${ITEMS_READ_MAX}) OR ${isFound(table, id)}`,
)

type DiscountValues = [
  id: string,
  type: ValueType,
  percentOff: string | null,
  amountOff: number | null,
  currency: string | null,
]

type ChargeValues = [
  id: string,
  type: ValueType,
  percentage: string | null,
  amountCents: number | null,
  currency: string | null,
  taxable: boolean,
]

type TaxRateValues = [id: string, rate: string]

/** Columns with the definitions of these ids, each an SQL array; only where a condition holds. */
export const definitionColumns = (
  condition: string,
  ids: { discounts: string; charges: string; taxRates: string },
) => `
  CASE WHEN ${condition} THEN (
    SELECT json_agg(json_build_array(d.id, d.type, d.percent_off::text, d.amount_off, d.currency))
    FROM discounts d WHERE d.company_id = $1 AND d.id = ANY(${ids.discounts})) END,
  CASE WHEN ${condition} THEN (
    SELECT json_agg(json_build_array(c.id, c.type, c.percentage::text, c.amount_cents, c.currency, c.taxable))
    FROM service_charges c WHERE c.company_id = $1 AND c.id = ANY(${ids.charges})) END,
  CASE WHEN ${condition} THEN (
    SELECT json_agg(json_build_array(r.id, r.rate::text))
    FROM tax_rates r WHERE r.company_id = $1 AND r.id = ANY(${ids.taxRates})) END`

export function readDefinitions([discounts, charges, taxRates]: readonly (string | null)[]): Definitions {
  return {
    discounts: byId<DiscountValues>(discounts),
    serviceCharges: byId<ChargeValues>(charges),
    taxRates: byId<TaxRateValues>(taxRates),
  }
}

const NONE = new Map<string, never>()

function byId<Values extends [id: string, ...unknown[]]>(
  json: string | null | undefined,
): ReadonlyMap<string, Values> {
  if (json === null || json === undefined) return NONE
  return new Map((JSON.parse(json) as Values[]).map((values) => [values[0], values]))
}

/** What the price of the quote is calculated from. */
export function pricingInput(quote: QuoteRow): PricingInput {
  const { definitions, taxRateId } = quote
  const taxRate = taxRateId === null ? undefined : definitions.taxRates.get(taxRateId)
  return {
    currency: quote.currency,
    baseFeeCents: quote.baseFeeCents,
    baseFeeTaxable: quote.baseFeeTaxable,
    travelFeeCents: quote.travelFeeCents,
    travelFeeTaxable: quote.travelFeeTaxable,
    lines: pricingLines(quote),
    discount: quote.discountId === null ? null : pricingDiscount(definitions, quote.discountId),
    serviceCharges: quote.serviceChargeIds.map((id) => pricingCharge(definitions, id)),
    taxRate:
      taxRateId === null
        ? null
        : taxRate === undefined
          ? { id: taxRateId, found: false }
          : { id: taxRateId, found: true, rate: taxRate[1] },
  }
}

function pricingLines({ lines: tokens, lineDiscountIds, definitions }: QuoteRow): PricingLine[] {
  if (tokens === null) return []
  let discounts = 0
  return tokens.split(',').map((token, i) => {
    const isDiscounted = token.startsWith('*')
    const start = isDiscounted ? 1 : 0
    const [kind, itemFound] = KINDS[token.charAt(start)] ?? unreadable(token)
    const discountId = isDiscounted ? (lineDiscountIds?.[discounts++] ?? unreadable(token)) : null
    return {
      // A total needs no ids of lines, so they are not read: their places tell them apart.
      id: String(i),
      kind,
      itemFound,
      priceCents: Number(token.slice(start + 2)),
      taxable: token.charAt(start + 1) === '+',
      deleted: false,
      discount: discountId === null ? null : pricingDiscount(definitions, discountId),
    }
  })
}

function unreadable(token: string): never {
  throw new Error(`not a line: ${token}`)
}

function pricingDiscount({ discounts }: Definitions, id: string): Discount | NotFound {
  const values = discounts.get(id)
  if (values === undefined) return { id, found: false }
  const [, type, percentOff, amountOff, currency] = values
  return { id, found: true, type, percentOff, amountOff, currency }
}

function pricingCharge({ serviceCharges }: Definitions, id: string): ServiceCharge | NotFound {
  const values = serviceCharges.get(id)
  if (values === undefined) return { id, found: false }
  const [, type, percentage, amountCents, currency, taxable] = values
  return { id, found: true, type, percentage, amountCents, currency, taxable }
}
