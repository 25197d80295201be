/** The table of quotes, and the page of one with the way to its total. */
import { z } from 'zod'
import { isoFromPostgres } from '../core/schedule/datetime.ts'
import { ApiError } from '../core/requests/errors.ts'
import { leadName } from '../core/lead-name.ts'
import { takePage } from '../core/requests/page.ts'
import { priceQuote } from '../core/pricing/price-quote.ts'
import type { PriceBreakdown } from '../core/pricing/price-quote.ts'
import type { QuotePricing } from '../core/pricing/quote-pricing.ts'
import { QUOTE_STATES, quoteState } from '../core/quotes/quote-state.ts'
import type { QuoteState } from '../core/quotes/quote-state.ts'
import { loadBookings } from '../records/booking/queries.ts'
import type { Db } from '../db/connect.ts'
import { loadContracts } from '../records/contract/queries.ts'
import { listEventTypes, loadEventTypes } from '../records/event-type/queries.ts'
import { loadEventsOfBookings } from '../records/event/queries.ts'
import { loadLeads, searchLeads } from '../records/lead/queries.ts'
import { listLocations, loadLocations } from '../records/location/queries.ts'
import type { IdentifiedRow, LoadByIds } from '../codec/load.ts'
import type { Packed } from '../codec/packed-row.ts'
import { loadPaymentTerms } from '../records/payment-terms/queries.ts'
import { findQuotePricing } from '../records/quote/details.ts'
import type { QuoteRow } from '../records/quote/row.ts'
import { findQuote, listQuotes } from '../records/quote/queries.ts'
import { loadServiceDaysOfQuotes } from '../records/service-day/queries.ts'
import type { ServiceDayRow } from '../records/service-day/queries.ts'
import { inTransaction } from '../db/transaction.ts'
import { BOOKING } from '../records/booking/object.ts'
import { CONTRACT } from '../records/contract/object.ts'
import { EVENT } from '../records/event/object.ts'
import { EVENT_TYPE } from '../records/event-type/object.ts'
import { LEAD } from '../records/lead/object.ts'
import { LOCATION } from '../records/location/object.ts'
import { PAYMENT_TERMS } from '../records/payment-terms/object.ts'
import type { Presentation } from '../codec/presentation.ts'
import type { PublicObject } from '../codec/public-object.ts'
import { QUOTE } from '../records/quote/object.ts'
import { SERVICE_DAY } from '../records/service-day/object.ts'
import { pageLimit, readParameters } from '../api/parameters.ts'
import { ListQuery, NOT_FOUND, filtersOf } from '../api/quotes.ts'
import { listBookingInvoices } from './invoices.ts'
import { consoleRoute } from './route.ts'

export interface QuoteListItem {
  id: string
  state: QuoteState
  /** Null where the lead is not on file. */
  leadName: string | null
  locationName: string | null
  eventTypeName: string | null
  /** Of the location. */
  timeZone: string | null
  createdAt: string
  firstDay: { start: string; end: string } | null
  dayCount: number
  currency: string
  totalPriceCents: number
}

export interface QuoteListAnswer {
  quotes: QuoteListItem[]
  hasMore: boolean
  /** More leads than are looked at match the search: only quotes of the newest ones are here. */
  isSearchCut: boolean
}

/** So many leads of a search, the newest ones. */
const LEADS_MAX = 500
const SEARCH_MAX_CHARACTERS = 200
const PAGE_SIZE = 25

/** The API's parameters, and two more. */
const ConsoleListQuery = ListQuery.extend({
  limit: pageLimit.unwrap().default(PAGE_SIZE),
  state: z.enum(QUOTE_STATES, `state must be one of ${QUOTE_STATES.join(', ')}`).optional(),
  search: z
    .string()
    .max(SEARCH_MAX_CHARACTERS, `search must not be longer than ${SEARCH_MAX_CHARACTERS} characters`)
    .optional(),
})

const listRoute = consoleRoute({
  method: 'GET',
  path: '/console/quotes',
  input: z.unknown(),
  answer: async ({ db, reports, companyId, query, presentation }): Promise<QuoteListAnswer> => {
    const values = readParameters(ConsoleListQuery, query)
    const { state, search = '' } = values
    const leads =
      search.trim() === ''
        ? undefined
        : takePage(await searchLeads(reports, companyId, search, LEADS_MAX + 1), LEADS_MAX)
    const filters = {
      ...filtersOf(values),
      state: state === undefined ? undefined : { is: state, now: presentation.now },
      leadIds: leads?.rows,
      isCursorAny: true as const,
    }
    const page = { limit: values.limit, startingAfter: values.starting_after }
    const { rows, hasMore } = await listQuotes(reports, companyId, filters, page)
    const quotes = await presentItems(db, companyId, rows, presentation)
    return { quotes, hasMore, isSearchCut: leads?.hasMore ?? false }
  },
})

