/** Discounts in the application. */
import { defineKind } from '../kind.ts'
import { DISCOUNT_COLUMNS } from './columns.ts'

export const DISCOUNT_KIND = defineKind(DISCOUNT_COLUMNS, {
  path: 'discounts',
  noun: 'discount',
  label: 'discount',
  idPrefix: 'disc',
  editable: ['name', 'type', 'percentOff', 'amountOff', 'currency'],
  fixed: ['type', 'percentOff', 'amountOff', 'currency'],
  uses: [
    { table: 'quotes', column: 'discount_id' },
    { table: 'line_items', column: 'discount_id' },
  ],
})
