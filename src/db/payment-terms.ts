/** Payment terms, archived ones too. */
import { loaderById } from './load.ts'

export interface PaymentTermsRow {
  id: string
  name: string
  paymentSchedule: 'DEPOSIT' | 'FULL' | 'CARD_ON_FILE' | 'INVOICE_ONLY'
  depositType: 'PERCENT' | 'AMOUNT' | null
  depositPercentage: string | null
  depositAmountCents: string | null
  invoiceDueDays: number
}

export const loadPaymentTerms = loaderById<PaymentTermsRow>(
  'payment_terms',
  'id name paymentSchedule depositType depositPercentage depositAmountCents invoiceDueDays',
  'id',
)
