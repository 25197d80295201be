import type { LostReason } from '../../core/enumerations.ts'
import type { CatalogueRecord, Dated, Owned } from './records-catalogue.ts'

/** The records of the world format, one interface a kind: customers, and what is sold to them. */

interface Lead extends Owned {
  object: 'lead'
  firstName?: string
  lastName?: string
  email?: string
  phone?: string
  companyName?: string
}

interface Quote extends Owned {
  object: 'quote'
  leadId: string
  locationId: string
  eventTypeId?: string
  bookingId?: string
  discountId?: string
  taxRateId?: string
  paymentTermsId?: string
  contractId?: string
  serviceChargeIds?: readonly string[]
  numberOfStaff: number
  numberOfResources: number
  guestCount: number
  eventAddress: string
  eventDescription?: string
  siteContactName?: string
  siteContactPhone?: string
  entityToInvoice?: string
  currency: string
  baseFeeCents?: number
  travelFeeCents?: number
  baseFeeTaxable?: boolean
  travelFeeTaxable?: boolean
  sentAt?: string
  expiresAt?: string
  bookedAt?: string
  lostAt?: string
  lostReason?: LostReason
  deletedAt?: string
}

interface ServiceDay extends Owned {
  object: 'serviceDay'
  quoteId: string
  serviceStartTime: string
  serviceEndTime: string
}

interface LineItem extends Owned {
  object: 'lineItem'
  quoteId: string
  serviceDayId?: string
  kind: 'SERVICE' | 'ADDON' | 'CUSTOM'
  serviceId?: string
  addonId?: string
  description?: string
  quantity: number
  unitPriceCents?: number
  priceCents: number
  taxable: boolean
  discountId?: string
  deletedAt?: string
}

interface Booking extends Owned {
  object: 'booking'
  quoteId?: string
  leadId?: string
  eventTypeId?: string
  fullName?: string
  email?: string
  phone?: string
  entityToInvoice?: string
  paymentMethod?: string
  billingNotes?: string
  cardOnFile: boolean
  currency: string
  totalPriceCents: number
  gratuityAmountCents?: number
  canceledAt?: string
}

interface Event extends Owned {
  object: 'event'
  bookingId?: string
  locationId?: string
  name?: string
  clientName?: string
  clientEmail?: string
  clientPhone?: string
  siteContactName?: string
  siteContactPhone?: string
  eventDescription?: string
  eventAddress?: string
  additionalLocationInfo?: string
  specialNotes?: string
  parkingLoadingInfo?: string
  staffDressCode?: string
  serviceStartTime: string
  serviceEndTime: string
  shiftStartTime?: string
  shiftEndTime?: string
  staffNumber: number
  resourceNumber: number
  guestCount?: number
  multiDay: boolean
  outdoors: boolean
  tipJarAllowed: boolean
  serviceIds: readonly string[]
  addonIds: readonly string[]
  staffIds: readonly string[]
  resourceIds: readonly string[]
}

export interface InvoiceLine {
  description: string
  quantity?: number
  amountCents: number
}

interface Invoice extends Owned {
  object: 'invoice'
  bookingId: string
  leadId?: string
  invoiceNumber: string
  description?: string
  notes?: string
  poNumber?: string
  currency: string
  totalCents: number
  amountPaidCents: number
  issuedAt?: string
  dueDate?: string
  voidedAt?: string
  lines: readonly InvoiceLine[]
}

interface Answer extends Dated {
  id: string
  questionId: string
  response: string
}

interface FormResponse extends Owned {
  object: 'formResponse'
  formId: string
  bookingId?: string
  quoteId?: string
  answers: readonly Answer[]
}

interface Task extends Owned {
  object: 'task'
  eventId: string
  description: string
  dueDate?: string
  completedAt?: string
}

export type WorldRecord =
  | CatalogueRecord
  | Lead
  | Quote
  | ServiceDay
  | LineItem
  | Booking
  | Event
  | Invoice
  | FormResponse
  | Task

export type RecordOf<Kind extends WorldRecord['object']> = Extract<WorldRecord, { object: Kind }>

/** A record as it is put together: what is not set is still undefined. */
type Draft<R> = { [Field in keyof R]: R[Field] | (object extends Pick<R, Field> ? undefined : never) }

/** The record without the fields that are not set: the format leaves them out. */
export function present<R extends WorldRecord>(draft: Draft<R>): R
export function present(draft: Record<string, unknown>): Record<string, unknown> {
  const record: Record<string, unknown> = {}
  for (const field in draft) if (draft[field] !== undefined) record[field] = draft[field]
  return record
}
