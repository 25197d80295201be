/** Invoices: list and get. */
import { INVOICE_STATUSES } from '../core/pricing/invoice.ts'
import { listInvoices as listRows } from '../records/invoice/list.ts'
import { findInvoice } from '../records/invoice/queries.ts'
import { idFilter, oneOfFilter, timeFilter } from './parameters.ts'
import { getEndpoint, listEndpoint } from './read-endpoints.ts'

const INVOICES = {
  object: 'invoice',
  path: '/invoices',
  tag: 'Invoices',
  noun: 'invoice',
  plural: 'invoices',
} as const

export const listInvoices = listEndpoint({
  ...INVOICES,
  operation: 'listInvoices',
  lastId: 'inv_0268_2',
  filters: {
    bookingId: idFilter('booking', 'bookingId', 'book_0268'),
    leadId: idFilter('lead', 'leadId', 'lead_0161'),
    status: oneOfFilter('status', INVOICE_STATUSES, 'The status at the time of the request.', 'Paid'),
    dueDate: timeFilter('Due'),
    createdAt: timeFilter('Created'),
    updatedAt: timeFilter('Changed'),
  },
  list: (db, companyId, filters, page, { now }) => listRows(db, companyId, filters, page, now),
})

export const getInvoice = getEndpoint({ ...INVOICES, operation: 'getInvoice', find: findInvoice })
