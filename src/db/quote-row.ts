/** A quote as it is read: its own columns, what its price is calculated from, and the ids its relations are found by. */
import type { LineKind, LostReason, ValueType } from '../core/enumerations.ts'
import type { Discount, NotFound, PricingInput, ServiceCharge } from '../core/price-total.ts'
import { columns } from './connect.ts'

type DiscountValues = [
  type: ValueType,
  percentOff: string | null,
  amountOff: number | null,
  currency: string | null,
]

/** Arrays, not objects: they come as JSON, many to a quote, and names would be most of the text. */
type LineValues = [
  id: string,
  kind: LineKind,
  itemId: string | null,
  itemFound: boolean | null,
  priceCents: number,
  taxable: boolean,
  discountId: string | null,
  discount: DiscountValues | null,
]

type ChargeValues = [
  id: string,
  type: ValueType,
  percentage: string | null,
  amountCents: number | null,
  currency: string | null,
  taxable: boolean,
]

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
  baseFeeCents: string
  baseFeeTaxable: boolean
  travelFeeCents: string
  travelFeeTaxable: boolean
  /** Current lines; deleted ones are not read. Null when there is none. */
  lines: LineValues[] | null
  /** The values of what was found in the company; null when nothing is attached or nothing was found. */
  discount: DiscountValues | null
  charges: ChargeValues[] | null
  taxRate: string | null
}

const DISCOUNT_VALUES = 'json_build_array(d.type, d.percent_off::text, d.amount_off, d.currency)'

/** Subqueries, not joins: their shape stays one index probe each, whatever the planner thinks of the whole. */
const LINES = `
  SELECT json_agg(json_build_array(
    l.id, l.kind, coalesce(l.service_id, l.addon_id),
    CASE l.kind
      WHEN 'SERVICE' THEN EXISTS (SELECT FROM services s WHERE s.company_id = l.company_id AND s.id = l.service_id)
      WHEN 'ADDON' THEN EXISTS (SELECT FROM addons a WHERE a.company_id = l.company_id AND a.id = l.addon_id)
    END,
    l.price_cents, l.taxable, l.discount_id,
    (SELECT ${DISCOUNT_VALUES} FROM discounts d WHERE d.company_id = l.company_id AND d.id = l.discount_id)))
  FROM line_items l
  WHERE l.company_id = q.company_id AND l.quote_id = q.id AND l.deleted_at IS NULL`

const CHARGES = `
  SELECT json_agg(json_build_array(c.id, c.type, c.percentage::text, c.amount_cents, c.currency, c.taxable))
  FROM service_charges c
  WHERE c.company_id = q.company_id AND c.id = ANY(q.service_charge_ids)`

const FIELDS = `
  id createdAt updatedAt sentAt expiresAt bookedAt lostAt lostReason leadId locationId eventTypeId bookingId discountId
  taxRateId paymentTermsId contractId numberOfStaff numberOfResources guestCount eventAddress eventDescription
  siteContactName siteContactPhone entityToInvoice currency serviceChargeIds baseFeeCents baseFeeTaxable travelFeeCents
  travelFeeTaxable`

/** What a QuoteRow holds, of `quotes q`. */
export const QUOTE_COLUMNS = `
  ${columns(FIELDS, 'q')},
  (${LINES}) AS lines,
  (SELECT ${DISCOUNT_VALUES} FROM discounts d WHERE d.company_id = q.company_id AND d.id = q.discount_id) AS discount,
  (${CHARGES}) AS charges,
  (SELECT t.rate FROM tax_rates t WHERE t.company_id = q.company_id AND t.id = q.tax_rate_id) AS "taxRate"`

/** What the price of the quote is calculated from. */
export function pricingInput(quote: QuoteRow): PricingInput {
  const { taxRateId, taxRate: rate } = quote
  return {
    currency: quote.currency,
    baseFeeCents: Number(quote.baseFeeCents),
    baseFeeTaxable: quote.baseFeeTaxable,
    travelFeeCents: Number(quote.travelFeeCents),
    travelFeeTaxable: quote.travelFeeTaxable,
    lines: (quote.lines ?? []).map(([id, kind, , itemFound, priceCents, taxable, discountId, discount]) => ({
      id,
      kind,
      itemFound,
      priceCents,
      taxable,
      deleted: false,
      discount: pricingDiscount(discountId, discount),
    })),
    discount: pricingDiscount(quote.discountId, quote.discount),
    serviceCharges: pricingCharges(quote.serviceChargeIds, quote.charges ?? []),
    taxRate:
      taxRateId === null
        ? null
        : rate === null
          ? { id: taxRateId, found: false }
          : { id: taxRateId, found: true, rate },
  }
}

/** The ids of the items of current lines of a kind, each once. */
export function itemIds(quote: QuoteRow, itemKind: 'SERVICE' | 'ADDON'): string[] {
  return [
    ...new Set(
      (quote.lines ?? []).flatMap(([, kind, itemId]) => (kind === itemKind && itemId !== null ? itemId : [])),
    ),
  ]
}

/** The ids of the discounts of current lines, each once. */
export function lineDiscountIds(quote: QuoteRow): string[] {
  return [...new Set((quote.lines ?? []).flatMap(([, , , , , , discountId]) => discountId ?? []))]
}

function pricingDiscount(id: string | null, values: DiscountValues | null): Discount | NotFound | null {
  if (id === null) return null
  if (values === null) return { id, found: false }
  const [type, percentOff, amountOff, currency] = values
  return { id, found: true, type, percentOff, amountOff, currency }
}

function pricingCharges(ids: string[], found: ChargeValues[]): (ServiceCharge | NotFound)[] {
  return ids.map((id) => {
    const values = found.find((charge) => charge[0] === id)
    if (values === undefined) return { id, found: false }
    const [, type, percentage, amountCents, currency, taxable] = values
    return { id, found: true, type, percentage, amountCents, currency, taxable }
  })
}
