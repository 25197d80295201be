/**
 * The graph of what can be expanded: the only list. The parser's allowed paths, the schemas of expanded objects, the
 * documentation and the loaders all follow from it.
 */
import { listPaths } from '../../core/requests/expand-paths.ts'
import type { ExpandGraph } from '../../core/requests/expand-paths.ts'
import { loadBookings } from '../../records/booking/queries.ts'
import type { BookingRow } from '../../records/booking/queries.ts'
import { loadContracts } from '../../records/contract/queries.ts'
import { loadDiscounts } from '../../records/discount/queries.ts'
import { loadEventTypes } from '../../records/event-type/queries.ts'
import { loadEventsOfBookings } from '../../records/event/queries.ts'
import type { EventRow } from '../../records/event/queries.ts'
import { loadInvoicesOfBookings } from '../../records/invoice/queries.ts'
import type { InvoiceRow } from '../../records/invoice/queries.ts'
import { loadLeads } from '../../records/lead/queries.ts'
import { loadLocations } from '../../records/location/queries.ts'
import { loadPaymentTerms } from '../../records/payment-terms/queries.ts'
import type { QuoteRow } from '../../records/quote/row.ts'
import { loadResources } from '../../records/resource/queries.ts'
import { loadServiceCharges } from '../../records/service-charge/queries.ts'
import { loadServiceDaysOfQuotes } from '../../records/service-day/queries.ts'
import type { ServiceDayRow } from '../../records/service-day/queries.ts'
import {
  loadAddons,
  loadAddonsOfQuotes,
  loadServices,
  loadServicesOfQuotes,
} from '../../records/service/queries.ts'
import type { QuotedServiceRow } from '../../records/service/queries.ts'
import { loadStaff } from '../../records/staff/queries.ts'
import { loadTaxRates } from '../../records/tax-rate/queries.ts'
import { BOOKING } from '../../records/booking/object.ts'
import { CONTRACT } from '../../records/contract/object.ts'
import { DISCOUNT } from '../../records/discount/object.ts'
import { EVENT_TYPE } from '../../records/event-type/object.ts'
import { EVENT } from '../../records/event/object.ts'
import { INVOICE } from '../../records/invoice/object.ts'
import { LEAD } from '../../records/lead/object.ts'
import { LOCATION } from '../../records/location/object.ts'
import { PAYMENT_TERMS } from '../../records/payment-terms/object.ts'
import type { PublicObject } from '../../codec/public-object.ts'
import { QUOTE } from '../../records/quote/object.ts'
import { RESOURCE } from '../../records/resource/object.ts'
import { SERVICE_CHARGE } from '../../records/service-charge/object.ts'
import { SERVICE_DAY } from '../../records/service-day/object.ts'
import { ADDON, SERVICE } from '../../records/service/object.ts'
import { STAFF } from '../../records/staff/object.ts'
import { TAX_RATE } from '../../records/tax-rate/object.ts'
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
