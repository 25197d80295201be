/** Tax rates, archived ones too. */
import { loaderById } from './load.ts'

export interface TaxRateRow {
  id: string
  name: string
  rate: string
}

export const loadTaxRates = loaderById<TaxRateRow>('tax_rates', 'id name rate:amount', 't.id')
