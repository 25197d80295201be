/** The tax rate object. */
import { publicObject } from '../../codec/public-object.ts'
import { TAX_RATE_COLUMNS } from './columns.ts'
import { TAX_RATE_FIELDS } from './queries.ts'

export const TAX_RATE = publicObject(
  TAX_RATE_COLUMNS,
  TAX_RATE_FIELDS,
  {},
  { id: 'TaxRate', description: 'The tax of a quote.' },
)
