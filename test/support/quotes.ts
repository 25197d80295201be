/** Inserts quotes and related rows directly into the tables, and reads them through the API. */
import type { Pool } from 'pg'
import { expect } from 'vitest'
import type { Connection } from '../../src/db/connect.ts'
import { refreshEventAssignments } from '../../src/records/event/assignments.ts'
import { repairCalendar } from '../../src/records/quote/calendar.ts'
import { createDatabase } from './database.ts'
import { insert, insertCompany } from './records.ts'
import { startServer } from './server.ts'
import type { Answer, TestServer } from './server.ts'

/** Columns in snake_case. */
export type Row = Record<string, unknown>

/** Required columns besides company and id. */
const REQUIRED: Record<string, Row> = {
  leads: {},
  locations: { name: 'Pier 4', time_zone: 'America/New_York' },
  event_types: { name: 'Wedding' },
  services: { name: 'Bar' },
  addons: { name: 'Ice' },
  discounts: { name: 'Spring', type: 'PERCENT', percent_off: '10' },
  tax_rates: { name: 'Sales tax', rate: '8.875' },
  payment_terms: { name: 'In full', payment_schedule: 'FULL' },
  service_charges: { name: 'Service', type: 'PERCENT', percentage: '20' },
  contracts: { name: 'Standard' },
  quotes: { lead_id: 'lead_1', location_id: 'loc_1', event_address: '1 Quay Street', currency: 'USD' },
  service_days: { service_start_time: '2026-06-01T16:00:00Z', service_end_time: '2026-06-01T22:00:00Z' },
  line_items: { kind: 'CUSTOM', price_cents: 0 },
  bookings: { currency: 'USD', total_price_cents: 0 },
  events: { service_start_time: '2026-06-01T16:00:00Z', service_end_time: '2026-06-01T22:00:00Z' },
  invoices: { invoice_number: 'INV-1', currency: 'USD', total_cents: 0 },
  resources: { name: 'Van', location_id: 'loc_1' },
  staff: { first_name: 'Ada', last_name: 'Lindqvist', email: 'ada@example.com' },
}

/** Inserts a row. Required columns have defaults. */
export async function plant(pool: Pool, table: string, companyId: string, id: string, row: Row = {}) {
  await insert(pool, table, { company_id: companyId, id, ...REQUIRED[table], ...row })
  if (table === 'service_days') await repairCalendar(pool, companyId)
  if (table === 'events') await refreshEventAssignments(pool, companyId, [id])
}

/** Inserts many rows with the same columns in one statement. */
export async function plantMany(pool: Pool, table: string, companyId: string, rows: readonly Row[]) {
  const whole = rows.map((row) => ({ company_id: companyId, ...REQUIRED[table], ...row }))
  const names = Object.keys(whole[0] ?? {}).join(', ')
  await pool.query(
    `INSERT INTO ${table} (${names}) SELECT ${names} FROM json_populate_recordset(NULL::${table}, $1)`,
    [JSON.stringify(whole)],
  )
  if (table === 'service_days') await repairCalendar(pool, companyId)
  const ids = rows.map(({ id }) => String(id))
  if (table === 'events') await refreshEventAssignments(pool, companyId, ids)
}

export interface QuoteObject {
  id: string
  createdAt: string
  totalPriceCents: number
  [member: string]: unknown
}

export interface QuoteList {
  object: string
  url: string
  hasMore: boolean
  data: QuoteObject[]
}

export const EMPTY_PAGE = { object: 'list', url: '/api/quotes', hasMore: false, data: [] }

export const idsOf = (page: QuoteList): string[] => page.data.map(({ id }) => id)

export const KEY = 'key-of-the-first-company'
export const OTHER_KEY = 'key-of-the-second-company'

function success(answer: Answer): unknown {
  if (answer.status !== 200) throw new Error(`status ${answer.status}: ${answer.text}`)
  return answer.body
}

