/** Tokens that open the form of a booking. They are sealed like those of invoices, with other keys. */
import { createInvoiceTokens } from './invoice-token.ts'

interface BookingForm {
  companyId: string
  formId: string
  bookingId: string
}

export interface FormTokens {
  seal: (form: BookingForm) => string
  /** Null for anything that was not sealed with one of the secrets. */
  open: (token: string) => BookingForm | null
}

/** Seals with the first secret and opens with any. */
export function createFormTokens(secret: string, ...previous: readonly string[]): FormTokens {
  const tokens = createInvoiceTokens(keyOf(secret), ...previous.map(keyOf))
  return {
    seal: ({ companyId, formId, bookingId }) =>
      tokens.seal({ companyId, invoiceId: JSON.stringify([formId, bookingId]) }),
    open: (token) => {
      const opened = tokens.open(token)
      if (opened === null) return null
      const [formId, bookingId] = JSON.parse(opened.invoiceId) as [string, string]
      return { companyId: opened.companyId, formId, bookingId }
    },
  }
}

/** No token of one purpose opens as one of the other. */
const keyOf = (secret: string) => `booking form ${secret}`
