/** Bookings: quotes that were agreed on. */
import { defineColumns } from '../../codec/column.ts'
import { boolean, currency, id, money, ofCompany, publicTimes, text, time } from '../../codec/column-types.ts'

export const BOOKING_COLUMNS = defineColumns('booking', 'bookings', {
  id: id('booking'),
  companyId: ofCompany(),
  quoteId: id('quote that was booked').nullable(),
  leadId: id('lead').nullable(),
  eventTypeId: id('event type').nullable(),
  fullName: text().nullable(),
  email: text().nullable(),
  phone: text().nullable(),
  entityToInvoice: text().nullable(),
  paymentMethod: text().nullable(),
  billingNotes: text().nullable(),
  cardOnFile: boolean().default(false),
  currency: currency(),
  totalPriceCents: money('Total at the time of booking.'),
  gratuityAmountCents: money('Gratuity added at booking.').nullable(),
  canceledAt: time('When the booking was canceled.').nullable(),
  /** The revision that the customer accepted. Null if the company booked the quote itself. */
  acceptedRevisionId: id('accepted revision').references('quoteRevision').nullable().internal(),
  ...publicTimes('booking'),
})
