/**
 * New discounts, charges and tax rates, created while editing a quote. Their values never change afterwards, because quotes
 * refer to them. Archive one and create another instead.
 */
import { z } from 'zod'
import { isCurrencyCode } from './currencies.ts'
import { isStorableText } from '../ids.ts'
import { HUNDRED_PERCENT, parsePercent } from './money.ts'
import { MONEY_MAX_CENTS } from '../quotes/quote-edit.ts'

const PERCENTAGE_MESSAGE = 'Enter a percentage from 0 to 100 with at most 6 decimals.'
const AMOUNT_MESSAGE = 'Enter an amount from 0 to 100,000,000,000 in minor units.'

const Name = z
  .string()
  .trim()
  .min(1, 'Enter a name.')
  .max(200, 'Enter a name of at most 200 characters.')
  .refine(isStorableText, 'This name has a character that cannot be stored.')
const Percentage = z
  .string()
  .refine(
    (text) => /^\d{1,3}(\.\d{1,6})?$/.test(text) && parsePercent(text) <= HUNDRED_PERCENT,
    PERCENTAGE_MESSAGE,
  )
const Amount = z.int(AMOUNT_MESSAGE).min(0, AMOUNT_MESSAGE).max(MONEY_MAX_CENTS, AMOUNT_MESSAGE)
const Currency = z.string().refine(isCurrencyCode, 'Use an ISO 4217 currency code.')

const PERCENT = z.literal('PERCENT')
const AMOUNT = z.literal('AMOUNT')

export const NewDiscount = z.discriminatedUnion('type', [
  z.strictObject({ name: Name, type: PERCENT, percentOff: Percentage }),
  z.strictObject({ name: Name, type: AMOUNT, amountOff: Amount, currency: Currency }),
])
export type NewDiscount = z.output<typeof NewDiscount>

export const NewServiceCharge = z.discriminatedUnion('type', [
  z.strictObject({ name: Name, type: PERCENT, percentage: Percentage, taxable: z.boolean() }),
  z.strictObject({ name: Name, type: AMOUNT, amountCents: Amount, currency: Currency, taxable: z.boolean() }),
])
export type NewServiceCharge = z.output<typeof NewServiceCharge>

export const NewTaxRate = z.strictObject({ name: Name, rate: Percentage })
export type NewTaxRate = z.output<typeof NewTaxRate>
