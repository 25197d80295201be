/** The parts of a quote's price for the quote page: its lines and definitions with their names. */
import type { Named, QuoteLine, QuotePricing } from '../../core/pricing/quote-pricing.ts'
import { resolve, resolvePricing } from '../../core/pricing/resolve-pricing.ts'
import type { Definitions } from '../../core/pricing/resolve-pricing.ts'
import type { CatalogCharge, CatalogDiscount, CatalogTaxRate } from '../../core/quotes/quote-edit.ts'
import type { Db } from '../../db/statement.ts'
import { readNamedDefinitions } from './definitions.ts'
import { listLines } from './lines.ts'
import type { QuoteRow } from './row.ts'

/** For a quote that was read in the same snapshot: only then do lines and total agree. One statement after the other. */
export async function findQuotePricing(db: Db, companyId: string, quote: QuoteRow): Promise<QuotePricing> {
  const { discounts, serviceCharges, taxRates } = quote.shared
  const rows = await listLines(db, companyId, quote.get('id'))
  const ids = {
    // A line that is not selected is not in the quote's price, but the page shows it.
    discounts: [...new Set([...discounts.keys(), ...rows.flatMap((line) => line.discountId ?? [])])],
    serviceCharges: [...serviceCharges.keys()],
    taxRates: [...taxRates.keys()],
  }
  const named = await readNamedDefinitions(db, companyId, ids, 'some')
  const definitions: Definitions<Named> = {
    discounts: byId(named.discounts.map(presentDiscount)),
    serviceCharges: byId(named.serviceCharges.map(presentCharge)),
    taxRates: byId(named.taxRates.map(presentTaxRate)),
  }
  const lines = rows.map(({ serviceId, addonId, itemName, discountId, ...row }): QuoteLine => ({
    id: row.id,
    serviceDayId: row.serviceDayId,
    kind: row.kind,
    itemId: serviceId ?? addonId,
    itemName,
    description: row.description,
    quantity: row.quantity,
    unitPriceCents: row.unitPriceCents,
    optional: row.optional,
    selected: row.selected,
    optionGroup: row.optionGroup,
    priceCents: row.priceCents,
    taxable: row.taxable,
    itemFound: row.kind === 'CUSTOM' ? null : itemName !== null,
    deleted: !row.selected,
    discount: resolve(definitions.discounts, discountId),
  }))
  return resolvePricing(quote.toObject(), lines, definitions)
}

/** The members in the order of the page's response, without `isArchived`, which the page does not show. */
function presentDiscount({ id, type, percentOff, amountOff, currency, found, name }: CatalogDiscount) {
  return { id, type, percentOff, amountOff, currency, found, name }
}

function presentCharge(charge: CatalogCharge) {
  const { id, type, percentage, amountCents, currency, taxable, found, name } = charge
  return { id, type, percentage, amountCents, currency, taxable, found, name }
}

function presentTaxRate({ id, rate, found, name }: CatalogTaxRate) {
  return { id, rate, found, name }
}

function byId<Definition extends { id: string }>(
  definitions: readonly Definition[],
): ReadonlyMap<string, Definition> {
  return new Map(definitions.map((definition) => [definition.id, definition]))
}
