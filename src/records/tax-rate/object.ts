/** Tax rates, including archived ones. */
import { defineFields, publicColumns } from '../../codec/fields.ts'
import { loaderById } from '../../codec/load.ts'
import { publicObject } from '../../codec/public-object.ts'
import { TAX_RATE_COLUMNS } from './columns.ts'

const TAX_RATE_FIELDS = defineFields(publicColumns(TAX_RATE_COLUMNS))

export const loadTaxRates = loaderById(TAX_RATE_COLUMNS, TAX_RATE_FIELDS)

export const TAX_RATE = publicObject(
  TAX_RATE_COLUMNS,
  TAX_RATE_FIELDS,
  {},
  { id: 'TaxRate', description: 'The tax of a quote.' },
)
