/** The tax rate object. */
import { z } from 'zod'
import { TAX_RATE_FIELDS } from './queries.ts'
import { id, percentage } from '../../codec/schemas.ts'
import { publicObject } from '../../codec/public-object.ts'

const TaxRate = z
  .strictObject({
    object: z.literal('taxRate'),
    id: id('tax rate'),
    name: z.string(),
    rate: percentage('Prices are without it.'),
  })
  .meta({ id: 'TaxRate', description: 'The tax of a quote.' })

export const TAX_RATE = publicObject(TaxRate, TAX_RATE_FIELDS, { rate: ({ rate }) => Number(rate) })
