/** The booking object, without its relations. */
import { publicObject } from '../../codec/public-object.ts'
import { BOOKING_COLUMNS } from './columns.ts'
import { BOOKING_FIELDS } from './queries.ts'

export const BOOKING = publicObject(BOOKING_COLUMNS, BOOKING_FIELDS, {})
