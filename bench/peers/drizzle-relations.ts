/** The relations of the tables, for Drizzle. Most have no foreign key in the database. */
import { relations } from 'drizzle-orm'
import {
  addons,
  bookings,
  discounts,
  events,
  invoices,
  leads,
  lineItems,
  locations,
  quotes,
  serviceDays,
  services,
  taxRates,
} from './drizzle-schema.ts'

export const quoteRelations = relations(quotes, ({ one, many }) => ({
  lineItems: many(lineItems),
  serviceDays: many(serviceDays),
  lead: one(leads, { fields: [quotes.companyId, quotes.leadId], references: [leads.companyId, leads.id] }),
  location: one(locations, {
    fields: [quotes.companyId, quotes.locationId],
    references: [locations.companyId, locations.id],
  }),
  discount: one(discounts, {
    fields: [quotes.companyId, quotes.discountId],
    references: [discounts.companyId, discounts.id],
  }),
  taxRate: one(taxRates, {
    fields: [quotes.companyId, quotes.taxRateId],
    references: [taxRates.companyId, taxRates.id],
  }),
  booking: one(bookings, {
    fields: [quotes.companyId, quotes.bookingId],
    references: [bookings.companyId, bookings.id],
  }),
}))

export const lineItemRelations = relations(lineItems, ({ one }) => ({
  quote: one(quotes, {
    fields: [lineItems.companyId, lineItems.quoteId],
    references: [quotes.companyId, quotes.id],
  }),
  service: one(services, {
    fields: [lineItems.companyId, lineItems.serviceId],
    references: [services.companyId, services.id],
  }),
  addon: one(addons, {
    fields: [lineItems.companyId, lineItems.addonId],
    references: [addons.companyId, addons.id],
  }),
  discount: one(discounts, {
    fields: [lineItems.companyId, lineItems.discountId],
    references: [discounts.companyId, discounts.id],
  }),
}))

export const serviceDayRelations = relations(serviceDays, ({ one }) => ({
  quote: one(quotes, {
    fields: [serviceDays.companyId, serviceDays.quoteId],
    references: [quotes.companyId, quotes.id],
  }),
}))

export const bookingRelations = relations(bookings, ({ many }) => ({
  events: many(events),
  invoices: many(invoices),
}))

export const eventRelations = relations(events, ({ one }) => ({
  booking: one(bookings, {
    fields: [events.companyId, events.bookingId],
    references: [bookings.companyId, bookings.id],
  }),
}))

export const invoiceRelations = relations(invoices, ({ one }) => ({
  booking: one(bookings, {
    fields: [invoices.companyId, invoices.bookingId],
    references: [bookings.companyId, bookings.id],
  }),
}))
