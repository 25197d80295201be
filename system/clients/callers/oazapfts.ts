/** Calls every endpoint with the client of oazapfts, and prints the data it gets. */
import * as api from './generated/oazapfts.js'
import { BASE_URL, KEY, TASK, print } from './settings.js'

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
const missing = await api.getStaff('nobody')

const [form] = flat.status === 200 ? flat.data : []
const answers = form !== undefined && !('formQuestionResponses' in form) ? Object.values(form) : []
const [first] = quotes.status === 200 ? quotes.data.data : []
print({
  listQuotes: quotes.data,
  getQuote: quote.data,
  listResources: resources.data,
  getResource: resource.data,
  getStaff: staff.data,
  createTask: task.status === 201 ? task.data.task.description : undefined,
  getFormResponse: formResponse.data,
  flatFormResponse: flat.data,
  getInvoiceReference: invoices.data,
  deepestEvent: first?.booking?.events?.[0]?.booking?.events?.[0]?.id,
  answers,
  error:
    missing.status === 404 ? { code: missing.data.error.code, param: missing.data.error.param } : undefined,
})
