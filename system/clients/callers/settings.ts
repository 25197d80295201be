/** Settings of the callers, and the output that each of them must print. */

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

/** A quote of a contact that each caller creates, so that the quotes of the demo world do not change. */
export const QUOTE = {
  lead: LEAD,
  locationId: 'loc_brooklyn',
  eventAddress: 'Pier 4, Brooklyn',
  serviceDays: [{ serviceStartTime: '2027-06-12T20:00:00Z', serviceEndTime: '2027-06-13T02:00:00Z' }],
  lines: [{ kind: 'CUSTOM' as const, description: 'Site visit', priceCents: 9000 }],
}
export const QUOTE_CHANGES = { guestCount: 140 }
export const OFFER = { expiresAt: '2035-12-31T22:00:00.000Z', message: 'This is our offer.' }
export const LOSS = { lostReason: 'WENT_SILENT' as const }
export const EVENT_CHANGES = { staffDressCode: 'Linen', staffIds: [] }
/** Each caller pays one cent of the same invoice. */
export const INVOICE = 'inv_0288_2'
export const PAYMENT = { amountCents: 1, method: 'Cash' }

export const ENDPOINT = { url: 'https://hooks.example.com/quoting', types: ['data.imported'] }
export const ENDPOINT_CHANGES = { description: 'CRM' }
export const ROTATION = { overlapHours: 1 }
/** A time before the import of the demo world, so that the new endpoint gets one delivery. */
export const REPLAY = { since: '2026-01-01T00:00:00Z' }

export const RANGE = { from: '2027-01-10T00:00:00Z', to: '2027-01-11T00:00:00Z' }

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
  getWebhookEndpoint: 'whe_demo_1',
  getWebhookDelivery: 'whd_1',
}

type Success<Response> = Extract<Response, { status: 200 | 201 }>

const isSuccess = <Response extends { status: number }>(
  response: Response | Success<Response>,
): response is Success<Response> => response.status === 200 || response.status === 201

/** The data of a response with a type that is a union by status. */
export function successOf<Response extends { status: number; data: unknown }>(
  response: Response,
): Success<Response>['data'] {
  if (!isSuccess(response)) throw new Error(JSON.stringify(response))
  return response.data
}

/** Waits for the first delivery of a replay, which runs in the background, and returns the id of the newest one. */
export async function newestId(list: () => Promise<readonly { id: string }[] | undefined>): Promise<string> {
  const deadline = Date.now() + 30_000
  for (;;) {
    const [newest] = (await list()) ?? []
    if (newest !== undefined) return newest.id
    if (Date.now() > deadline) throw new Error('the list is empty')
    await new Promise((resolve) => {
      setTimeout(resolve, 50)
    })
  }
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
  | 'getAvailability'
  | 'listWebhookEndpoints'
  | 'listWebhookDeliveries'

/** The types come from the generated code, so that the compiler checks it. */
interface Results extends Record<Reads, unknown> {
  listQuotes: object | undefined
  getQuote: object | undefined
  listResources: object | undefined
  getResource: object | undefined
  getStaff: object | undefined
  createTask: string | undefined
  createLead: string | undefined
  updateLead: string | null | undefined
  createQuote: number | undefined
  updateQuote: number | undefined
  sendQuote: string | null | undefined
  getQuoteLink: number | undefined
  loseQuote: string | null | undefined
  reopenQuote: string | null | undefined
  bookQuote: string | undefined
  updateEvent: string | null | undefined
  cancelEvent: boolean
  recordPayment: string | undefined
  createWebhookEndpoint: string | undefined
  updateWebhookEndpoint: string | null | undefined
  rotateWebhookSecret: string | undefined
  replayChanges: string | undefined
  retryWebhookDelivery: string | undefined
  deleteWebhookEndpoint: boolean | undefined
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
