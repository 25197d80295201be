/** Bookings: quotes that were agreed on. */
import { defineFields, publicColumns } from '../../codec/fields.ts'
import { lister } from '../../codec/list.ts'
import { finderById, loaderById } from '../../codec/load.ts'
import { publicObject } from '../../codec/public-object.ts'
import { BOOKING_COLUMNS } from './columns.ts'

export const BOOKING_FIELDS = defineFields(publicColumns(BOOKING_COLUMNS))

export const findBooking = finderById(BOOKING_COLUMNS, BOOKING_FIELDS)

/** Newest first. */
export const listBookings = lister({ recordType: BOOKING_COLUMNS, fields: BOOKING_FIELDS })

export const loadBookings = loaderById(BOOKING_COLUMNS, BOOKING_FIELDS)

export const BOOKING = publicObject(BOOKING_COLUMNS, BOOKING_FIELDS, {})
