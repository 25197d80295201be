/** Service charges in the application. */
import { defineKind } from '../kind.ts'
import { SERVICE_CHARGE_COLUMNS } from './columns.ts'

export const SERVICE_CHARGE_KIND = defineKind(SERVICE_CHARGE_COLUMNS, {
  path: 'service-charges',
  noun: 'service_charge',
  label: 'service charge',
  idPrefix: 'charge',
  editable: ['name', 'type', 'percentage', 'amountCents', 'currency', 'taxable'],
  fixed: ['type', 'percentage', 'amountCents', 'currency', 'taxable'],
  uses: [{ table: 'quotes', column: 'service_charge_ids', isList: true }],
  companyDefault: { column: 'default_service_charge_ids', isList: true },
})
