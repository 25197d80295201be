/** Bookings: list and get. */
import { findBooking, listBookings as listRows } from '../records/booking/object.ts'
import { dateTimeBounds, idFilter, rangeOf } from './parameters.ts'
import { getEndpoint, listEndpoint } from './read-endpoints.ts'

const BOOKINGS = {
  object: 'booking',
  path: '/bookings',
  tag: 'Bookings',
  noun: 'booking',
  plural: 'bookings',
} as const

export const listBookings = listEndpoint({
  ...BOOKINGS,
  operation: 'listBookings',
  lastId: 'book_0145',
  filters: {
    lead_id: idFilter('lead', 'leadId', 'lead_0087'),
    quote_id: idFilter('quote', 'quoteId', 'quote_0145'),
    event_type_id: idFilter('event type', 'eventTypeId', 'type_graduation'),
    ...dateTimeBounds('created_at', 'Created'),
    ...dateTimeBounds('updated_at', 'Changed'),
  },
  list: (db, companyId, values, page) =>
    listRows(
      db,
      companyId,
      {
        leadId: values.lead_id,
        quoteId: values.quote_id,
        eventTypeId: values.event_type_id,
        createdAt: rangeOf(values, 'created_at'),
        updatedAt: rangeOf(values, 'updated_at'),
      },
      page,
    ),
})

export const getBooking = getEndpoint({ ...BOOKINGS, operation: 'getBooking', find: findBooking })
