/** The URLs of invoice and quote pages. */
import { createInvoiceTokens } from '../core/security/invoice-token.ts'
import type { InvoiceTokens } from '../core/security/invoice-token.ts'
import { createQuoteTokens } from '../core/security/quote-token.ts'
import type { QuoteTokens } from '../core/security/quote-token.ts'
import type { Presentation } from '../codec/presentation.ts'

interface CustomerUrls {
  invoiceTokens: InvoiceTokens
  quoteTokens: QuoteTokens
  urls: Pick<Presentation, 'invoiceUrl' | 'quoteUrl'>
}

export function createCustomerUrls(
  appSecrets: readonly [string, ...string[]],
  publicUrl: () => string,
): CustomerUrls {
  const invoiceTokens = createInvoiceTokens(...appSecrets)
  const quoteTokens = createQuoteTokens(...appSecrets)
  return {
    invoiceTokens,
    quoteTokens,
    urls: {
      invoiceUrl: (companyId, invoiceId) =>
        `${publicUrl()}/i/${invoiceTokens.seal({ companyId, invoiceId })}`,
      quoteUrl: (companyId, quoteId, revision) =>
        `${publicUrl()}/q/${quoteTokens.seal({ companyId, quoteId, revision })}`,
    },
  }
}
