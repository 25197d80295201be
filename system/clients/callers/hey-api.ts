/**
 * Calls every endpoint with the client of @hey-api/openapi-ts, whose validators check each request and response. It prints
 * what the validators return, because a validator drops members that it does not know.
 */
import * as api from './generated/hey-api/index.js'
import { client } from './generated/hey-api/client.gen.js'
import * as validators from './generated/hey-api/zod.gen.js'
import { BASE_URL, KEY, TASK, print } from './settings.js'

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
const missing = await api.getStaff({ path: { id: 'nobody' } })

const [form] = flat.data ?? []
const answers = form !== undefined && !('formQuestionResponses' in form) ? Object.values(form) : []
print({
  listQuotes: validators.zListQuotesResponse.parse(quotes.data),
  getQuote: validators.zGetQuoteResponse.parse(quote.data),
  listResources: validators.zListResourcesResponse.parse(resources.data),
  getResource: validators.zGetResourceResponse.parse(resource.data),
  getStaff: validators.zGetStaffResponse.parse(staff.data),
  createTask: task.data?.task.description,
  getFormResponse: validators.zGetFormResponseResponse.parse(formResponse.data),
  flatFormResponse: validators.zGetFormResponseResponse.parse(flat.data),
  getInvoiceReference: validators.zGetInvoiceReferenceResponse.parse(invoices.data),
  deepestEvent: quotes.data?.data[0]?.booking?.events?.[0]?.booking?.events?.[0]?.id,
  answers,
  error: { code: missing.error?.error.code, param: missing.error?.error.param },
})
