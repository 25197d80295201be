/** The payment terms object. */
import { PAYMENT_SCHEDULES, VALUE_TYPES } from '../../core/enumerations.ts'
import { z } from 'zod'
import { PAYMENT_TERMS_FIELDS } from './queries.ts'
import { id, numberOrNull, optionalCents, optionalPercentage } from '../../codec/schemas.ts'
import { publicObject } from '../../codec/public-object.ts'

const PaymentTerms = z
  .strictObject({
    object: z.literal('paymentTerms'),
    id: id('payment terms'),
    name: z.string(),
    paymentSchedule: z.enum(PAYMENT_SCHEDULES),
    depositType: z.enum(VALUE_TYPES).nullable(),
    depositPercentage: optionalPercentage('Set with a deposit of PERCENT.'),
    depositAmountCents: optionalCents('Set with a deposit of AMOUNT.'),
    invoiceDueDays: z.int().meta({ description: 'Days from the invoice to its due date.' }),
  })
  .meta({ id: 'PaymentTerms', description: 'When and how a booking is paid.' })

export const PAYMENT_TERMS = publicObject(PaymentTerms, PAYMENT_TERMS_FIELDS, {
  depositPercentage: ({ depositPercentage }) => numberOrNull(depositPercentage),
})
