/** What public objects are made from beside the row. */
export interface Presentation {
  /** The moment of the request, ISO 8601 in UTC with milliseconds. */
  now: string
  invoiceUrl: (companyId: string, invoiceId: string) => string
}
