/** Where the callers find the service, and what each of them must print. */

export const BASE_URL = process.env['BASE_URL'] ?? ''
export const KEY = process.env['API_KEY'] ?? ''

export const TASK = {
  eventId: 'event_0246_1',
  description: 'Sent by a generated client',
  dueDate: '2026-12-01T08:00:00Z',
}

export const LEAD = { firstName: 'Nadia', lastName: 'Okafor' }
export const LEAD_CHANGES = { phone: '+1 555 0100', lastName: null }
/** The event and description of a task. */
export const EVENT_TASK = { eventId: TASK.eventId, description: TASK.description }

/** Records of the demo world, by the operation that reads them. */
export const ID = {
  getBooking: 'book_0241',
  getEvent: 'event_0241_1',
  getLead: 'lead_0145',
  getTask: 'task_0045_2_1',
  getFormResponseObject: 'resp_0006_1',
  getInvoice: 'inv_0268_1',
  getService: 'svc_open_bar',
  getAddon: 'addon_late_bar',
  getLocation: 'loc_lisbon',
  getEventType: 'type_gala',
}

/** The data of several calls, by operation. */
export async function dataOf<Name extends string>(
  calls: Record<Name, Promise<{ data?: unknown }>>,
): Promise<Record<Name, unknown>> {
  const entries = Object.entries<Promise<{ data?: unknown }>>(calls)
  const results = await Promise.all(entries.map(async ([name, call]) => [name, (await call).data]))
  return Object.fromEntries(results) as Record<Name, unknown>
}

type Reads =
  | keyof typeof ID
  | 'listBookings'
  | 'listEvents'
  | 'listStaff'
  | 'listLeads'
  | 'listTasks'
  | 'listFormResponses'
  | 'listInvoices'
  | 'listServices'
  | 'listAddons'
  | 'listLocations'
  | 'listEventTypes'
  | 'listChanges'

/** The types come from the generated code: whether it compiles is half of the test. */
interface Results extends Record<Reads, unknown> {
  listQuotes: object | undefined
  getQuote: object | undefined
  listResources: object | undefined
  getResource: object | undefined
  getStaff: object | undefined
  createTask: string | undefined
  createLead: string | undefined
  updateLead: string | null | undefined
  createTaskOfEvent: string | undefined
  updateTask: boolean | undefined
  deleteTask: boolean | undefined
  getFormResponse: object | undefined
  flatFormResponse: object | undefined
  getInvoiceReference: object | undefined
  deepestEvent: string | undefined
  deepestBooking: string | undefined
  /** Metadata and answers of the flat form response. */
  answers: (string | null)[]
  error: { code: string | undefined; param: string | undefined } | undefined
}

export function print(results: Results): void {
  console.log(JSON.stringify(results))
}
