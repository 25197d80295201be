/** The list of quotes, and the page of one quote with the calculation of its total. */
import { z } from 'zod'
import { ApiError } from '../core/requests/errors.ts'
import { takePage } from '../core/requests/page.ts'
import { priceQuote } from '../core/pricing/price-quote.ts'
import type { PriceBreakdown } from '../core/pricing/price-quote.ts'
import type { QuotePricing } from '../core/pricing/quote-pricing.ts'
import { QUOTE_STATES, quoteState } from '../core/quotes/quote-state.ts'
import type { QuoteState } from '../core/quotes/quote-state.ts'
import type { Db } from '../db/statement.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Presentation } from '../codec/presentation.ts'
import { listEventTypes } from '../records/event-type/object.ts'
import { searchLeads } from '../records/lead/queries.ts'
import { hasWord } from '../records/record/queries.ts'
import { listLocations } from '../records/location/object.ts'
import { findQuotePricing } from '../records/quote/details.ts'
import { findQuote, listQuotes } from '../records/quote/queries.ts'
import type { QuoteRow } from '../records/quote/row.ts'
import { NUMBERS_MAX, searchQuotes } from '../records/quote/search.ts'
import { presentObjects } from '../api/expansion/load.ts'
import { pageLimit, readParameters } from '../api/parameters.ts'
import { ListQuery, NOT_FOUND, filtersOf } from '../api/quotes.ts'
import { separateInvoices } from './invoices.ts'
import { consoleRoute } from './route.ts'

export interface QuoteListItem {
  id: string
  /** Null if it was imported without one. */
  number: string | null
  state: QuoteState
  /** Null if the lead does not exist. */
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
  /** Whether too many leads or numbers match the search. Then only some of their quotes are listed. */
  isSearchCut: boolean
}

/** The maximum number of leads that a search looks at, newest first. */
const LEADS_MAX = 500
const SEARCH_MAX_CHARACTERS = 200
const PAGE_SIZE = 25

/** The parameters of the API, and two more. */
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
    const isSearched = hasWord(search)
    const leads = isSearched
      ? takePage(await searchLeads(reports, companyId, search, LEADS_MAX + 1), LEADS_MAX)
      : undefined
    const found = isSearched
      ? takePage(await searchQuotes(reports, companyId, search), NUMBERS_MAX)
      : undefined
    const filters = {
      ...filtersOf(values),
      state: state === undefined ? undefined : { is: state, now: presentation.now },
      leadIds: leads?.rows,
      quoteIds: found?.rows,
      isCursorAny: true as const,
    }
    const page = { limit: values.limit, startingAfter: values.starting_after }
    const { rows, hasMore } = await listQuotes(reports, companyId, filters, page)
    const quotes = await presentItems(db, companyId, rows, presentation)
    return { quotes, hasMore, isSearchCut: leads?.hasMore === true || found?.hasMore === true }
  },
})

export async function presentItems(
  db: Db,
  companyId: string,
  rows: readonly QuoteRow[],
  presentation: Presentation,
): Promise<QuoteListItem[]> {
  const context = { db, companyId, presentation, isTransaction: true }
  const tree = { lead: {}, location: {}, eventType: {}, serviceDays: {} }
  return (await presentObjects(context, 'quote', rows, tree)).map((quote, i) => {
    const { id, lead, location, eventType, serviceDays, createdAt, currency, totalPriceCents } = quote
    const [first] = serviceDays
    return {
      id,
      number: rows[i]?.get('number') ?? null,
      state: quoteState(quote, presentation.now),
      leadName: lead?.name ?? null,
      locationName: location?.name ?? null,
      eventTypeName: eventType?.name ?? null,
      timeZone: location?.timeZone ?? null,
      createdAt,
      firstDay: first === undefined ? null : { start: first.serviceStartTime, end: first.serviceEndTime },
      dayCount: serviceDays.length,
      currency: currency.isoCode,
      totalPriceCents,
    }
  })
}

export type QuotePageAnswer = Awaited<ReturnType<typeof readPage>> & {
  /** The command that requests this quote. */
  apiRequest: string
}

const pageRoute = consoleRoute({
  method: 'GET',
  path: '/console/quotes/:id',
  input: z.unknown(),
  answer: async ({ db, companyId, id, publicUrl, presentation }): Promise<QuotePageAnswer> => {
    // One snapshot, so that lines, definitions and total agree.
    const page = await inTransaction(db, (client) => readPage(client, companyId, id, presentation), 'read')
    return { ...page, apiRequest: apiRequest(publicUrl, id) }
  },
})

const PAGE = {
  lead: {},
  location: {},
  eventType: {},
  contract: {},
  paymentTerms: {},
  serviceDays: {},
  booking: { events: {}, invoices: {} },
} as const

/** The same statements for every quote, one at a time. */
async function readPage(db: Db, companyId: string, id: string, presentation: Presentation) {
  const row = await findQuote(db, companyId, id)
  if (row === null) throw new ApiError('not_found', NOT_FOUND)
  const context = { db, companyId, presentation, isTransaction: true }
  const [expanded] = await presentObjects(context, 'quote', [row], PAGE)
  if (expanded === undefined) throw new Error('a quote was not presented')
  const {
    lead,
    location,
    eventType,
    contract,
    paymentTerms,
    serviceDays,
    booking: booked,
    ...quote
  } = expanded
  const pricing: QuotePricing = await findQuotePricing(db, companyId, row)
  const breakdown: PriceBreakdown = priceQuote(pricing)
  return {
    quote,
    number: row.get('number'),
    state: quoteState(quote, presentation.now),
    lead,
    location,
    eventType,
    contract,
    paymentTerms,
    serviceDays,
    ...separateInvoices(booked),
    pricing,
    breakdown,
  }
}

/** The relations on this page that the API offers. */
const EXPANSIONS =
  'lead,location,eventType,serviceDays,services,addons,discounts,serviceCharges,taxRate,booking.events'

/** In single quotes, a shell treats only the quote itself specially. */
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
    locations: await listLocations(db, companyId),
    eventTypes: await listEventTypes(db, companyId),
  }),
})

export const quoteRoutes = [listRoute, pageRoute, lookupsRoute]
