/** Discount definitions, including archived ones: they stay visible where they are attached. */
import { defineFields, publicColumns } from '../../codec/fields.ts'
import { BY_NAME, loaderById } from '../../codec/load.ts'
import { publicObject } from '../../codec/public-object.ts'
import { DISCOUNT_COLUMNS } from './columns.ts'

const DISCOUNT_FIELDS = defineFields(publicColumns(DISCOUNT_COLUMNS))

export const loadDiscounts = loaderById(DISCOUNT_COLUMNS, DISCOUNT_FIELDS, BY_NAME)

export const DISCOUNT = publicObject(
  DISCOUNT_COLUMNS,
  DISCOUNT_FIELDS,
  {},
  {
    id: 'Discount',
    description: 'A discount on a quote or on a line. Archived discounts that are attached stay visible.',
  },
)
