/** A quote as it is read: its columns, the inputs of its price, and the ids of its relations. */
import type { LineKind } from '../../core/enumerations.ts'
import type { PricingInput, PricingLine } from '../../core/pricing/price-total.ts'
import { resolve, resolvePricing } from '../../core/pricing/resolve-pricing.ts'
import type { Definitions } from '../../core/pricing/resolve-pricing.ts'
import type { RowOf } from '../../codec/column.ts'
import { filledText, idList } from '../../codec/column-types.ts'
import { defineFields, pick, publicColumns } from '../../codec/fields.ts'
import type { Packed } from '../../codec/packed-row.ts'
import { literal, sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import { QUOTE_COLUMNS } from './columns.ts'

/** From `t`, which is quotes with the columns of `lines`. All quotes of a page share the definitions. */
const QUOTE_ROW = {
  ...publicColumns(QUOTE_COLUMNS),
  ...pick(
    QUOTE_COLUMNS,
    'number',
    'serviceChargeIds',
    'baseFeeCents',
    'baseFeeTaxable',
    'travelFeeCents',
    'travelFeeTaxable',
  ),
  /** The current lines that are selected, as `lineToken` writes them; null if there are none. */
  lines: filledText().nullable(),
  /** Of the lines that have a discount, in their order. */
  lineDiscountIds: idList().nullable(),
}

export const QUOTE_FIELDS = defineFields<typeof QUOTE_ROW, Definitions>(QUOTE_ROW)

export type QuoteRow = Packed<RowOf<typeof QUOTE_ROW>, Definitions>

const KINDS: Record<string, { kind: LineKind; itemFound: boolean | null }> = {
  S: { kind: 'SERVICE', itemFound: true },
  s: { kind: 'SERVICE', itemFound: false },
  A: { kind: 'ADDON', itemFound: true },
  a: { kind: 'ADDON', itemFound: false },
  C: { kind: 'CUSTOM', itemFound: null },
}

type Exists = (table: Sql, id: Sql) => Sql

/** A line in a few characters: `*` with a discount, the kind (small: its item was not found), `+` taxable, its price. */
const lineToken = (exists: Exists) => sql`concat(
  CASE WHEN l.discount_id IS NOT NULL THEN '*' END,
  CASE
    WHEN l.service_id IS NOT NULL THEN CASE WHEN ${exists(sql`services`, sql`l.service_id`)} THEN 'S' ELSE 's' END
    WHEN l.addon_id IS NOT NULL THEN CASE WHEN ${exists(sql`addons`, sql`l.addon_id`)} THEN 'A' ELSE 'a' END
    ELSE 'C'
  END,
  CASE WHEN l.taxable THEN '+' ELSE '-' END,
  l.price_cents)`

/** Lines and their discounts of `quotes q`, as a table beside it. */
const lines = (exists: Exists) => sql`
  CROSS JOIN LATERAL (
    SELECT string_agg(${lineToken(exists)}, ',') AS lines,
      array_agg(l.discount_id) FILTER (WHERE l.discount_id IS NOT NULL) AS line_discount_ids
    FROM line_items l
    WHERE l.company_id = $1 AND l.quote_id = q.id AND l.deleted_at IS NULL AND l.selected
  ) l`

const isFound: Exists = (table, id) =>
  sql`EXISTS (SELECT 1 FROM ${table} i WHERE i.company_id = $1 AND i.id = ${id})`

/** Most companies have fewer. */
const ITEMS_READ_MAX = 500

/** For one quote, each item is looked up. For a page, those of the company are read once; only further ones are looked up. */
export const LINES_OF_ONE = lines(isFound)
export const LINES_OF_MANY = lines(
  (table, id) =>
    sql`${id} IN (SELECT i.id FROM ${table} i WHERE i.company_id = $1 LIMIT ${literal(ITEMS_READ_MAX)}) OR ${isFound(table, id)}`,
)

/** The input of the price calculation. */
export function pricingInput(quote: QuoteRow): PricingInput {
  // Reads only the columns that the price depends on: decoding all of them costs more than the calculation.
  const terms = {
    currency: quote.get('currency'),
    baseFeeCents: quote.get('baseFeeCents'),
    baseFeeTaxable: quote.get('baseFeeTaxable'),
    travelFeeCents: quote.get('travelFeeCents'),
    travelFeeTaxable: quote.get('travelFeeTaxable'),
    discountId: quote.get('discountId'),
    serviceChargeIds: quote.get('serviceChargeIds'),
    taxRateId: quote.get('taxRateId'),
  }
  return resolvePricing(terms, pricingLines(quote), quote.shared)
}

function pricingLines(quote: QuoteRow): PricingLine[] {
  const tokens = quote.get('lines')
  if (tokens === null) return []
  const lineDiscountIds = quote.get('lineDiscountIds')
  let discounts = 0
  return tokens.split(',').map((token, i) => {
    const isDiscounted = token.startsWith('*')
    const start = isDiscounted ? 1 : 0
    const { kind, itemFound } = KINDS[token.charAt(start)] ?? unreadable(token)
    const discountId = isDiscounted ? (lineDiscountIds?.[discounts++] ?? unreadable(token)) : null
    return {
      // A total needs no ids of lines, so they are not read: an index is enough.
      id: String(i),
      kind,
      itemFound,
      priceCents: Number(token.slice(start + 2)),
      taxable: token.charAt(start + 1) === '+',
      deleted: false,
      discount: resolve(quote.shared.discounts, discountId),
    }
  })
}

function unreadable(token: string): never {
  throw new Error(`not a line: ${token}`)
}
