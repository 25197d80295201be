/** The service charge object: its definition, not what it came to. */
import { VALUE_TYPES } from '../../core/enumerations.ts'
import { z } from 'zod'
import { SERVICE_CHARGE_FIELDS } from './queries.ts'
import { id, numberOrNull, optionalCents, optionalPercentage } from '../../codec/schemas.ts'
import { publicObject } from '../../codec/public-object.ts'

const ServiceCharge = z
  .strictObject({
    object: z.literal('serviceCharge'),
    id: id('service charge'),
    name: z.string(),
    type: z.enum(VALUE_TYPES),
    percentage: optionalPercentage('Set with PERCENT.'),
    amountCents: optionalCents('Set with AMOUNT.'),
    taxable: z.boolean(),
  })
  .meta({
    id: 'ServiceCharge',
    description: 'A charge on top of a quote. Archived ones that are attached stay visible.',
  })

export const SERVICE_CHARGE = publicObject(ServiceCharge, SERVICE_CHARGE_FIELDS, {
  percentage: ({ percentage }) => numberOrNull(percentage),
})
