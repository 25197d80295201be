/**
 * Calls every endpoint with the client of @hey-api/openapi-ts, whose validators check each request and response. It prints
 * what the validators return, because a validator drops members that it does not know.
 */
import * as api from './generated/hey-api/index.js'
import { client } from './generated/hey-api/client.gen.js'
import * as validators from './generated/hey-api/zod.gen.js'
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
const newQuote = await api.createQuote({ body: QUOTE })
const toQuote = { path: { id: newQuote.data?.id ?? '' } }
const changedQuote = await api.updateQuote({ ...toQuote, body: QUOTE_CHANGES })
const sentQuote = await api.sendQuote({ ...toQuote, body: OFFER })
const quoteLink = await api.getQuoteLink(toQuote)
const lostQuote = await api.loseQuote({ ...toQuote, body: LOSS })
const reopenedQuote = await api.reopenQuote({ ...toQuote, body: {} })
const bookedQuote = await api.bookQuote({ ...toQuote, body: {} })
const events = await api.listEvents({ query: { booking_id: bookedQuote.data?.bookingId ?? '' } })
const toEvent = { path: { id: events.data?.data[0]?.id ?? '' } }
const changedEvent = await api.updateEvent({ ...toEvent, body: EVENT_CHANGES })
const canceledEvent = await api.cancelEvent({ ...toEvent, body: {} })
const paidInvoice = await api.recordPayment({ path: { id: INVOICE }, body: PAYMENT })
const newEndpoint = await api.createWebhookEndpoint({ body: ENDPOINT })
const toEndpoint = { path: { id: newEndpoint.data?.id ?? '' } }
const changedEndpoint = await api.updateWebhookEndpoint({ ...toEndpoint, body: ENDPOINT_CHANGES })
const rotated = await api.rotateWebhookSecret({ ...toEndpoint, body: ROTATION })
const replayed = await api.replayChanges({ ...toEndpoint, body: REPLAY })
const deliveryId = await newestId(
  async () => (await api.listWebhookDeliveries({ query: { endpoint_id: toEndpoint.path.id } })).data?.data,
)
const retried = await api.retryWebhookDelivery({ path: { id: deliveryId }, body: {} })
const deletedEndpoint = await api.deleteWebhookEndpoint(toEndpoint)
const reads = await dataOf({
  listBookings: api.listBookings({ query: { limit: 2, starting_after: 'book_0241' } }),
  listEvents: api.listEvents({ query: { limit: 2, starting_after: 'event_0241_1' } }),
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
  getAvailability: api.getAvailability({ query: RANGE }),
  listWebhookEndpoints: api.listWebhookEndpoints({ query: { limit: 2 } }),
  listWebhookDeliveries: api.listWebhookDeliveries({ query: { limit: 2, endpoint_id: 'whe_demo_1' } }),
  getWebhookEndpoint: api.getWebhookEndpoint({ path: { id: ID.getWebhookEndpoint } }),
  getWebhookDelivery: api.getWebhookDelivery({ path: { id: ID.getWebhookDelivery } }),
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
  getFormResponse: validators.zGetFormResponseResponse.parse(formResponse.data),
  flatFormResponse: validators.zGetFormResponseResponse.parse(flat.data),
  getInvoiceReference: validators.zGetInvoiceReferenceResponse.parse(invoices.data),
  deepestEvent: quotes.data?.data[0]?.booking?.events?.[0]?.booking?.events?.[0]?.id,
  deepestBooking: booking.data?.events?.[0]?.booking?.events?.[0]?.booking?.id,
  answers,
  error: { code: missing.error?.error.code, param: missing.error?.error.param },
})
