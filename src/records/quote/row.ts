/** A quote as it is read: its own columns, what its price is calculated from, and the ids its relations are found by. */
import type { LineKind, LostReason } from '../../core/enumerations.ts'
import type { NotFound, PricingInput, PricingLine } from '../../core/pricing/price-total.ts'
import { defineFields } from '../../codec/fields.ts'
import type { Definitions } from './definitions.ts'

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

const KINDS: Record<string, { kind: LineKind; itemFound: boolean | null }> = {
  S: { kind: 'SERVICE', itemFound: true },
  s: { kind: 'SERVICE', itemFound: false },
  A: { kind: 'ADDON', itemFound: true },
  a: { kind: 'ADDON', itemFound: false },
  C: { kind: 'CUSTOM', itemFound: null },
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

/** What the price of the quote is calculated from. */
export function pricingInput(quote: QuoteRow): PricingInput {
  const { discounts, serviceCharges, taxRates } = quote.definitions
  return {
    currency: quote.currency,
    baseFeeCents: quote.baseFeeCents,
    baseFeeTaxable: quote.baseFeeTaxable,
    travelFeeCents: quote.travelFeeCents,
    travelFeeTaxable: quote.travelFeeTaxable,
    lines: pricingLines(quote),
    discount: quote.discountId === null ? null : found(discounts, quote.discountId),
    serviceCharges: quote.serviceChargeIds.map((id) => found(serviceCharges, id)),
    taxRate: quote.taxRateId === null ? null : found(taxRates, quote.taxRateId),
  }
}

function pricingLines({ lines: tokens, lineDiscountIds, definitions }: QuoteRow): PricingLine[] {
  if (tokens === null) return []
  let discounts = 0
  return tokens.split(',').map((token, i) => {
    const isDiscounted = token.startsWith('*')
    const start = isDiscounted ? 1 : 0
    const { kind, itemFound } = KINDS[token.charAt(start)] ?? unreadable(token)
    const discountId = isDiscounted ? (lineDiscountIds?.[discounts++] ?? unreadable(token)) : null
    return {
      // A total needs no ids of lines, so they are not read: their places tell them apart.
      id: String(i),
      kind,
      itemFound,
      priceCents: Number(token.slice(start + 2)),
      taxable: token.charAt(start + 1) === '+',
      deleted: false,
      discount: discountId === null ? null : found(definitions.discounts, discountId),
    }
  })
}

function unreadable(token: string): never {
  throw new Error(`not a line: ${token}`)
}

export function found<Found>(definitions: ReadonlyMap<string, Found>, id: string): Found | NotFound {
  return definitions.get(id) ?? { id, found: false }
}
