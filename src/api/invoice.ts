/** GET /invoice/{booking_id}. */
import { z } from 'zod'
import { ApiError } from '../core/requests/errors.ts'
import { listInvoiceIds } from '../records/invoice/queries.ts'
import { InvoiceReference, presentInvoiceReference } from '../records/invoice/reference.ts'
import type { Endpoint } from './endpoint.ts'
import { exampleOf } from './examples.ts'

const NOT_FOUND = { message: 'Booking not found' }

export const getInvoiceReference: Endpoint = {
  operation: 'getInvoiceReference',
  method: 'GET',
  path: '/api/invoice/:booking_id',
  errorShape: 'message',
  tag: 'Invoices',
  summary: 'Get the invoices of a booking',
  description:
    'Ids and URLs of all invoices of the booking, oldest first. Each URL opens a printable page without further authentication. Treat it as a secret.',
  idOf: 'booking',
  query: z.object({}),
  status: 200,
  response: InvoiceReference,
  example: exampleOf('getInvoiceReference'),
  errors: { not_found: NOT_FOUND },
  answer: async ({ db, companyId, id, presentation }) => {
    const invoiceIds = await listInvoiceIds(db, companyId, id)
    if (invoiceIds === null) throw new ApiError('not_found', NOT_FOUND)
    return { body: presentInvoiceReference(companyId, id, invoiceIds, presentation) }
  },
}
