/** The discount object: its definition, not the amount it comes to. */
import { publicObject } from '../../codec/public-object.ts'
import { DISCOUNT_COLUMNS } from './columns.ts'
import { DISCOUNT_FIELDS } from './queries.ts'

export const DISCOUNT = publicObject(
  DISCOUNT_COLUMNS,
  DISCOUNT_FIELDS,
  {},
  {
    id: 'Discount',
    description: 'A discount on a quote or on a line. Archived discounts that are attached stay visible.',
  },
)
