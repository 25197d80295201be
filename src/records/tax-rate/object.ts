/** Tax rates, including archived ones. */
import { publicRecord } from '../../codec/public-record.ts'
import { TAX_RATE_COLUMNS } from './columns.ts'

export const { object: TAX_RATE, load: loadTaxRates } = publicRecord(TAX_RATE_COLUMNS, {
  documentation: { id: 'TaxRate', description: 'The tax of a quote.' },
})
