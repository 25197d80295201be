/** Tokens that open an invoice. */
import { createSealedTokens } from './sealed-token.ts'

interface InvoiceRef {
  companyId: string
  invoiceId: string
}

export interface InvoiceTokens {
  seal: (invoice: InvoiceRef) => string
  /** Null for anything that was not sealed with one of the secrets. */
  open: (token: string) => InvoiceRef | null
}

export function createInvoiceTokens(...secrets: [string, ...string[]]): InvoiceTokens {
  const tokens = createSealedTokens('invoice', ...secrets)
  return {
    seal: ({ companyId, invoiceId }) => tokens.seal([companyId, invoiceId]),
    open: (token) => {
      const [companyId, invoiceId] = (tokens.open(token) ?? []) as [string?, string?]
      return companyId === undefined || invoiceId === undefined ? null : { companyId, invoiceId }
    },
  }
}
