/** Discount definitions, including archived ones: they stay visible where they are attached. */
import { publicRecord } from '../../codec/public-record.ts'
import { BY_NAME } from '../../codec/load.ts'
import { DISCOUNT_COLUMNS } from './columns.ts'

export const { object: DISCOUNT, load: loadDiscounts } = publicRecord(DISCOUNT_COLUMNS, {
  documentation: {
    id: 'Discount',
    description: 'A discount on a quote or on a line. Archived discounts that are attached stay visible.',
  },
  orderBy: BY_NAME,
})
