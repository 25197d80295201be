/** Calls every endpoint with the client of oazapfts, and prints the data it gets. */
import * as api from './generated/oazapfts.js'
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
  successOf,
} from './settings.js'

api.defaults.baseUrl = BASE_URL
api.defaults.headers = { 'x-api-key': KEY }

const quotes = await api.listQuotes({
  limit: 2,
  leadId: 'lead_0145',
  createdAtGte: '2026-01-01T00:00:00Z',
  expand: ['data.lead', 'data.booking.events.booking.events'],
})
const quote = await api.getQuote('quote_0246', { expand: ['lead', 'booking.invoices'] })
const resources = await api.listResources({ limit: 2 })
const resource = await api.getResource('res_0001')
const staff = await api.getStaff('staff_0001')
const task = await api.createTask(TASK)
const formResponse = await api.getFormResponse('resp_0006_1')
const flat = await api.getFormResponse('resp_0006_1', { format: 'flat' })
const invoices = await api.getInvoiceReference('book_0246')
const booking = await api.getBooking(ID.getBooking, { expand: ['events.booking.events.booking'] })
const lead = await api.createLead(LEAD)
const changedLead = await api.updateLead(lead.status === 201 ? lead.data.id : '', LEAD_CHANGES)
const eventTask = await api.createTaskOfEvent(EVENT_TASK)
const taskId = eventTask.status === 201 ? eventTask.data.id : ''
const doneTask = await api.updateTask(taskId, { completed: true })
const deletedTask = await api.deleteTask(taskId)
const newQuote = successOf(await api.createQuote(QUOTE))
const changedQuote = successOf(await api.updateQuote(newQuote.id, QUOTE_CHANGES))
const sentQuote = successOf(await api.sendQuote(newQuote.id, OFFER))
const quoteLink = successOf(await api.getQuoteLink(newQuote.id))
const lostQuote = successOf(await api.loseQuote(newQuote.id, LOSS))
const reopenedQuote = successOf(await api.reopenQuote(newQuote.id, {}))
const bookedQuote = successOf(await api.bookQuote(newQuote.id, {}))
const events = successOf(await api.listEvents({ bookingId: bookedQuote.bookingId ?? '' }))
const eventId = events.data[0]?.id ?? ''
const changedEvent = successOf(await api.updateEvent(eventId, EVENT_CHANGES))
const canceledEvent = successOf(await api.cancelEvent(eventId, {}))
const paidInvoice = successOf(await api.recordPayment(INVOICE, PAYMENT))
const newEndpoint = successOf(await api.createWebhookEndpoint(ENDPOINT))
const changedEndpoint = successOf(await api.updateWebhookEndpoint(newEndpoint.id, ENDPOINT_CHANGES))
const rotated = successOf(await api.rotateWebhookSecret(newEndpoint.id, ROTATION))
const replayed = successOf(await api.replayChanges(newEndpoint.id, REPLAY))
const deliveryId = await newestId(
  async () => successOf(await api.listWebhookDeliveries({ endpointId: newEndpoint.id })).data,
)
const retried = successOf(await api.retryWebhookDelivery(deliveryId, {}))
const deletedEndpoint = successOf(await api.deleteWebhookEndpoint(newEndpoint.id))
const reads = await dataOf({
  listBookings: api.listBookings({ limit: 2, startingAfter: 'book_0241' }),
  listEvents: api.listEvents({ limit: 2, startingAfter: 'event_0241_1' }),
  listStaff: api.listStaff({ limit: 2, status: 'inactive' }),
  listLeads: api.listLeads({ limit: 2, startingAfter: 'lead_0145' }),
  listTasks: api.listTasks({ limit: 2, eventId: 'event_0045_2' }),
  listFormResponses: api.listFormResponses({ limit: 2 }),
  listInvoices: api.listInvoices({ limit: 2, status: 'Paid' }),
  listServices: api.listServices({ limit: 2, archived: true }),
  listAddons: api.listAddons({ limit: 2, archived: false }),
  listLocations: api.listLocations({ limit: 2 }),
  listEventTypes: api.listEventTypes({ limit: 2 }),
  listChanges: api.listChanges({ limit: 1, $type: ['data.imported'] }),
  getAvailability: api.getAvailability(RANGE.from, RANGE.to),
  listWebhookEndpoints: api.listWebhookEndpoints({ limit: 2 }),
  listWebhookDeliveries: api.listWebhookDeliveries({ limit: 2, endpointId: 'whe_demo_1' }),
  getWebhookEndpoint: api.getWebhookEndpoint(ID.getWebhookEndpoint),
  getWebhookDelivery: api.getWebhookDelivery(ID.getWebhookDelivery),
  getEvent: api.getEvent(ID.getEvent),
  getLead: api.getLead(ID.getLead),
  getTask: api.getTask(ID.getTask),
  getFormResponseObject: api.getFormResponseObject(ID.getFormResponseObject),
  getInvoice: api.getInvoice(ID.getInvoice),
  getService: api.getService(ID.getService),
  getAddon: api.getAddon(ID.getAddon),
  getLocation: api.getLocation(ID.getLocation),
  getEventType: api.getEventType(ID.getEventType),
})
const missing = await api.getStaff('nobody')

const [form] = flat.status === 200 ? flat.data : []
const answers = form !== undefined && !('formQuestionResponses' in form) ? Object.values(form) : []
const [first] = quotes.status === 200 ? quotes.data.data : []
const agreed = booking.status === 200 ? booking.data : undefined
print({
  ...reads,
  listQuotes: quotes.data,
  getQuote: quote.data,
  listResources: resources.data,
  getResource: resource.data,
  getStaff: staff.data,
  createTask: task.status === 201 ? task.data.task.description : undefined,
  getBooking: booking.data,
  createLead: lead.status === 201 ? lead.data.name : undefined,
  updateLead: changedLead.status === 200 ? changedLead.data.phone : undefined,
  createQuote: newQuote.totalPriceCents,
  updateQuote: changedQuote.guestCount,
  sendQuote: sentQuote.expiresAt,
  getQuoteLink: quoteLink.revision,
  loseQuote: lostQuote.lostReason,
  reopenQuote: reopenedQuote.lostReason,
  bookQuote: bookedQuote.eventAddress,
  updateEvent: changedEvent.staffDressCode,
  cancelEvent: typeof canceledEvent.canceledAt === 'string',
  recordPayment: paidInvoice.status,
  createWebhookEndpoint: newEndpoint.status,
  updateWebhookEndpoint: changedEndpoint.description,
  rotateWebhookSecret: rotated.secret.slice(0, 6),
  replayChanges: replayed.url,
  retryWebhookDelivery: retried.status,
  deleteWebhookEndpoint: deletedEndpoint.deleted,
  createTaskOfEvent: eventTask.status === 201 ? eventTask.data.description : undefined,
  updateTask: doneTask.status === 200 ? doneTask.data.completed : undefined,
  deleteTask: deletedTask.status === 200 ? deletedTask.data.deleted : undefined,
  getFormResponse: formResponse.data,
  flatFormResponse: flat.data,
  getInvoiceReference: invoices.data,
  deepestEvent: first?.booking?.events?.[0]?.booking?.events?.[0]?.id,
  deepestBooking: agreed?.events?.[0]?.booking?.events?.[0]?.booking?.id,
  answers,
  error:
    missing.status === 404 ? { code: missing.data.error.code, param: missing.data.error.param } : undefined,
})
