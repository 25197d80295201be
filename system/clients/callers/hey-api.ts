/**
 * Calls every endpoint with the client of @hey-api/openapi-ts, whose validators check each request and response. It prints
 * what the validators return, because a validator drops members that it does not know.
 */
import * as api from './generated/hey-api/index.js'
import { client } from './generated/hey-api/client.gen.js'
import * as validators from './generated/hey-api/zod.gen.js'
import { BASE_URL, EVENT_TASK, ID, KEY, LEAD, LEAD_CHANGES, TASK, dataOf, print } from './settings.js'

client.setConfig({ baseUrl: BASE_URL, auth: KEY })

const quotes = await api.listQuotes({
  query: {
    limit: 2,
    lead_id: 'lead_0145',
    'created_at[gte]': '2026-01-01T00:00:00Z',
    'expand[]': ['data.lead', 'data.booking.events.booking.events'],
  },
})
const quote = await api.getQuote({
  path: { id: 'quote_0246' },
  query: { 'expand[]': ['lead', 'booking.invoices'] },
})
const resources = await api.listResources({ query: { limit: 2 } })
const resource = await api.getResource({ path: { id: 'res_0001' } })
const staff = await api.getStaff({ path: { id: 'staff_0001' } })
const task = await api.createTask({ body: TASK })
const formResponse = await api.getFormResponse({ path: { id: 'resp_0006_1' } })
const flat = await api.getFormResponse({ path: { id: 'resp_0006_1' }, query: { format: 'flat' } })
const invoices = await api.getInvoiceReference({ path: { booking_id: 'book_0246' } })
const booking = await api.getBooking({
  path: { id: ID.getBooking },
  query: { 'expand[]': ['events.booking.events.booking'] },
})
const lead = await api.createLead({ body: LEAD })
const changedLead = await api.updateLead({ path: { id: lead.data?.id ?? '' }, body: LEAD_CHANGES })
const eventTask = await api.createTaskOfEvent({ body: EVENT_TASK })
const path = { id: eventTask.data?.id ?? '' }
const doneTask = await api.updateTask({ path, body: { completed: true } })
const deletedTask = await api.deleteTask({ path })
const reads = await dataOf({
  listBookings: api.listBookings({ query: { limit: 2 } }),
  listEvents: api.listEvents({ query: { limit: 2 } }),
  listStaff: api.listStaff({ query: { limit: 2, status: 'inactive' } }),
  listLeads: api.listLeads({ query: { limit: 2, starting_after: 'lead_0145' } }),
  listTasks: api.listTasks({ query: { limit: 2, event_id: 'event_0045_2' } }),
  listFormResponses: api.listFormResponses({ query: { limit: 2 } }),
  listInvoices: api.listInvoices({ query: { limit: 2, status: 'Paid' } }),
  listServices: api.listServices({ query: { limit: 2, archived: true } }),
  listAddons: api.listAddons({ query: { limit: 2, archived: false } }),
  listLocations: api.listLocations({ query: { limit: 2 } }),
  listEventTypes: api.listEventTypes({ query: { limit: 2 } }),
  listChanges: api.listChanges({ query: { limit: 1, type: ['data.imported'] } }),
  getEvent: api.getEvent({ path: { id: ID.getEvent } }),
  getLead: api.getLead({ path: { id: ID.getLead } }),
  getTask: api.getTask({ path: { id: ID.getTask } }),
  getFormResponseObject: api.getFormResponseObject({ path: { id: ID.getFormResponseObject } }),
  getInvoice: api.getInvoice({ path: { id: ID.getInvoice } }),
  getService: api.getService({ path: { id: ID.getService } }),
  getAddon: api.getAddon({ path: { id: ID.getAddon } }),
  getLocation: api.getLocation({ path: { id: ID.getLocation } }),
  getEventType: api.getEventType({ path: { id: ID.getEventType } }),
})
const missing = await api.getStaff({ path: { id: 'nobody' } })

const [form] = flat.data ?? []
const answers = form !== undefined && !('formQuestionResponses' in form) ? Object.values(form) : []
const schemas = validators as unknown as Record<string, { parse: (data: unknown) => unknown }>
const validated = Object.fromEntries(
  Object.entries(reads).map(([name, data]) => [
    name,
    schemas[`z${name.charAt(0).toUpperCase()}${name.slice(1)}Response`]?.parse(data),
  ]),
) as typeof reads
print({
  ...validated,
  listQuotes: validators.zListQuotesResponse.parse(quotes.data),
  getQuote: validators.zGetQuoteResponse.parse(quote.data),
  listResources: validators.zListResourcesResponse.parse(resources.data),
  getResource: validators.zGetResourceResponse.parse(resource.data),
  getStaff: validators.zGetStaffResponse.parse(staff.data),
  createTask: task.data?.task.description,
  getBooking: validators.zGetBookingResponse.parse(booking.data),
  createLead: lead.data?.name,
  updateLead: changedLead.data?.phone,
  createTaskOfEvent: eventTask.data?.description,
  updateTask: doneTask.data?.completed,
  deleteTask: deletedTask.data?.deleted,
  getFormResponse: validators.zGetFormResponseResponse.parse(formResponse.data),
  flatFormResponse: validators.zGetFormResponseResponse.parse(flat.data),
  getInvoiceReference: validators.zGetInvoiceReferenceResponse.parse(invoices.data),
  deepestEvent: quotes.data?.data[0]?.booking?.events?.[0]?.booking?.events?.[0]?.id,
  deepestBooking: booking.data?.events?.[0]?.booking?.events?.[0]?.booking?.id,
  answers,
  error: { code: missing.error?.error.code, param: missing.error?.error.param },
})
