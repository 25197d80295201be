/** The discount object: its definition, not what it came to. */
import { VALUE_TYPES } from '../../core/enumerations.ts'
import { z } from 'zod'
import { DISCOUNT_FIELDS } from './queries.ts'
import { id, numberOrNull, optionalCents, optionalPercentage } from '../../codec/schemas.ts'
import { publicObject } from '../../codec/public-object.ts'

const Discount = z
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

export const DISCOUNT = publicObject(Discount, DISCOUNT_FIELDS, {
  percentOff: ({ percentOff }) => numberOrNull(percentOff),
})
