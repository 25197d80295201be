/** Calls every endpoint with openapi-fetch and the types of openapi-typescript, and prints the data it gets. */
import createClient from 'openapi-fetch'
import type { paths } from './generated/openapi-typescript.js'
import { BASE_URL, KEY, TASK, print } from './settings.js'

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
const missing = await api.GET('/staff/{id}', { params: { path: { id: 'nobody' } } })

const [form] = flat.data ?? []
const answers = form !== undefined && !('formQuestionResponses' in form) ? Object.values(form) : []
print({
  listQuotes: quotes.data,
  getQuote: quote.data,
  listResources: resources.data,
  getResource: resource.data,
  getStaff: staff.data,
  createTask: task.data?.task.description,
  getFormResponse: formResponse.data,
  flatFormResponse: flat.data,
  getInvoiceReference: invoices.data,
  deepestEvent: quotes.data?.data[0]?.booking?.events?.[0]?.booking?.events?.[0]?.id,
  answers,
  error: { code: missing.error?.error.code, param: missing.error?.error.param },
})
