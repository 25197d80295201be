/** Bookings: list and get. */
import { findBooking, listBookings as listRows } from '../records/booking/object.ts'
import { idFilter, timeFilter } from './parameters.ts'
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
    leadId: idFilter('lead', 'leadId', 'lead_0087'),
    quoteId: idFilter('quote', 'quoteId', 'quote_0145'),
    eventTypeId: idFilter('event type', 'eventTypeId', 'type_graduation'),
    createdAt: timeFilter('Created'),
    updatedAt: timeFilter('Changed'),
  },
  list: listRows,
})

export const getBooking = getEndpoint({ ...BOOKINGS, operation: 'getBooking', find: findBooking })
