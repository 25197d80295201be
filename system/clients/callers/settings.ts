/** Where the callers find the service, and what each of them must print. */

export const BASE_URL = process.env['BASE_URL'] ?? ''
export const KEY = process.env['API_KEY'] ?? ''

export const TASK = {
  eventId: 'event_0246_1',
  description: 'Sent by a generated client',
  dueDate: '2026-12-01T08:00:00Z',
}

/** The types come from the generated code: whether it compiles is half of the test. */
interface Results {
  listQuotes: object | undefined
  getQuote: object | undefined
  listResources: object | undefined
  getResource: object | undefined
  getStaff: object | undefined
  createTask: string | undefined
  getFormResponse: object | undefined
  flatFormResponse: object | undefined
  getInvoiceReference: object | undefined
  deepestEvent: string | undefined
  /** Metadata and answers of the flat form response. */
  answers: (string | null)[]
  error: { code: string | undefined; param: string | undefined } | undefined
}

export function print(results: Results): void {
  console.log(JSON.stringify(results))
}
