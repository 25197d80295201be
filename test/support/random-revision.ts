/** Arbitrary quotes with options at the time they are sent. */
import * as fc from 'fast-check'
import type { Discount, NotFound, PricingInput } from '../../src/core/pricing/price-total.ts'
import type { QuoteContent, QuoteLine } from '../../src/core/quotes/quote-edit.ts'
import type { RevisionParts } from '../../src/core/quotes/revision.ts'
import { pricingInput } from './pricing-inputs.ts'
import { CONTENT, LINE } from './quote-content.ts'
import { REVISION_PARTS } from './revision.ts'

interface Choice {
  optional: boolean
  group: string | null
  isChosen: boolean
}

const choice: fc.Arbitrary<Choice> = fc.record({
  optional: fc.boolean(),
  group: fc.constantFrom(null, null, 'Drinks', 'Dinner'),
  isChosen: fc.boolean(),
})

type Catalog = {
  -readonly [Kind in keyof RevisionParts['catalog']]: RevisionParts['catalog'][Kind][number][]
}

/** The parts of a revision, and the positions of the lines that the customer chooses. */
export const anyOffer: fc.Arbitrary<{ parts: RevisionParts; chosen: number[] }> = fc
  .tuple(pricingInput, fc.array(choice, { minLength: 8, maxLength: 8 }))
  .map(([input, choices]) => {
    const catalog: Catalog = { services: [], addons: [], discounts: [], serviceCharges: [], taxRates: [] }
    const content = contentOf(input, choices, catalog)
    const isOption = (line: QuoteLine) => line.optional || line.optionGroup !== null
    const chosen = content.lines.flatMap((line, i) =>
      isOption(line) && choices[i]?.isChosen === true ? [i] : [],
    )
    return { parts: { ...REVISION_PARTS, currency: input.currency, content, catalog }, chosen }
  })

function contentOf(input: PricingInput, choices: readonly Choice[], catalog: Catalog): QuoteContent {
  const lines = input.lines.map((line, i): QuoteLine => {
    const { optional = false, group = null } = choices[i] ?? {}
    if (line.itemFound === true) {
      const list = line.kind === 'SERVICE' ? catalog.services : catalog.addons
      list.push({ id: `item ${i}`, name: `Item ${i}` })
    }
    return {
      ...LINE,
      id: line.id,
      kind: line.kind,
      serviceId: line.kind === 'SERVICE' ? `item ${i}` : null,
      addonId: line.kind === 'ADDON' ? `item ${i}` : null,
      description: `Line ${i}`,
      priceCents: line.priceCents,
      taxable: line.taxable,
      discountId: discountIn(catalog, line.discount, `line discount ${i}`),
      optional,
      optionGroup: group,
      selected: !line.deleted,
    }
  })
  for (const charge of input.serviceCharges) {
    if (charge.found) catalog.serviceCharges.push({ ...charge, name: `Charge ${charge.id}` })
  }
  if (input.taxRate?.found === true) catalog.taxRates.push({ ...input.taxRate, name: 'Tax' })
  const { baseFeeCents, baseFeeTaxable, travelFeeCents, travelFeeTaxable } = input
  return {
    ...CONTENT,
    baseFeeCents,
    baseFeeTaxable,
    travelFeeCents,
    travelFeeTaxable,
    lines,
    discountId: discountIn(catalog, input.discount, 'quote discount'),
    serviceChargeIds: input.serviceCharges.map(({ id }) => id),
    taxRateId: input.taxRate?.id ?? null,
  }
}

function discountIn(catalog: Catalog, discount: Discount | NotFound | null, id: string): string | null {
  if (discount === null) return null
  if (discount.found) catalog.discounts.push({ ...discount, id, name: 'Discount' })
  return id
}