/** One statement for each kind of what is shown beside the quotes. */
async function presentItems(
  db: Db,
  companyId: string,
  rows: readonly Packed<QuoteRow>[],
  presentation: Presentation,
): Promise<QuoteListItem[]> {
  const leads = await loadById(
    db,
    companyId,
    loadLeads,
    rows.map(({ leadId }) => leadId),
  )
  const locations = await loadById(
    db,
    companyId,
    loadLocations,
    rows.map(({ locationId }) => locationId),
  )
  const eventTypes = await loadById(
    db,
    companyId,
    loadEventTypes,
    rows.map(({ eventTypeId }) => eventTypeId),
  )
  const days = await loadServiceDaysOfQuotes(
    db,
    companyId,
    rows.map(({ id }) => id),
  )
  const daysOf = new Map<string, ServiceDayRow[]>(rows.map(({ id }) => [id, []]))
  for (const day of days) daysOf.get(day.quoteId)?.push(day)
  return rows.map((row) => {
    const quote = QUOTE.present(row, presentation)
    const lead = leads.get(row.leadId)
    const location = locations.get(row.locationId)
    const [first, ...rest] = daysOf.get(row.id) ?? []
    return {
      id: row.id,
      state: quoteState(quote, presentation.now),
      leadName: lead === undefined ? null : leadName(lead),
      locationName: location?.name ?? null,
      eventTypeName: eventTypes.get(row.eventTypeId ?? '')?.name ?? null,
      timeZone: location?.timeZone ?? null,
      createdAt: quote.createdAt,
      firstDay:
        first === undefined
          ? null
          : { start: isoFromPostgres(first.serviceStartTime), end: isoFromPostgres(first.serviceEndTime) },
      dayCount: first === undefined ? 0 : rest.length + 1,
      currency: row.currency,
      totalPriceCents: quote.totalPriceCents,
    }
  })
}

/** Those that were found, by id. */
async function loadById<Row extends IdentifiedRow>(
  db: Db,
  companyId: string,
  load: LoadByIds<Row>,
  ids: readonly (string | null)[],
): Promise<Map<string, Packed<Row>>> {
  const distinct = [...new Set(ids)].filter((id) => id !== null)
  return new Map((await load(db, companyId, distinct)).map((row) => [row.id, row]))
}

export type QuotePageAnswer = Awaited<ReturnType<typeof readPage>> & {
  /** The request that returns this quote, as one types it. */
  apiRequest: string
}

const pageRoute = consoleRoute({
  method: 'GET',
  path: '/console/quotes/:id',
  input: z.unknown(),
  answer: async ({ db, companyId, id, publicUrl, presentation }): Promise<QuotePageAnswer> => {
    // One moment for all of it: lines, definitions and total agree.
    const page = await inTransaction(db, (client) => readPage(client, companyId, id, presentation), 'read')
    return { ...page, apiRequest: apiRequest(publicUrl, id) }
  },
})

/** One statement after the other, the same ones for every quote. */
async function readPage(db: Db, companyId: string, id: string, presentation: Presentation) {
  const row = await findQuote(db, companyId, id)
  if (row === null) throw new ApiError('not_found', NOT_FOUND)
  const find = async <Row extends IdentifiedRow, Shown>(
    load: LoadByIds<Row>,
    rowId: string | null,
    object: PublicObject<Row, Shown>,
  ): Promise<Shown | null> => {
    const [found] = await load(db, companyId, rowId === null ? [] : [rowId])
    return found === undefined ? null : object.present(found, presentation)
  }
  const quote = QUOTE.present(row, presentation)
  const pricing: QuotePricing = await findQuotePricing(db, companyId, row)
  const breakdown: PriceBreakdown = priceQuote(pricing)
  const booking = await find(loadBookings, row.bookingId, BOOKING)
  const events = await loadEventsOfBookings(db, companyId, booking === null ? [] : [booking.id])
  return {
    quote,
    state: quoteState(quote, presentation.now),
    lead: await find(loadLeads, row.leadId, LEAD),
    location: await find(loadLocations, row.locationId, LOCATION),
    eventType: await find(loadEventTypes, row.eventTypeId, EVENT_TYPE),
    contract: await find(loadContracts, row.contractId, CONTRACT),
    paymentTerms: await find(loadPaymentTerms, row.paymentTermsId, PAYMENT_TERMS),
    serviceDays: (await loadServiceDaysOfQuotes(db, companyId, [id])).map((day) =>
      SERVICE_DAY.present(day, presentation),
    ),
    booking:
      booking === null
        ? null
        : { ...booking, events: events.map((event) => EVENT.present(event, presentation)) },
    invoices: await listBookingInvoices(db, companyId, booking?.id ?? null, presentation),
    pricing,
    breakdown,
  }
}

/** What this page shows, as far as the API does. */
const EXPANSIONS =
  'lead,location,eventType,serviceDays,services,addons,discounts,serviceCharges,taxRate,booking.events'

/** In single quotes nothing means anything to a shell, but for the quote itself. */
function apiRequest(publicUrl: string, id: string): string {
  const url = `${publicUrl}/api/quotes/${encodeURIComponent(id)}?expand=${EXPANSIONS}`
  return `curl -H "x-api-key: $EQS_API_KEY" '${url.replaceAll("'", '%27')}'`
}

export interface Lookups {
  locations: { id: string; name: string; timeZone: string }[]
  eventTypes: { id: string; name: string }[]
}

const lookupsRoute = consoleRoute({
  method: 'GET',
  path: '/console/lookups',
  input: z.unknown(),
  answer: async ({ db, companyId }): Promise<Lookups> => ({
    locations: (await listLocations(db, companyId)).map(({ id, name, timeZone }) => ({ id, name, timeZone })),
    eventTypes: await listEventTypes(db, companyId),
  }),
})

export const quoteRoutes = [listRoute, pageRoute, lookupsRoute]
