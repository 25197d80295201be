/** The event object, without its relations. */
import { z } from 'zod'
import { isoFromPostgres } from '../core/datetime.ts'
import type { EventRow } from '../db/events.ts'
import { id, isoOrNull, optionalId, optionalText, optionalTimestamp, timestamp } from './fields.ts'

export const Event = z.strictObject({
  object: z.literal('event'),
  id: id('event'),
  companyId: id('company'),
  bookingId: optionalId('booking'),
  locationId: optionalId('location'),
  name: optionalText(),
  clientName: optionalText(),
  clientEmail: optionalText(),
  clientPhone: optionalText(),
  siteContactName: optionalText(),
  siteContactPhone: optionalText(),
  eventDescription: optionalText(),
  eventAddress: optionalText(),
  additionalLocationInfo: optionalText(),
  specialNotes: optionalText(),
  parkingLoadingInfo: optionalText(),
  staffDressCode: optionalText(),
  serviceStartTime: timestamp('When the service starts.'),
  serviceEndTime: timestamp('When the service ends.'),
  shiftStartTime: optionalTimestamp('When the staff start.'),
  shiftEndTime: optionalTimestamp('When the staff end.'),
  staffNumber: z.int().meta({ description: 'Staff needed.' }),
  resourceNumber: z.int().meta({ description: 'Resources needed.' }),
  guestCount: z.int().nullable(),
  multiDay: z.boolean(),
  outdoors: z.boolean(),
  tipJarAllowed: z.boolean(),
  createdAt: timestamp('When the event was created.'),
  updatedAt: timestamp('When the event was last changed.'),
})

/** Field by field: taking away what is not shown from a copy of the row costs ten times as much. */
export function presentEvent(row: EventRow): z.output<typeof Event> {
  return {
    object: 'event',
    id: row.id,
    companyId: row.companyId,
    bookingId: row.bookingId,
    locationId: row.locationId,
    name: row.name,
    clientName: row.clientName,
    clientEmail: row.clientEmail,
    clientPhone: row.clientPhone,
    siteContactName: row.siteContactName,
    siteContactPhone: row.siteContactPhone,
    eventDescription: row.eventDescription,
    eventAddress: row.eventAddress,
    additionalLocationInfo: row.additionalLocationInfo,
    specialNotes: row.specialNotes,
    parkingLoadingInfo: row.parkingLoadingInfo,
    staffDressCode: row.staffDressCode,
    serviceStartTime: isoFromPostgres(row.serviceStartTime),
    serviceEndTime: isoFromPostgres(row.serviceEndTime),
    shiftStartTime: isoOrNull(row.shiftStartTime),
    shiftEndTime: isoOrNull(row.shiftEndTime),
    staffNumber: row.staffNumber,
    resourceNumber: row.resourceNumber,
    guestCount: row.guestCount,
    multiDay: row.multiDay,
    outdoors: row.outdoors,
    tipJarAllowed: row.tipJarAllowed,
    createdAt: isoFromPostgres(row.createdAt),
    updatedAt: isoFromPostgres(row.updatedAt),
  }
}
