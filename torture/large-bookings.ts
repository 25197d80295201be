/** A company with large bookings: a hundred quotes, each with a booking of over sixty events, all with staff. */

import { QUOTE_PATHS } from '../src/api/expansion/relations.ts'

const COMPANY = 'co_large_bookings'
export const LARGE_BOOKINGS_KEY = 'eqs_torture_large_bookings'

const QUOTES = 100
const EVENTS = 64
/** Records of each kind that an event refers to */
const CATALOG = 40

type WorldRecord = { object: string; id: string } & Record<string, unknown>

/** The lines of a world file. */
export function largeBookingsWorld(): string {
  const records = [...catalog(), ...Array.from({ length: QUOTES }, (_, i) => quote(i)).flat()]
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}

/**
 * The maximum number of paths in a request: all relations of a quote, its booking and the events of the booking, without paths
 * that others include.
 */
export const TWENTY_PATHS = QUOTE_PATHS.filter((path) => !/^booking(\.events(\.booking\..*)?)?$/.test(path))

/** With a deeper path: each event with its booking and all events of the booking, which exceeds the maximum size of a response. */
export const TWENTY_PATHS_TOO_DEEP = [...TWENTY_PATHS.slice(0, -1), 'booking.events.booking.events']

function own(object: string, id: string, fields: object): WorldRecord {
  return { object, id, companyId: COMPANY, ...fields }
}

function catalog(): WorldRecord[] {
  const many = (object: string, fields: (n: number) => object) =>
    Array.from({ length: CATALOG }, (_, n) => own(object, `${object}_${n}`, fields(n)))
  return [
    { object: 'company', id: COMPANY, name: 'Large Bookings', plan: 'PREMIUM', currency: 'USD' },
    own('apiKey', 'key_1', { name: 'Torture', key: LARGE_BOOKINGS_KEY }),
    own('location', 'location_0', { name: 'Hangar 3', city: 'Oakland', timeZone: 'America/Los_Angeles' }),
    own('eventType', 'eventType_0', { name: 'Festival' }),
    own('taxRate', 'taxRate_0', { name: 'Sales tax', rate: 8.875 }),
    own('paymentTerms', 'terms_0', { name: 'In full', paymentSchedule: 'FULL' }),
    own('contract', 'contract_0', { name: 'Standard', description: 'The usual terms' }),
    own('discount', 'discount_0', { name: 'Early', type: 'PERCENT', percentOff: 5 }),
    own('serviceCharge', 'charge_0', { name: 'Service', type: 'PERCENT', percentage: 10 }),
    ...many('service', (n) => ({
      name: `Service ${n}`,
      description: `What service ${n} includes, in a sentence`,
    })),
    ...many('addon', (n) => ({ name: `Add-on ${n}`, description: `What add-on ${n} brings` })),
    ...many('staff', (n) => ({ firstName: 'Avery', lastName: `No. ${n}`, email: `avery.${n}@example.com` })),
    ...many('resource', (n) => ({ name: `Resource ${n}`, category: 'Stage', locationId: 'location_0' })),
  ]
}

function quote(i: number): WorldRecord[] {
  const [quoteId, bookingId, leadId] = [`quote_${i}`, `booking_${i}`, `lead_${i}`]
  const shared = { leadId, eventTypeId: 'eventType_0', currency: 'USD' }
  const day = { serviceStartTime: '2027-06-01T09:00:00Z', serviceEndTime: '2027-06-01T17:00:00Z' }
  return [
    own('lead', leadId, { firstName: 'Robin', lastName: `Number ${i}`, email: `robin.${i}@example.com` }),
    own('quote', quoteId, {
      ...shared,
      bookingId,
      locationId: 'location_0',
      discountId: 'discount_0',
      taxRateId: 'taxRate_0',
      paymentTermsId: 'terms_0',
      contractId: 'contract_0',
      serviceChargeIds: ['charge_0'],
      eventAddress: '1 Harbor Way, Oakland',
    }),
    own('serviceDay', `day_${i}`, { quoteId, ...day }),
    own('lineItem', `line_${i}_1`, { quoteId, kind: 'SERVICE', serviceId: 'service_1', priceCents: 250_000 }),
    own('lineItem', `line_${i}_2`, { quoteId, kind: 'ADDON', addonId: 'addon_1', priceCents: 12_500 }),
    own('booking', bookingId, {
      ...shared,
      quoteId,
      fullName: `Robin Number ${i}`,
      totalPriceCents: 262_500,
    }),
    own('invoice', `invoice_${i}`, {
      bookingId,
      invoiceNumber: `${i}`,
      currency: 'USD',
      totalCents: 262_500,
    }),
    ...Array.from({ length: EVENTS }, (_, n) =>
      own('event', `event_${i}_${n}`, { bookingId, ...day, ...event(i + n) }),
    ),
  ]
}

function event(n: number): object {
  const some = (object: string, count: number) =>
    Array.from({ length: count }, (_, i) => `${object}_${(n + 7 * i) % CATALOG}`)
  return {
    locationId: 'location_0',
    name: `Stage ${n}`,
    eventAddress: '1 Harbor Way, Oakland',
    serviceIds: some('service', 2),
    addonIds: some('addon', 2),
    staffIds: some('staff', 4),
    resourceIds: some('resource', 2),
  }
}
