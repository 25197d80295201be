/** The booking object, without its relations. */
import { z } from 'zod'
import type { BookingRow } from '../db/bookings.ts'
import {
  Currency,
  cents,
  id,
  isoOrNull,
  isoTimes,
  numberOrNull,
  optionalCents,
  optionalId,
  optionalText,
  optionalTimestamp,
  timestamp,
} from './fields.ts'

export const Booking = z.strictObject({
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

export function presentBooking(row: BookingRow): z.output<typeof Booking> {
  return {
    object: 'booking',
    ...row,
    currency: { isoCode: row.currency },
    totalPriceCents: Number(row.totalPriceCents),
    gratuityAmountCents: numberOrNull(row.gratuityAmountCents),
    canceledAt: isoOrNull(row.canceledAt),
    ...isoTimes(row),
  }
}
