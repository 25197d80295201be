/** Invoices: list and get. */
import { INVOICE_STATUSES } from '../core/pricing/invoice.ts'
import { listInvoices as listRows } from '../records/invoice/list.ts'
import { findInvoice } from '../records/invoice/queries.ts'
import { dateTimeBounds, idFilter, oneOfFilter, rangeOf } from './parameters.ts'
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
    booking_id: idFilter('booking', 'bookingId', 'book_0268'),
    lead_id: idFilter('lead', 'leadId', 'lead_0161'),
    status: oneOfFilter('status', INVOICE_STATUSES, 'The status at the time of the request.', 'Paid'),
    ...dateTimeBounds('due_date', 'Due'),
    ...dateTimeBounds('created_at', 'Created'),
    ...dateTimeBounds('updated_at', 'Changed'),
  },
  list: (db, companyId, values, page, { now }) =>
    listRows(
      db,
      companyId,
      {
        bookingId: values.booking_id,
        leadId: values.lead_id,
        status: values.status,
        dueDate: rangeOf(values, 'due_date'),
        createdAt: rangeOf(values, 'created_at'),
        updatedAt: rangeOf(values, 'updated_at'),
      },
      page,
      now,
    ),
})

export const getInvoice = getEndpoint({ ...INVOICES, operation: 'getInvoice', find: findInvoice })
