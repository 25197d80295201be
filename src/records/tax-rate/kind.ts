/** Tax rates in the application. */
import { defineKind } from '../kind.ts'
import { TAX_RATE_COLUMNS } from './columns.ts'

export const TAX_RATE_KIND = defineKind(TAX_RATE_COLUMNS, {
  path: 'tax-rates',
  noun: 'tax_rate',
  label: 'tax rate',
  idPrefix: 'tax',
  editable: ['name', 'rate'],
  fixed: ['rate'],
  uses: [{ table: 'quotes', column: 'tax_rate_id' }],
  companyDefault: { column: 'default_tax_rate_id', isList: false },
})
