/** Calls every endpoint with the fetch client of orval, and prints the data it gets. */
import * as api from './generated/orval.js'
import {
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

const headers = { 'x-api-key': KEY }

const quotes = await api.listQuotes(
  {
    limit: 2,
    lead_id: 'lead_0145',
    'created_at[gte]': '2026-01-01T00:00:00Z',
    'expand[]': ['data.lead', 'data.booking.events.booking.events'],
  },
  { headers },
)
const quote = await api.getQuote('quote_0246', { 'expand[]': ['lead', 'booking.invoices'] }, { headers })
const resources = await api.listResources({ limit: 2 }, { headers })
const resource = await api.getResource('res_0001', { headers })
const staff = await api.getStaff('staff_0001', { headers })
const task = await api.createTask(TASK, { headers })
const formResponse = await api.getFormResponse('resp_0006_1', {}, { headers })
const flat = await api.getFormResponse('resp_0006_1', { format: 'flat' }, { headers })
const invoices = await api.getInvoiceReference('book_0246', { headers })
const booking = await api.getBooking(
  ID.getBooking,
  { 'expand[]': ['events.booking.events.booking'] },
  { headers },
)
const lead = await api.createLead(LEAD, { headers })
const changedLead = await api.updateLead(lead.status === 201 ? lead.data.id : '', LEAD_CHANGES, { headers })
const eventTask = await api.createTaskOfEvent(EVENT_TASK, { headers })
const taskId = eventTask.status === 201 ? eventTask.data.id : ''
const doneTask = await api.updateTask(taskId, { completed: true }, { headers })
const deletedTask = await api.deleteTask(taskId, { headers })
const newQuote = successOf(await api.createQuote(QUOTE, { headers }))
const changedQuote = successOf(await api.updateQuote(newQuote.id, QUOTE_CHANGES, { headers }))
const sentQuote = successOf(await api.sendQuote(newQuote.id, OFFER, { headers }))
const quoteLink = successOf(await api.getQuoteLink(newQuote.id, { headers }))
const lostQuote = successOf(await api.loseQuote(newQuote.id, LOSS, { headers }))
const reopenedQuote = successOf(await api.reopenQuote(newQuote.id, {}, { headers }))
const bookedQuote = successOf(await api.bookQuote(newQuote.id, {}, { headers }))
const events = successOf(await api.listEvents({ booking_id: bookedQuote.bookingId ?? '' }, { headers }))
const eventId = events.data[0]?.id ?? ''
const changedEvent = successOf(await api.updateEvent(eventId, EVENT_CHANGES, { headers }))
const canceledEvent = successOf(await api.cancelEvent(eventId, {}, { headers }))
const paidInvoice = successOf(await api.recordPayment(INVOICE, PAYMENT, { headers }))
const newEndpoint = successOf(await api.createWebhookEndpoint(ENDPOINT, { headers }))
const changedEndpoint = successOf(
  await api.updateWebhookEndpoint(newEndpoint.id, ENDPOINT_CHANGES, { headers }),
)
const rotated = successOf(await api.rotateWebhookSecret(newEndpoint.id, ROTATION, { headers }))
const replayed = successOf(await api.replayChanges(newEndpoint.id, REPLAY, { headers }))
const deliveryId = await newestId(
  async () => successOf(await api.listWebhookDeliveries({ endpoint_id: newEndpoint.id }, { headers })).data,
)
const retried = successOf(await api.retryWebhookDelivery(deliveryId, {}, { headers }))
const deletedEndpoint = successOf(await api.deleteWebhookEndpoint(newEndpoint.id, { headers }))
const reads = await dataOf({
  listBookings: api.listBookings({ limit: 2, starting_after: 'book_0241' }, { headers }),
  listEvents: api.listEvents({ limit: 2, starting_after: 'event_0241_1' }, { headers }),
  listStaff: api.listStaff({ limit: 2, status: 'inactive' }, { headers }),
  listLeads: api.listLeads({ limit: 2, starting_after: 'lead_0145' }, { headers }),
  listTasks: api.listTasks({ limit: 2, event_id: 'event_0045_2' }, { headers }),
  listFormResponses: api.listFormResponses({ limit: 2 }, { headers }),
  listInvoices: api.listInvoices({ limit: 2, status: 'Paid' }, { headers }),
  listServices: api.listServices({ limit: 2, archived: true }, { headers }),
  listAddons: api.listAddons({ limit: 2, archived: false }, { headers }),
  listLocations: api.listLocations({ limit: 2 }, { headers }),
  listEventTypes: api.listEventTypes({ limit: 2 }, { headers }),
  listChanges: api.listChanges({ limit: 1, type: ['data.imported'] }, { headers }),
  getAvailability: api.getAvailability(RANGE, { headers }),
  listWebhookEndpoints: api.listWebhookEndpoints({ limit: 2 }, { headers }),
  listWebhookDeliveries: api.listWebhookDeliveries({ limit: 2, endpoint_id: 'whe_demo_1' }, { headers }),
  getWebhookEndpoint: api.getWebhookEndpoint(ID.getWebhookEndpoint, { headers }),
  getWebhookDelivery: api.getWebhookDelivery(ID.getWebhookDelivery, { headers }),
  getEvent: api.getEvent(ID.getEvent, {}, { headers }),
  getLead: api.getLead(ID.getLead, { headers }),
  getTask: api.getTask(ID.getTask, { headers }),
  getFormResponseObject: api.getFormResponseObject(ID.getFormResponseObject, { headers }),
  getInvoice: api.getInvoice(ID.getInvoice, { headers }),
  getService: api.getService(ID.getService, { headers }),
  getAddon: api.getAddon(ID.getAddon, { headers }),
  getLocation: api.getLocation(ID.getLocation, { headers }),
  getEventType: api.getEventType(ID.getEventType, { headers }),
})
const missing = await api.getStaff('nobody', { headers })

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
