/** The URLs of invoice and quote pages. */
import { nameCompany } from '../core/security/company-tag.ts'
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
  linksNameCompany: boolean,
): CustomerUrls {
  const invoiceTokens = nameCompany(createInvoiceTokens(...appSecrets), linksNameCompany)
  const quoteTokens = nameCompany(createQuoteTokens(...appSecrets), linksNameCompany)
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
