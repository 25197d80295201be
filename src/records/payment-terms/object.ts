/** Payment terms, including archived ones. */
import { publicRecord } from '../../codec/public-record.ts'
import { PAYMENT_TERMS_COLUMNS } from './columns.ts'

export const { object: PAYMENT_TERMS, load: loadPaymentTerms } = publicRecord(PAYMENT_TERMS_COLUMNS, {
  documentation: { id: 'PaymentTerms', description: 'When and how a booking is paid.' },
})
