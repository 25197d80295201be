/** What a quote's price consists of, for people to read: its lines and definitions by their names. */
import type { NotFound } from '../../core/pricing/price-total.ts'
import type { Named, QuoteLine, QuotePricing } from '../../core/pricing/quote-pricing.ts'
import type { Db } from '../../db/connect.ts'
import { loadDiscounts } from '../discount/queries.ts'
import { filledText, id as idColumn } from '../../codec/column-types.ts'
import { defineFields, pick } from '../../codec/fields.ts'
import type { Packed } from '../../codec/packed-row.ts'
import { LINE_ITEM_COLUMNS } from '../line-item/columns.ts'
import { found, pricingInput } from './row.ts'
import type { QuoteRow } from './row.ts'
import { listObjects, selectFields } from '../../codec/select.ts'
import { loadServiceCharges } from '../service-charge/queries.ts'
import { loadTaxRates } from '../tax-rate/queries.ts'

const nameOf = (table: 'services' | 'addons', id: string) =>
  `(SELECT i.name FROM ${table} i WHERE i.company_id = $1 AND i.id = ${id})`

const LIST_LINES = selectFields(
  defineFields({
    ...pick(
      LINE_ITEM_COLUMNS,
      'id',
      'serviceDayId',
      'kind',
      'description',
      'quantity',
      'unitPriceCents',
      'priceCents',
      'taxable',
      'discountId',
    ),
    itemId: idColumn('service or add-on').nullable().sql('coalesce(t.service_id, t.addon_id)'),
    itemName: filledText()
      .nullable()
      .sql(`coalesce(${nameOf('services', 't.service_id')}, ${nameOf('addons', 't.addon_id')})`),
  }),
  {
    from: 'line_items t WHERE t.company_id = $1 AND t.quote_id = $2 AND t.deleted_at IS NULL',
    orderBy: 't.created_at, t.id',
  },
)

/** Of a quote that was read in the same snapshot: only then do lines and total agree. One statement after the other. */
export async function findQuotePricing(db: Db, companyId: string, quote: QuoteRow): Promise<QuotePricing> {
  const definitions = quote.shared
  const input = pricingInput(quote)
  const rows = await listObjects(db, LIST_LINES, [companyId, quote.get('id')])
  const discounts = await loadDiscounts(db, companyId, [...definitions.discounts.keys()])
  const charges = await loadServiceCharges(db, companyId, [...definitions.serviceCharges.keys()])
  const taxRates = await loadTaxRates(db, companyId, [...definitions.taxRates.keys()])
  const withDiscountName = namer(discounts)
  const lines = rows.map(({ discountId, ...row }): QuoteLine => ({
    ...row,
    itemFound: row.kind === 'CUSTOM' ? null : row.itemName !== null,
    deleted: false,
    discount: discountId === null ? null : withDiscountName(found(definitions.discounts, discountId)),
  }))
  return {
    ...input,
    lines,
    discount: input.discount === null ? null : withDiscountName(input.discount),
    serviceCharges: input.serviceCharges.map(namer(charges)),
    taxRate: input.taxRate === null ? null : namer(taxRates)(input.taxRate),
  }
}

type Found = { id: string; found: true }

/** Gives definitions their names; those that were not found have none. */
function namer(rows: readonly Packed<Named & { id: string }>[]) {
  const names = new Map(rows.map((row) => [row.get('id'), row.get('name')]))
  return <Definition extends Found>(definition: Definition | NotFound): (Definition & Named) | NotFound =>
    definition.found ? { ...definition, name: names.get(definition.id) ?? '' } : definition
}
