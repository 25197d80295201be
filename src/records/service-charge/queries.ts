/** Service charge definitions, archived ones too. */
import type { ValueType } from '../../core/enumerations.ts'
import { defineFields } from '../../codec/fields.ts'
import { BY_NAME, loaderById } from '../../codec/load.ts'

export interface ServiceChargeRow {
  id: string
  name: string
  type: ValueType
  percentage: string | null
  amountCents: string | null
  taxable: boolean
}

export const SERVICE_CHARGE_FIELDS = defineFields<ServiceChargeRow>(
  'id name type percentage?:amount amountCents?:amount taxable:boolean',
)

export const loadServiceCharges = loaderById<ServiceChargeRow>(
  'service_charges',
  SERVICE_CHARGE_FIELDS,
  BY_NAME,
)
