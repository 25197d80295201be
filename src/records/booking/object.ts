/** The booking object, without its relations. */
import { z } from 'zod'
import { BOOKING_FIELDS } from './queries.ts'
import {
  Currency,
  cents,
  id,
  optionalCents,
  optionalId,
  optionalText,
  optionalTimestamp,
  timestamp,
} from '../../codec/schemas.ts'
import { publicObject } from '../../codec/public-object.ts'

const Booking = z.strictObject({
  object: z.literal('booking'),
  id: id('booking'),
  quoteId: optionalId('quote that was booked'),
  leadId: optionalId('contact'),
  eventTypeId: optionalId('event type'),
  fullName: optionalText(),
  email: optionalText(),
  phone: optionalText(),
  entityToInvoice: optionalText(),
  paymentMethod: optionalText(),
  billingNotes: optionalText(),
  cardOnFile: z.boolean(),
  currency: Currency,
  totalPriceCents: cents('As agreed at booking.'),
  gratuityAmountCents: optionalCents('Gratuity given at booking.'),
  canceledAt: optionalTimestamp('When the booking was canceled.'),
  createdAt: timestamp('When the booking was created.'),
  updatedAt: timestamp('When the booking was last changed.'),
})

export const BOOKING = publicObject(Booking, BOOKING_FIELDS, {})
