/** Tokens that open a revision of a quote. */
import { createSealedTokens } from './sealed-token.ts'

export interface RevisionRef {
  companyId: string
  quoteId: string
  revision: number
}

export interface QuoteTokens {
  seal: (revision: RevisionRef) => string
  /** Null for anything that was not sealed with one of the secrets. */
  open: (token: string) => RevisionRef | null
}

export function createQuoteTokens(...secrets: [string, ...string[]]): QuoteTokens {
  const tokens = createSealedTokens('quote', ...secrets)
  return {
    seal: ({ companyId, quoteId, revision }) => tokens.seal([companyId, quoteId, revision]),
    open: (token) => {
      const [companyId, quoteId, revision] = (tokens.open(token) ?? []) as [string?, string?, number?]
      if (companyId === undefined || quoteId === undefined || revision === undefined) return null
      return { companyId, quoteId, revision }
    },
  }
}
