/** Calls every endpoint with the fetch client of orval, and prints the data it gets. */
import * as api from './generated/orval.js'
import { EVENT_TASK, ID, KEY, LEAD, LEAD_CHANGES, TASK, dataOf, print } from './settings.js'

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
const reads = await dataOf({
  listBookings: api.listBookings({ limit: 2 }, { headers }),
  listEvents: api.listEvents({ limit: 2 }, { headers }),
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
