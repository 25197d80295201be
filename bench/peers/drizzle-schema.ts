/** The tables and columns that the peers read, for Drizzle. */
import { bigint, boolean, char, integer, numeric, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

const time = () => timestamp({ precision: 3, withTimezone: true })
const cents = () => bigint({ mode: 'number' })
const percentage = () => numeric({ precision: 9, scale: 6 })
const currency = () => char({ length: 3 })
const key = () => ({ companyId: text().notNull(), id: text().notNull() })
const times = () => ({ createdAt: time().notNull(), updatedAt: time().notNull() })

export const companies = pgTable('companies', {
  id: text().primaryKey(),
  plan: text().notNull(),
  allowedIps: text().array().notNull(),
})

export const apiKeys = pgTable('api_keys', { ...key(), keyHash: text().notNull(), revokedAt: time() })

export const quotes = pgTable('quotes', {
  ...key(),
  ...times(),
  sentAt: time(),
  expiresAt: time(),
  bookedAt: time(),
  lostAt: time(),
  deletedAt: time(),
  lostReason: text(),
  leadId: text().notNull(),
  locationId: text().notNull(),
  eventTypeId: text(),
  bookingId: text(),
  discountId: text(),
  taxRateId: text(),
  paymentTermsId: text(),
  contractId: text(),
  serviceChargeIds: text().array().notNull(),
  numberOfStaff: integer().notNull(),
  numberOfResources: integer().notNull(),
  guestCount: integer().notNull(),
  eventAddress: text().notNull(),
  eventDescription: text(),
  siteContactName: text(),
  siteContactPhone: text(),
  entityToInvoice: text(),
  currency: currency().notNull(),
  baseFeeCents: cents().notNull(),
  baseFeeTaxable: boolean().notNull(),
  travelFeeCents: cents().notNull(),
  travelFeeTaxable: boolean().notNull(),
})

export const lineItems = pgTable('line_items', {
  ...key(),
  quoteId: text().notNull(),
  kind: text().notNull(),
  serviceId: text(),
  addonId: text(),
  discountId: text(),
  priceCents: cents().notNull(),
  taxable: boolean().notNull(),
  selected: boolean().notNull(),
  deletedAt: time(),
})

export const services = pgTable('services', {
  ...key(),
  name: text().notNull(),
  description: text(),
  imageUrl: text(),
  archivedAt: time(),
})

export const addons = pgTable('addons', key())

export const discounts = pgTable('discounts', {
  ...key(),
  type: text().notNull(),
  percentOff: percentage(),
  amountOff: cents(),
  currency: currency(),
})

export const taxRates = pgTable('tax_rates', { ...key(), rate: percentage().notNull() })

export const serviceCharges = pgTable('service_charges', {
  ...key(),
  type: text().notNull(),
  percentage: percentage(),
  amountCents: cents(),
  currency: currency(),
  taxable: boolean().notNull(),
})

export const leads = pgTable('leads', {
  ...key(),
  firstName: text(),
  lastName: text(),
  email: text(),
  phone: text(),
  companyName: text(),
})

export const locations = pgTable('locations', {
  ...key(),
  name: text().notNull(),
  streetAddress: text(),
  city: text(),
  state: text(),
  zip: text(),
  timeZone: text().notNull(),
})

export const serviceDays = pgTable('service_days', {
  ...key(),
  ...times(),
  quoteId: text().notNull(),
  serviceStartTime: time().notNull(),
  serviceEndTime: time().notNull(),
})

export const bookings = pgTable('bookings', {
  ...key(),
  ...times(),
  quoteId: text(),
  leadId: text(),
  eventTypeId: text(),
  fullName: text(),
  email: text(),
  phone: text(),
  entityToInvoice: text(),
  paymentMethod: text(),
  billingNotes: text(),
  cardOnFile: boolean().notNull(),
  currency: currency().notNull(),
  totalPriceCents: cents().notNull(),
  gratuityAmountCents: cents(),
  canceledAt: time(),
})

export const events = pgTable('events', {
  ...key(),
  ...times(),
  bookingId: text(),
  locationId: text(),
  name: text(),
  clientName: text(),
  clientEmail: text(),
  clientPhone: text(),
  siteContactName: text(),
  siteContactPhone: text(),
  eventDescription: text(),
  eventAddress: text(),
  additionalLocationInfo: text(),
  specialNotes: text(),
  parkingLoadingInfo: text(),
  staffDressCode: text(),
  serviceStartTime: time().notNull(),
  serviceEndTime: time().notNull(),
  shiftStartTime: time(),
  shiftEndTime: time(),
  staffNumber: integer().notNull(),
  resourceNumber: integer().notNull(),
  guestCount: integer(),
  multiDay: boolean().notNull(),
  outdoors: boolean().notNull(),
  tipJarAllowed: boolean().notNull(),
  staffIds: text().array().notNull(),
  canceledAt: time(),
})

export const staff = pgTable('staff', {
  ...key(),
  ...times(),
  firstName: text().notNull(),
  lastName: text().notNull(),
  email: text().notNull(),
  phone: text(),
  role: text(),
  status: text().notNull(),
})

export const invoices = pgTable('invoices', {
  ...key(),
  ...times(),
  bookingId: text().notNull(),
  leadId: text(),
  invoiceNumber: text().notNull(),
  description: text(),
  notes: text(),
  poNumber: text(),
  currency: currency().notNull(),
  totalCents: cents().notNull(),
  amountPaidCents: cents().notNull(),
  paymentsCents: cents().notNull(),
  issuedAt: time(),
  dueDate: time(),
  voidedAt: time(),
})
