/** The payment terms object. */
import { publicObject } from '../../codec/public-object.ts'
import { PAYMENT_TERMS_COLUMNS } from './columns.ts'
import { PAYMENT_TERMS_FIELDS } from './queries.ts'

export const PAYMENT_TERMS = publicObject(
  PAYMENT_TERMS_COLUMNS,
  PAYMENT_TERMS_FIELDS,
  {},
  { id: 'PaymentTerms', description: 'When and how a booking is paid.' },
)
