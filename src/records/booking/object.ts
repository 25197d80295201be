/** Bookings: quotes that were agreed on. */
import { publicRecord } from '../../codec/public-record.ts'
import { lister } from '../../codec/list.ts'
import { BOOKING_COLUMNS } from './columns.ts'

export const {
  object: BOOKING,
  fields: BOOKING_FIELDS,
  find: findBooking,
  load: loadBookings,
} = publicRecord(BOOKING_COLUMNS)

/** Newest first. */
export const listBookings = lister({ recordType: BOOKING_COLUMNS, fields: BOOKING_FIELDS })
