/** Tax rates, archived ones too. */
import { defineFields } from '../../codec/fields.ts'
import { loaderById } from '../../codec/load.ts'

export interface TaxRateRow {
  id: string
  name: string
  rate: string
}

export const TAX_RATE_FIELDS = defineFields<TaxRateRow>('id name rate:amount')

export const loadTaxRates = loaderById<TaxRateRow>('tax_rates', TAX_RATE_FIELDS, 't.id')
