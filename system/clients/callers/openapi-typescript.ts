/** Calls every endpoint with openapi-fetch and the types of openapi-typescript, and prints the data it gets. */
import createClient from 'openapi-fetch'
import type { paths } from './generated/openapi-typescript.js'
import {
  BASE_URL,
  ENDPOINT,
  ENDPOINT_CHANGES,
  EVENT_CHANGES,
  EVENT_TASK,
  ID,
  INVOICE,
  KEY,
  LEAD,
  LEAD_CHANGES,
  LOSS,
  OFFER,
  PAYMENT,
  QUOTE,
  QUOTE_CHANGES,
  RANGE,
  REPLAY,
  ROTATION,
  TASK,
  dataOf,
  newestId,
  print,
} from './settings.js'

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
const newQuote = await api.POST('/quotes', { body: QUOTE })
const ofQuote = { path: { id: newQuote.data?.id ?? '' } }
const changedQuote = await api.POST('/quotes/{id}', { params: ofQuote, body: QUOTE_CHANGES })
const sentQuote = await api.POST('/quotes/{id}/send', { params: ofQuote, body: OFFER })
const quoteLink = await api.GET('/quotes/{id}/link', { params: ofQuote })
const lostQuote = await api.POST('/quotes/{id}/lose', { params: ofQuote, body: LOSS })
const reopenedQuote = await api.POST('/quotes/{id}/reopen', { params: ofQuote, body: {} })
const bookedQuote = await api.POST('/quotes/{id}/book', { params: ofQuote, body: {} })
const events = await api.GET('/events', {
  params: { query: { booking_id: bookedQuote.data?.bookingId ?? '' } },
})
const ofEvent = { path: { id: events.data?.data[0]?.id ?? '' } }
const changedEvent = await api.POST('/events/{id}', { params: ofEvent, body: EVENT_CHANGES })
const canceledEvent = await api.POST('/events/{id}/cancel', { params: ofEvent, body: {} })
const paidInvoice = await api.POST('/invoices/{id}/payments', {
  params: { path: { id: INVOICE } },
  body: PAYMENT,
})
const newEndpoint = await api.POST('/webhook-endpoints', { body: ENDPOINT })
const ofEndpoint = { path: { id: newEndpoint.data?.id ?? '' } }
const changedEndpoint = await api.POST('/webhook-endpoints/{id}', {
  params: ofEndpoint,
  body: ENDPOINT_CHANGES,
})
const rotated = await api.POST('/webhook-endpoints/{id}/rotate', { params: ofEndpoint, body: ROTATION })
const replayed = await api.POST('/webhook-endpoints/{id}/replay', { params: ofEndpoint, body: REPLAY })
const ofNewEndpoint = { params: { query: { endpoint_id: ofEndpoint.path.id } } }
const deliveryId = await newestId(
  async () => (await api.GET('/webhook-deliveries', ofNewEndpoint)).data?.data,
)
const retried = await api.POST('/webhook-deliveries/{id}/retry', {
  params: { path: { id: deliveryId } },
  body: {},
})
const deletedEndpoint = await api.DELETE('/webhook-endpoints/{id}', { params: ofEndpoint })
const reads = await dataOf({
  listBookings: api.GET('/bookings', { params: { query: { limit: 2, starting_after: 'book_0241' } } }),
  listEvents: api.GET('/events', { params: { query: { limit: 2, starting_after: 'event_0241_1' } } }),
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
  getAvailability: api.GET('/availability', { params: { query: RANGE } }),
  listWebhookEndpoints: api.GET('/webhook-endpoints', { params: { query: { limit: 2 } } }),
  listWebhookDeliveries: api.GET('/webhook-deliveries', {
    params: { query: { limit: 2, endpoint_id: 'whe_demo_1' } },
  }),
  getWebhookEndpoint: api.GET('/webhook-endpoints/{id}', {
    params: { path: { id: ID.getWebhookEndpoint } },
  }),
  getWebhookDelivery: api.GET('/webhook-deliveries/{id}', {
    params: { path: { id: ID.getWebhookDelivery } },
  }),
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
  createQuote: newQuote.data?.totalPriceCents,
  updateQuote: changedQuote.data?.guestCount,
  sendQuote: sentQuote.data?.expiresAt,
  getQuoteLink: quoteLink.data?.revision,
  loseQuote: lostQuote.data?.lostReason,
  reopenQuote: reopenedQuote.data?.lostReason,
  bookQuote: bookedQuote.data?.eventAddress,
  updateEvent: changedEvent.data?.staffDressCode,
  cancelEvent: typeof canceledEvent.data?.canceledAt === 'string',
  recordPayment: paidInvoice.data?.status,
  createWebhookEndpoint: newEndpoint.data?.status,
  updateWebhookEndpoint: changedEndpoint.data?.description,
  rotateWebhookSecret: rotated.data?.secret.slice(0, 6),
  replayChanges: replayed.data?.url,
  retryWebhookDelivery: retried.data?.status,
  deleteWebhookEndpoint: deletedEndpoint.data?.deleted,
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
