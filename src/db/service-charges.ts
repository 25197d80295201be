/** Service charge definitions, archived ones too. */
import type { ValueType } from '../core/enumerations.ts'
import { BY_NAME, loaderById } from './load.ts'

export interface ServiceChargeRow {
  id: string
  name: string
  type: ValueType
  percentage: string | null
  amountCents: string | null
  taxable: boolean
}

export const loadServiceCharges = loaderById<ServiceChargeRow>(
  'service_charges',
  'id name type percentage?:amount amountCents?:amount taxable:boolean',
  BY_NAME,
)