/** The quote endpoints of a server. */
export function quoteApi(server: TestServer) {
  const listRaw = (query = '', key = KEY): Promise<Answer> =>
    server.get(`/api/quotes${query === '' ? '' : `?${query}`}`, key)
  const getRaw = (id: string, query = '', key = KEY): Promise<Answer> =>
    server.get(`/api/quotes/${encodeURIComponent(id)}${query === '' ? '' : `?${query}`}`, key)
  return {
    server,
    listRaw,
    getRaw,
    list: async (query = '', key = KEY) => success(await listRaw(query, key)) as QuoteList,
    get: async (id: string, query = '', key = KEY) => success(await getRaw(id, query, key)) as QuoteObject,
  }
}

/** A database with two companies, `co_1` (KEY) and `co_2` (OTHER_KEY), and a server on it. */
export async function createQuoteApi() {
  const { pool, connection }: { pool: Pool; connection: Connection } = await createDatabase()
  await insertCompany(pool, 'co_1', { key: KEY })
  await insertCompany(pool, 'co_2', { key: OTHER_KEY })
  return { pool, connection, ...quoteApi(await startServer(connection)) }
}

/** The error of a rejected parameter. */
export const rejection = (param: string, message: unknown = expect.any(String)) => ({
  error: { type: 'invalid_request_error', code: 'invalid_parameter', message, param },
})

export const expandQuery = (paths: readonly string[], prefix = ''): string =>
  paths.map((path) => `expand[]=${prefix}${path}`).join('&')

/** The 26 paths of rule X6, listed again so that a missing one is noticed. */
export const ALL_PATHS: readonly string[] = [
  'lead',
  'location',
  'eventType',
  'services',
  'addons',
  'discounts',
  'taxRate',
  'paymentTerms',
  'serviceCharges',
  'serviceDays',
  'contract',
  'booking',
  'booking.lead',
  'booking.eventType',
  'booking.invoices',
  'booking.events',
  'booking.events.location',
  'booking.events.services',
  'booking.events.staff',
  'booking.events.addons',
  'booking.events.resources',
  'booking.events.booking',
  'booking.events.booking.lead',
  'booking.events.booking.eventType',
  'booking.events.booking.invoices',
  'booking.events.booking.events',
]

/** All paths exceed the maximum of one request. */
export const PATHS_IN_TWO = [ALL_PATHS.slice(0, 12), ALL_PATHS.slice(12)] as const

/** The fields of every object (rules O2 to O17), listed again so that a missing one is noticed. */
export const FIELDS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries({
    quote: `createdAt updatedAt sentAt expiresAt bookedAt lostAt lostReason leadId locationId eventTypeId bookingId
      discountId taxRateId paymentTermsId contractId numberOfStaff numberOfResources guestCount eventAddress
      eventDescription siteContactName siteContactPhone entityToInvoice currency totalPriceCents`,
    lead: 'name firstName lastName email phone companyName',
    location: 'name streetAddress city state zip timeZone',
    eventType: 'name',
    service: 'name description imageUrl',
    addon: 'name description imageUrl',
    discount: 'name type percentOff amountOff',
    taxRate: 'name rate',
    paymentTerms: 'name paymentSchedule depositType depositPercentage depositAmountCents invoiceDueDays',
    serviceCharge: 'name type percentage amountCents taxable',
    serviceDay: 'quoteId serviceStartTime serviceEndTime createdAt updatedAt',
    contract: 'name description createdAt updatedAt',
    booking: `quoteId leadId eventTypeId fullName email phone entityToInvoice paymentMethod billingNotes cardOnFile
      currency totalPriceCents gratuityAmountCents canceledAt createdAt updatedAt`,
    event: `companyId bookingId locationId name clientName clientEmail clientPhone siteContactName siteContactPhone
      eventDescription eventAddress additionalLocationInfo specialNotes parkingLoadingInfo staffDressCode
      serviceStartTime serviceEndTime shiftStartTime shiftEndTime staffNumber resourceNumber guestCount multiDay
      outdoors tipJarAllowed canceledAt createdAt updatedAt`,
    invoice: `bookingId leadId invoiceNumber description notes poNumber status currency total amountPaid amountDue
      dueDate voidedAt url createdAt updatedAt`,
    resource: 'name description imageUrl category status locationId createdAt updatedAt',
    staff: 'firstName lastName email phone role status createdAt updatedAt',
  }).map(([object, fields]) => [object, ['object', 'id', ...fields.split(/\s+/)]]),
)
