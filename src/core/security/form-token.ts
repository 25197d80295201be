/** Tokens that open the form of a booking. */
import { createSealedTokens } from './sealed-token.ts'

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

export function createFormTokens(...secrets: [string, ...string[]]): FormTokens {
  const tokens = createSealedTokens('booking form', ...secrets)
  return {
    seal: ({ companyId, formId, bookingId }) => tokens.seal([companyId, formId, bookingId]),
    open: (token) => {
      const [companyId, formId, bookingId] = (tokens.open(token) ?? []) as [string?, string?, string?]
      if (companyId === undefined || formId === undefined || bookingId === undefined) return null
      return { companyId, formId, bookingId }
    },
  }
}
