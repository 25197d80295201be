/** Payment terms, including archived ones. */
import { defineFields, publicColumns } from '../../codec/fields.ts'
import { loaderById } from '../../codec/load.ts'
import { publicObject } from '../../codec/public-object.ts'
import { PAYMENT_TERMS_COLUMNS } from './columns.ts'

const PAYMENT_TERMS_FIELDS = defineFields(publicColumns(PAYMENT_TERMS_COLUMNS))

export const loadPaymentTerms = loaderById(PAYMENT_TERMS_COLUMNS, PAYMENT_TERMS_FIELDS)

export const PAYMENT_TERMS = publicObject(
  PAYMENT_TERMS_COLUMNS,
  PAYMENT_TERMS_FIELDS,
  {},
  { id: 'PaymentTerms', description: 'When and how a booking is paid.' },
)
