/** Calls every endpoint with openapi-fetch and the types of openapi-typescript, and prints the data it gets. */
import createClient from 'openapi-fetch'
import type { paths } from './generated/openapi-typescript.js'
import { BASE_URL, EVENT_TASK, ID, KEY, LEAD, LEAD_CHANGES, TASK, dataOf, print } from './settings.js'

const api = createClient<paths>({ baseUrl: BASE_URL, headers: { 'x-api-key': KEY } })

const quotes = await api.GET('/quotes', {
  params: {
    query: {
      limit: 2,
      lead_id: 'lead_0145',
      'created_at[gte]': '2026-01-01T00:00:00Z',
      'expand[]': ['data.lead', 'data.booking.events.booking.events'],
    },
  },
})
const quote = await api.GET('/quotes/{id}', {
  params: { path: { id: 'quote_0246' }, query: { 'expand[]': ['lead', 'booking.invoices'] } },
})
const resources = await api.GET('/resources', { params: { query: { limit: 2 } } })
const resource = await api.GET('/resources/{id}', { params: { path: { id: 'res_0001' } } })
const staff = await api.GET('/staff/{id}', { params: { path: { id: 'staff_0001' } } })
const task = await api.POST('/task/create', { body: TASK })
const formResponse = await api.GET('/form-response/{id}', { params: { path: { id: 'resp_0006_1' } } })
const flat = await api.GET('/form-response/{id}', {
  params: { path: { id: 'resp_0006_1' }, query: { format: 'flat' } },
})
const invoices = await api.GET('/invoice/{booking_id}', { params: { path: { booking_id: 'book_0246' } } })
const booking = await api.GET('/bookings/{id}', {
  params: { path: { id: ID.getBooking }, query: { 'expand[]': ['events.booking.events.booking'] } },
})
const lead = await api.POST('/leads', { body: LEAD })
const changedLead = await api.POST('/leads/{id}', {
  params: { path: { id: lead.data?.id ?? '' } },
  body: LEAD_CHANGES,
})
const eventTask = await api.POST('/tasks', { body: EVENT_TASK })
const params = { path: { id: eventTask.data?.id ?? '' } }
const doneTask = await api.POST('/tasks/{id}', { params, body: { completed: true } })
const deletedTask = await api.DELETE('/tasks/{id}', { params })
const reads = await dataOf({
  listBookings: api.GET('/bookings', { params: { query: { limit: 2 } } }),
  listEvents: api.GET('/events', { params: { query: { limit: 2 } } }),
  listStaff: api.GET('/staff', { params: { query: { limit: 2, status: 'inactive' } } }),
  listLeads: api.GET('/leads', { params: { query: { limit: 2, starting_after: 'lead_0145' } } }),
  listTasks: api.GET('/tasks', { params: { query: { limit: 2, event_id: 'event_0045_2' } } }),
  listFormResponses: api.GET('/form-responses', { params: { query: { limit: 2 } } }),
  listInvoices: api.GET('/invoices', { params: { query: { limit: 2, status: 'Paid' } } }),
  listServices: api.GET('/services', { params: { query: { limit: 2, archived: true } } }),
  listAddons: api.GET('/addons', { params: { query: { limit: 2, archived: false } } }),
  listLocations: api.GET('/locations', { params: { query: { limit: 2 } } }),
  listEventTypes: api.GET('/event-types', { params: { query: { limit: 2 } } }),
  listChanges: api.GET('/changes', { params: { query: { limit: 1, type: ['data.imported'] } } }),
  getEvent: api.GET('/events/{id}', { params: { path: { id: ID.getEvent } } }),
  getLead: api.GET('/leads/{id}', { params: { path: { id: ID.getLead } } }),
  getTask: api.GET('/tasks/{id}', { params: { path: { id: ID.getTask } } }),
  getFormResponseObject: api.GET('/form-responses/{id}', {
    params: { path: { id: ID.getFormResponseObject } },
  }),
  getInvoice: api.GET('/invoices/{id}', { params: { path: { id: ID.getInvoice } } }),
  getService: api.GET('/services/{id}', { params: { path: { id: ID.getService } } }),
  getAddon: api.GET('/addons/{id}', { params: { path: { id: ID.getAddon } } }),
  getLocation: api.GET('/locations/{id}', { params: { path: { id: ID.getLocation } } }),
  getEventType: api.GET('/event-types/{id}', { params: { path: { id: ID.getEventType } } }),
})
const missing = await api.GET('/staff/{id}', { params: { path: { id: 'nobody' } } })

const [form] = flat.data ?? []
const answers = form !== undefined && !('formQuestionResponses' in form) ? Object.values(form) : []
print({
  ...reads,
  listQuotes: quotes.data,
  getQuote: quote.data,
  listResources: resources.data,
  getResource: resource.data,
  getStaff: staff.data,
  createTask: task.data?.task.description,
  getBooking: booking.data,
  createLead: lead.data?.name,
  updateLead: changedLead.data?.phone,
  createTaskOfEvent: eventTask.data?.description,
  updateTask: doneTask.data?.completed,
  deleteTask: deletedTask.data?.deleted,
  getFormResponse: formResponse.data,
  flatFormResponse: flat.data,
  getInvoiceReference: invoices.data,
  deepestEvent: quotes.data?.data[0]?.booking?.events?.[0]?.booking?.events?.[0]?.id,
  deepestBooking: booking.data?.events?.[0]?.booking?.events?.[0]?.booking?.id,
  answers,
  error: { code: missing.error?.error.code, param: missing.error?.error.param },
})
