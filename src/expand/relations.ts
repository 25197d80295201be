/**
 * The graph of what can be expanded: the only list. The parser's allowed paths, the schemas of expanded objects, the
 * documentation and the loaders all follow from it.
 */
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
import { BOOKING } from '../objects/booking.ts'
import { CONTRACT } from '../objects/contract.ts'
import { DISCOUNT } from '../objects/discount.ts'
import { EVENT_TYPE } from '../objects/event-type.ts'
import { EVENT } from '../objects/event.ts'
import { INVOICE } from '../objects/invoice.ts'
import { LEAD } from '../objects/lead.ts'
import { LOCATION } from '../objects/location.ts'
import { PAYMENT_TERMS } from '../objects/payment-terms.ts'
import type { PublicObject } from '../objects/public-object.ts'
import { QUOTE } from '../objects/quote.ts'
import { RESOURCE } from '../objects/resource.ts'
import { SERVICE_CHARGE } from '../objects/service-charge.ts'
import { SERVICE_DAY } from '../objects/service-day.ts'
import { ADDON, SERVICE } from '../objects/service.ts'
import { STAFF } from '../objects/staff.ts'
import { TAX_RATE } from '../objects/tax-rate.ts'
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
  /** With its own fields. */
  object: PublicObject<never, unknown>
  relations: Record<string, Relation<never>>
}

const NONE = {}

const OBJECTS: Record<string, ExpandableObject> = {
  quote: { object: QUOTE, relations: QUOTE_RELATIONS },
  booking: { object: BOOKING, relations: BOOKING_RELATIONS },
  event: { object: EVENT, relations: EVENT_RELATIONS },
  lead: { object: LEAD, relations: NONE },
  location: { object: LOCATION, relations: NONE },
  eventType: { object: EVENT_TYPE, relations: NONE },
  service: { object: SERVICE, relations: NONE },
  addon: { object: ADDON, relations: NONE },
  discount: { object: DISCOUNT, relations: NONE },
  taxRate: { object: TAX_RATE, relations: NONE },
  paymentTerms: { object: PAYMENT_TERMS, relations: NONE },
  serviceCharge: { object: SERVICE_CHARGE, relations: NONE },
  serviceDay: { object: SERVICE_DAY, relations: NONE },
  contract: { object: CONTRACT, relations: NONE },
  invoice: { object: INVOICE, relations: NONE },
  resource: { object: RESOURCE, relations: NONE },
  staff: { object: STAFF, relations: NONE },
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
