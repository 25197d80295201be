/** Bookings: quotes that were agreed on. */
import { defineFields } from '../../codec/fields.ts'
import { loaderById } from '../../codec/load.ts'

export interface BookingRow {
  id: string
  quoteId: string | null
  leadId: string | null
  eventTypeId: string | null
  fullName: string | null
  email: string | null
  phone: string | null
  entityToInvoice: string | null
  paymentMethod: string | null
  billingNotes: string | null
  cardOnFile: boolean
  currency: string
  totalPriceCents: string
  gratuityAmountCents: string | null
  canceledAt: string | null
  createdAt: string
  updatedAt: string
}

export const BOOKING_FIELDS = defineFields<BookingRow>(`
    id quoteId? leadId? eventTypeId? fullName? email? phone? entityToInvoice? paymentMethod?
    billingNotes? cardOnFile:boolean currency totalPriceCents:amount gratuityAmountCents?:amount
    canceledAt?:time createdAt:time updatedAt:time`)

export const loadBookings = loaderById<BookingRow>('bookings', BOOKING_FIELDS, 't.id')
