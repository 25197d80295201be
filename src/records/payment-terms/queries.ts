/** Payment terms, archived ones too. */
import type { PaymentSchedule, ValueType } from '../../core/enumerations.ts'
import { defineFields } from '../../codec/fields.ts'
import { loaderById } from '../../codec/load.ts'

export interface PaymentTermsRow {
  id: string
  name: string
  paymentSchedule: PaymentSchedule
  depositType: ValueType | null
  depositPercentage: string | null
  depositAmountCents: string | null
  invoiceDueDays: number
}

export const PAYMENT_TERMS_FIELDS = defineFields<PaymentTermsRow>(`
    id name paymentSchedule depositType? depositPercentage?:amount depositAmountCents?:amount
    invoiceDueDays:number`)

export const loadPaymentTerms = loaderById<PaymentTermsRow>('payment_terms', PAYMENT_TERMS_FIELDS, 't.id')
