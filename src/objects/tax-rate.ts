/** The tax rate object. */
import { z } from 'zod'
import type { TaxRateRow } from '../db/tax-rates.ts'
import { id, percentage } from './fields.ts'

export const TaxRate = z
  .strictObject({
    object: z.literal('taxRate'),
    id: id('tax rate'),
    name: z.string(),
    rate: percentage('Prices are without it.'),
  })
  .meta({ id: 'TaxRate', description: 'The tax of a quote.' })

export function presentTaxRate(row: TaxRateRow): z.output<typeof TaxRate> {
  return { object: 'taxRate', ...row, rate: Number(row.rate) }
}
