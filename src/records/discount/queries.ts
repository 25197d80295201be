/** Discount definitions, archived ones too: where they are attached they stay visible. */
import type { ValueType } from '../../core/enumerations.ts'
import { defineFields } from '../../codec/fields.ts'
import { BY_NAME, loaderById } from '../../codec/load.ts'

export interface DiscountRow {
  id: string
  name: string
  type: ValueType
  percentOff: string | null
  amountOff: string | null
}

export const DISCOUNT_FIELDS = defineFields<DiscountRow>('id name type percentOff?:amount amountOff?:amount')

export const loadDiscounts = loaderById<DiscountRow>('discounts', DISCOUNT_FIELDS, BY_NAME)
