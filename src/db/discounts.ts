/** Discount definitions, archived ones too: where they are attached they stay visible. */
import type { ValueType } from '../core/enumerations.ts'
import { BY_NAME, loaderById } from './load.ts'

export interface DiscountRow {
  id: string
  name: string
  type: ValueType
  percentOff: string | null
  amountOff: string | null
}

export const loadDiscounts = loaderById<DiscountRow>(
  'discounts',
  'id name type percentOff?:amount amountOff?:amount',
  BY_NAME,
)
