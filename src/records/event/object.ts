/** The event object, without its relations. */
import { z } from 'zod'
import { EVENT_FIELDS } from './queries.ts'
import { id, optionalId, optionalText, optionalTimestamp, timestamp } from '../../codec/schemas.ts'
import { publicObject } from '../../codec/public-object.ts'

const Event = z.strictObject({
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

export const EVENT = publicObject(Event, EVENT_FIELDS, {})
