/**
 * The graph of what can be expanded: the only list. The parser's allowed paths, the schemas of expanded objects, the
 * documentation and the loaders all follow from it.
 */
import type { z } from 'zod'
import { listPaths } from '../core/expand-paths.ts'
import type { ExpandGraph } from '../core/expand-paths.ts'
import { loadBookings } from '../db/bookings.ts'
import type { BookingRow } from '../db/bookings.ts'
import { loadContracts } from '../db/contracts.ts'
import { loadDiscounts } from '../db/discounts.ts'
import { loadEventTypes } from '../db/event-types.ts'
import { loadEventsOfBookings } from '../db/events.ts'
import type { EventRow } from '../db/events.ts'
import { loadInvoicesOfBookings } from '../db/invoices.ts'
import type { InvoiceRow } from '../db/invoices.ts'
import { loadLeads } from '../db/leads.ts'
import { loadLocations } from '../db/locations.ts'
import { loadPaymentTerms } from '../db/payment-terms.ts'
import type { QuoteRow } from '../db/quote-row.ts'
import { loadResources } from '../db/resources.ts'
import { loadServiceCharges } from '../db/service-charges.ts'
import { loadServiceDaysOfQuotes } from '../db/service-days.ts'
import type { ServiceDayRow } from '../db/service-days.ts'
import { loadAddons, loadAddonsOfQuotes, loadServices, loadServicesOfQuotes } from '../db/services.ts'
import type { QuotedServiceRow } from '../db/services.ts'
import { loadStaff } from '../db/staff.ts'
import { loadTaxRates } from '../db/tax-rates.ts'
import { Booking, presentBooking } from '../objects/booking.ts'
import { Contract, presentContract } from '../objects/contract.ts'
import { Discount, presentDiscount } from '../objects/discount.ts'
import { EventType, presentEventType } from '../objects/event-type.ts'
import { Event, presentEvent } from '../objects/event.ts'
import { Invoice, presentInvoice } from '../objects/invoice.ts'
import { Lead, presentLead } from '../objects/lead.ts'
import { Location, presentLocation } from '../objects/location.ts'
import { PaymentTerms, presentPaymentTerms } from '../objects/payment-terms.ts'
import type { Presentation } from '../objects/presentation.ts'
import { Quote, presentQuote } from '../objects/quote.ts'
import { Resource, presentResource } from '../objects/resource.ts'
import { ServiceCharge, presentServiceCharge } from '../objects/service-charge.ts'
import { ServiceDay, presentServiceDay } from '../objects/service-day.ts'
import { Addon, Service, presentAddon, presentService } from '../objects/service.ts'
import { Staff, presentStaff } from '../objects/staff.ts'
import { TaxRate, presentTaxRate } from '../objects/tax-rate.ts'
import { many, one, owned, shared } from './relation.ts'
import type { Relation } from './relation.ts'

const QUOTE_RELATIONS: Record<string, Relation<QuoteRow>> = {
  lead: one('lead', (quote: QuoteRow) => quote.leadId, loadLeads),
  location: one('location', (quote: QuoteRow) => quote.locationId, loadLocations),
  eventType: one('eventType', (quote: QuoteRow) => quote.eventTypeId, loadEventTypes),
  services: shared('service', (service: QuotedServiceRow) => service.quoteIds, loadServicesOfQuotes),
  addons: shared('addon', (addon: QuotedServiceRow) => addon.quoteIds, loadAddonsOfQuotes),
  discounts: many('discount', discountIds, loadDiscounts, (quote) => quote.discountId),
  taxRate: one('taxRate', (quote: QuoteRow) => quote.taxRateId, loadTaxRates),
  paymentTerms: one('paymentTerms', (quote: QuoteRow) => quote.paymentTermsId, loadPaymentTerms),
  serviceCharges: many('serviceCharge', (quote: QuoteRow) => quote.serviceChargeIds, loadServiceCharges),
  serviceDays: owned('serviceDay', (day: ServiceDayRow) => day.quoteId, loadServiceDaysOfQuotes),
  contract: one('contract', (quote: QuoteRow) => quote.contractId, loadContracts),
  booking: one('booking', (quote: QuoteRow) => quote.bookingId, loadBookings),
}

const BOOKING_RELATIONS: Record<string, Relation<BookingRow>> = {
  lead: one('lead', (booking: BookingRow) => booking.leadId, loadLeads),
  eventType: one('eventType', (booking: BookingRow) => booking.eventTypeId, loadEventTypes),
  invoices: owned('invoice', (invoice: InvoiceRow) => invoice.bookingId, loadInvoicesOfBookings),
  events: owned('event', (event: EventRow) => event.bookingId, loadEventsOfBookings),
}

const EVENT_RELATIONS: Record<string, Relation<EventRow>> = {
  location: one('location', (event: EventRow) => event.locationId, loadLocations),
  services: many('service', (event: EventRow) => event.serviceIds, loadServices),
  staff: many('staff', (event: EventRow) => event.staffIds, loadStaff),
  addons: many('addon', (event: EventRow) => event.addonIds, loadAddons),
  resources: many('resource', (event: EventRow) => event.resourceIds, loadResources),
  booking: one('booking', (event: EventRow) => event.bookingId, loadBookings),
}

function discountIds(quote: QuoteRow): string[] {
  return [
    ...new Set([...(quote.discountId === null ? [] : [quote.discountId]), ...(quote.lineDiscountIds ?? [])]),
  ]
}

interface ExpandableObject {
  /** Its own fields. */
  schema: z.ZodObject
  present: (row: never, presentation: Presentation) => Record<string, unknown>
  relations: Record<string, Relation<never>>
}

const NONE = {}

const OBJECTS: Record<string, ExpandableObject> = {
  quote: { schema: Quote, present: presentQuote, relations: QUOTE_RELATIONS },
  booking: { schema: Booking, present: presentBooking, relations: BOOKING_RELATIONS },
  event: { schema: Event, present: presentEvent, relations: EVENT_RELATIONS },
  lead: { schema: Lead, present: presentLead, relations: NONE },
  location: { schema: Location, present: presentLocation, relations: NONE },
  eventType: { schema: EventType, present: presentEventType, relations: NONE },
  service: { schema: Service, present: presentService, relations: NONE },
  addon: { schema: Addon, present: presentAddon, relations: NONE },
  discount: { schema: Discount, present: presentDiscount, relations: NONE },
  taxRate: { schema: TaxRate, present: presentTaxRate, relations: NONE },
  paymentTerms: { schema: PaymentTerms, present: presentPaymentTerms, relations: NONE },
  serviceCharge: { schema: ServiceCharge, present: presentServiceCharge, relations: NONE },
  serviceDay: { schema: ServiceDay, present: presentServiceDay, relations: NONE },
  contract: { schema: Contract, present: presentContract, relations: NONE },
  invoice: { schema: Invoice, present: presentInvoice, relations: NONE },
  resource: { schema: Resource, present: presentResource, relations: NONE },
  staff: { schema: Staff, present: presentStaff, relations: NONE },
}

export function findObject(name: string): ExpandableObject {
  const object = OBJECTS[name]
  if (object === undefined) throw new Error(`no object is called ${name}`)
  return object
}

/** The names alone, for the parser. */
export const EXPAND_GRAPH: ExpandGraph = Object.fromEntries(
  Object.entries(OBJECTS).map(([name, { relations }]) => [
    name,
    Object.fromEntries(Object.entries(relations).map(([relation, { to }]) => [relation, to])),
  ]),
)

/** Every path that can be expanded on a quote. */
export const QUOTE_PATHS = listPaths(EXPAND_GRAPH, 'quote')
