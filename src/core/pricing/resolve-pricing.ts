/** Builds the input of the price calculation. Lists, single quotes, the quote page and the editor all use this function. */
import type { Discount, NotFound, PricingInput, PricingLine, ServiceCharge, TaxRate } from './price-total.ts'

/** The columns of a quote that its price depends on. */
export interface PriceTerms extends Pick<
  PricingInput,
  'currency' | 'baseFeeCents' | 'baseFeeTaxable' | 'travelFeeCents' | 'travelFeeTaxable'
> {
  discountId: string | null
  serviceChargeIds: readonly string[]
  taxRateId: string | null
}

/** The definitions that quotes refer to, by id. All others do not exist in the company. Names are optional. */
export interface Definitions<Names = object> {
  discounts: ReadonlyMap<string, Discount & Names>
  serviceCharges: ReadonlyMap<string, ServiceCharge & Names>
  taxRates: ReadonlyMap<string, TaxRate & Names>
}

/** A PricingInput whose definitions may have names. */
export interface ResolvedPricing<Line extends PricingLine, Names> extends PricingInput {
  lines: Line[]
  discount: (Discount & Names) | NotFound | null
  serviceCharges: ((ServiceCharge & Names) | NotFound)[]
  taxRate: (TaxRate & Names) | NotFound | null
}

export function resolvePricing<Line extends PricingLine, Names>(
  terms: PriceTerms,
  lines: Line[],
  { discounts, serviceCharges, taxRates }: Definitions<Names>,
): ResolvedPricing<Line, Names> {
  return {
    currency: terms.currency,
    baseFeeCents: terms.baseFeeCents,
    baseFeeTaxable: terms.baseFeeTaxable,
    travelFeeCents: terms.travelFeeCents,
    travelFeeTaxable: terms.travelFeeTaxable,
    lines,
    discount: resolve(discounts, terms.discountId),
    serviceCharges: terms.serviceChargeIds.map((id) => serviceCharges.get(id) ?? { id, found: false }),
    taxRate: resolve(taxRates, terms.taxRateId),
  }
}

/** The definition that an id refers to, if any. */
export function resolve<Found>(
  definitions: ReadonlyMap<string, Found>,
  id: string | null,
): Found | NotFound | null {
  return id === null ? null : (definitions.get(id) ?? { id, found: false })
}
