/**
 * The relations that can be expanded, listed once. The allowed paths, the schemas of expanded objects, the documentation,
 * the loaders and the types of expanded objects follow from this file.
 */
import { listPaths } from '../../core/requests/expand-paths.ts'
import type { ExpandGraph } from '../../core/requests/expand-paths.ts'
import type { BOOKING_FIELDS } from '../../records/booking/object.ts'
import { BOOKING, loadBookings } from '../../records/booking/object.ts'
import { CONTRACT, loadContracts } from '../../records/contract/object.ts'
import { DISCOUNT, loadDiscounts } from '../../records/discount/object.ts'
import { EVENT_TYPE, loadEventTypes } from '../../records/event-type/object.ts'
import type { EVENT_FIELDS } from '../../records/event/queries.ts'
import { loadEventsOfBookings } from '../../records/event/queries.ts'
import { loadInvoicesOfBookings } from '../../records/invoice/queries.ts'
import { loadLeads } from '../../records/lead/queries.ts'
import { LOCATION, loadLocations } from '../../records/location/object.ts'
import { PAYMENT_TERMS, loadPaymentTerms } from '../../records/payment-terms/object.ts'
import type { QUOTE_FIELDS } from '../../records/quote/row.ts'
import { loadResources } from '../../records/resource/object.ts'
import { SERVICE_CHARGE, loadServiceCharges } from '../../records/service-charge/object.ts'
import { SERVICE_DAY, loadServiceDaysOfQuotes } from '../../records/service-day/object.ts'
import {
  loadAddons,
  loadAddonsOfQuotes,
  loadServices,
  loadServicesOfQuotes,
} from '../../records/service/object.ts'
import { loadStaff } from '../../records/staff/object.ts'
import { TASK } from '../../records/task/object.ts'
import { TAX_RATE, loadTaxRates } from '../../records/tax-rate/object.ts'
import { EVENT } from '../../records/event/object.ts'
import { INVOICE } from '../../records/invoice/object.ts'
import { LEAD } from '../../records/lead/object.ts'
import type { PublicObject } from '../../codec/public-object.ts'
import { QUOTE } from '../../records/quote/object.ts'
import { RESOURCE } from '../../records/resource/object.ts'
import { ADDON, SERVICE } from '../../records/service/object.ts'
import { STAFF } from '../../records/staff/object.ts'
import type { RowIn } from '../../codec/fields.ts'
import type { Packed } from '../../codec/packed-row.ts'
import { listed, many, one, owned, shared } from './relation.ts'
import type { Loader, Relation } from './relation.ts'

const QUOTE_RELATIONS = {
  lead: one('lead', 'leadId', loadLeads),
  location: one('location', 'locationId', loadLocations),
  eventType: one('eventType', 'eventTypeId', loadEventTypes),
  services: shared('service', 'quoteIds', loadServicesOfQuotes),
  addons: shared('addon', 'quoteIds', loadAddonsOfQuotes),
  discounts: many('discount', discountIds, loadDiscounts, (quote) => quote.get('discountId')),
  taxRate: one('taxRate', 'taxRateId', loadTaxRates),
  paymentTerms: one('paymentTerms', 'paymentTermsId', loadPaymentTerms),
  serviceCharges: listed('serviceCharge', 'serviceChargeIds', loadServiceCharges),
  serviceDays: owned('serviceDay', 'quoteId', loadServiceDaysOfQuotes),
  contract: one('contract', 'contractId', loadContracts),
  booking: one('booking', 'bookingId', loadBookings),
} satisfies Record<string, Relation<RowIn<typeof QUOTE_FIELDS>>>

const BOOKING_RELATIONS = {
  lead: one('lead', 'leadId', loadLeads),
  eventType: one('eventType', 'eventTypeId', loadEventTypes),
  invoices: owned('invoice', 'bookingId', loadInvoicesOfBookings),
  events: owned('event', 'bookingId', loadEventsOfBookings),
} satisfies Record<string, Relation<RowIn<typeof BOOKING_FIELDS>>>

const EVENT_RELATIONS = {
  location: one('location', 'locationId', loadLocations),
  services: listed('service', 'serviceIds', loadServices),
  staff: listed('staff', 'staffIds', loadStaff),
  addons: listed('addon', 'addonIds', loadAddons),
  resources: listed('resource', 'resourceIds', loadResources),
  booking: one('booking', 'bookingId', loadBookings),
} satisfies Record<string, Relation<RowIn<typeof EVENT_FIELDS>>>

function discountIds(
  quote: Packed<{ discountId: string | null; lineDiscountIds: string[] | null }, unknown>,
): string[] {
  const ids = [quote.get('discountId'), ...(quote.get('lineDiscountIds') ?? [])]
  return [...new Set(ids)].filter((id) => id !== null)
}

const NONE = {}

const OBJECTS = {
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
  task: { object: TASK, relations: NONE },
}

export type ObjectName = keyof typeof OBJECTS

interface ExpandableObject {
  /** With its own members. */
  object: PublicObject<unknown, unknown, object>
  relations: Readonly<Record<string, Relation<unknown, ObjectName>>>
}

export function findObject(name: ObjectName): ExpandableObject {
  return OBJECTS[name] as unknown as ExpandableObject
}

type RelationsOf<Name extends ObjectName> = (typeof OBJECTS)[Name]['relations']
type Many<Item, IsMany> = IsMany extends true ? Item[] : Item | null

/** A public object with the related objects of a tree. */
export type Expanded<Name extends ObjectName, Asked> = ReturnType<
  (typeof OBJECTS)[Name]['object']['present']
> & {
  [Member in keyof Asked & keyof RelationsOf<Name>]: RelationsOf<Name>[Member] extends Relation<
    never,
    infer To extends ObjectName,
    infer IsMany
  >
    ? Many<Expanded<To, Asked[Member]>, IsMany>
    : never
}

/** The names alone, for the parser. */
export const EXPAND_GRAPH: ExpandGraph = Object.fromEntries(
  Object.entries(OBJECTS).map(([name, { relations }]) => [
    name,
    Object.fromEntries(Object.entries<{ to: string }>(relations).map(([relation, { to }]) => [relation, to])),
  ]),
)

/** Every path that can be expanded on a quote. */
export const QUOTE_PATHS = listPaths(EXPAND_GRAPH, 'quote')

/** The loaders of all relations, each once, by the first relation that has it. */
export function listLoaders(): Map<string, Loader> {
  const names = new Map<Loader, string>()
  for (const [name, { relations }] of Object.entries(OBJECTS)) {
    for (const [relation, { loader }] of Object.entries<{ loader: Loader }>(relations))
      if (!names.has(loader)) names.set(loader, `${name}.${relation}`)
  }
  return new Map([...names].map(([loader, name]) => [name, loader]))
}
