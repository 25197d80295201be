/** What public objects depend on, apart from the row. */
export interface Presentation {
  /** The time of the request, ISO 8601 in UTC with milliseconds. */
  now: string
  invoiceUrl: (companyId: string, invoiceId: string) => string
  /** The page of a revision for the customer. */
  quoteUrl: (companyId: string, quoteId: string, revision: number) => string
}
