/** Calls every endpoint with the fetch client of orval, and prints the data it gets. */
import * as api from './generated/orval.js'
import { KEY, TASK, print } from './settings.js'

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
const missing = await api.getStaff('nobody', { headers })

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
