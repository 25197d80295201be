/** The discount object: its definition, not what it came to. */
import { VALUE_TYPES } from '../core/enumerations.ts'
import { z } from 'zod'
import type { DiscountRow } from '../db/discounts.ts'
import { id, numberOrNull, optionalCents, optionalPercentage } from './fields.ts'

export const Discount = z
  .strictObject({
    object: z.literal('discount'),
    id: id('discount'),
    name: z.string(),
    type: z.enum(VALUE_TYPES),
    percentOff: optionalPercentage('Set with PERCENT.'),
    amountOff: optionalCents('Set with AMOUNT.'),
  })
  .meta({
    id: 'Discount',
    description: 'A discount on a quote or a line of it. Archived ones that are attached stay visible.',
  })

export function presentDiscount(row: DiscountRow): z.output<typeof Discount> {
  return {
    object: 'discount',
    ...row,
    percentOff: numberOrNull(row.percentOff),
    amountOff: numberOrNull(row.amountOff),
  }
}
