/** Rows of both mappers. Prisma returns 64-bit integers as bigint and decimals as objects. */

type Cents = number | bigint
type Percentage = { toString: () => string } | null

export interface DiscountRow {
  id: string
  type: string
  percentOff: Percentage
  amountOff: Cents | null
  currency: string | null
}

export interface LineRow {
  id: string
  kind: string
  serviceId: string | null
  addonId: string | null
  discountId: string | null
  priceCents: Cents
  taxable: boolean
  service: ServiceRow | null
  addon: { id: string } | null
  discount: DiscountRow | null
}

export interface ServiceRow {
  id: string
  name: string
  description: string | null
  imageUrl: string | null
  archivedAt: Date | null
}

export interface LeadRow {
  id: string
  firstName: string | null
  lastName: string | null
  email: string | null
  phone: string | null
  companyName: string | null
}

export interface LocationRow {
  id: string
  name: string
  streetAddress: string | null
  city: string | null
  state: string | null
  zip: string | null
  timeZone: string
}

export interface DayRow {
  id: string
  quoteId: string
  serviceStartTime: Date
  serviceEndTime: Date
  createdAt: Date
  updatedAt: Date
}

export interface StaffRow {
  id: string
  firstName: string
  lastName: string
  email: string
  phone: string | null
  role: string | null
  status: string
  createdAt: Date
  updatedAt: Date
}

export interface EventRow {
  id: string
  companyId: string
  bookingId: string | null
  locationId: string | null
  name: string | null
  clientName: string | null
  clientEmail: string | null
  clientPhone: string | null
  siteContactName: string | null
  siteContactPhone: string | null
  eventDescription: string | null
  eventAddress: string | null
  additionalLocationInfo: string | null
  specialNotes: string | null
  parkingLoadingInfo: string | null
  staffDressCode: string | null
  serviceStartTime: Date
  serviceEndTime: Date
  shiftStartTime: Date | null
  shiftEndTime: Date | null
  staffNumber: number
  resourceNumber: number
  guestCount: number | null
  multiDay: boolean
  outdoors: boolean
  tipJarAllowed: boolean
  staffIds: string[]
  canceledAt: Date | null
  createdAt: Date
  updatedAt: Date
}

export interface InvoiceRow {
  id: string
  companyId: string
  bookingId: string
  leadId: string | null
  invoiceNumber: string
  description: string | null
  notes: string | null
  poNumber: string | null
  currency: string
  totalCents: Cents
  amountPaidCents: Cents
  paymentsCents: Cents
  issuedAt: Date | null
  dueDate: Date | null
  voidedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

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
  totalPriceCents: Cents
  gratuityAmountCents: Cents | null
  canceledAt: Date | null
  createdAt: Date
  updatedAt: Date
  events?: EventRow[]
  invoices?: InvoiceRow[]
}

export interface ChargeRow {
  id: string
  type: string
  percentage: Percentage
  amountCents: Cents | null
  currency: string | null
  taxable: boolean
}

/** A quote with the inputs of its total; relations that were not requested are absent. */
export interface QuoteRow {
  id: string
  createdAt: Date
  updatedAt: Date
  sentAt: Date | null
  expiresAt: Date | null
  bookedAt: Date | null
  lostAt: Date | null
  lostReason: string | null
  leadId: string
  locationId: string
  eventTypeId: string | null
  bookingId: string | null
  discountId: string | null
  taxRateId: string | null
  paymentTermsId: string | null
  contractId: string | null
  serviceChargeIds: string[]
  numberOfStaff: number
  numberOfResources: number
  guestCount: number
  eventAddress: string
  eventDescription: string | null
  siteContactName: string | null
  siteContactPhone: string | null
  entityToInvoice: string | null
  currency: string
  baseFeeCents: Cents
  baseFeeTaxable: boolean
  travelFeeCents: Cents
  travelFeeTaxable: boolean
  lineItems: LineRow[]
  discount: DiscountRow | null
  taxRate: { id: string; rate: NonNullable<Percentage> } | null
  lead?: LeadRow | null
  location?: LocationRow | null
  serviceDays?: DayRow[]
  booking?: BookingRow | null
}

/** The mappers cannot infer the type, because the relations depend on the request. */
export function quoteRows(rows: unknown): QuoteRow[] {
  return rows as QuoteRow[]
}

export interface Page {
  limit: number
  startingAfter: string | undefined
}

/** The related objects of a request. */
export interface Expansions {
  lead: boolean
  location: boolean
  services: boolean
  serviceDays: boolean
  booking: boolean
  events: boolean
  staff: boolean
  invoices: boolean
}

export interface Holder {
  companyId: string
  plan: string
  allowedIps: string[]
  isRevoked: boolean
}

/** The reads of a mapper. Charges and staff are lists of ids in a column, which relations cannot load. */
export interface Store {
  findHolder: (keyHash: string) => Promise<Holder | null>
  findQuote: (companyId: string, id: string, expansions: Expansions) => Promise<QuoteRow | null>
  /** Newest first, and one more than the limit; empty if the cursor does not exist. */
  listQuotes: (companyId: string, page: Page, expansions: Expansions) => Promise<QuoteRow[]>
  loadCharges: (companyId: string, ids: string[]) => Promise<ChargeRow[]>
  loadStaff: (companyId: string, ids: string[]) => Promise<StaffRow[]>
}
