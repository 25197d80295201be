/** GET /quotes and GET /quotes/{id}. */
import { z } from 'zod'
import { ApiError } from '../core/requests/errors.ts'
import { PATHS_MAX, SEGMENTS_MAX, collectExpand } from '../core/requests/expand-paths.ts'
import type { ExpandTree } from '../core/requests/expand-paths.ts'
import { CURSOR_NOT_FOUND } from '../core/requests/page.ts'
import type { QuoteFilters } from '../records/quote/filter.ts'
import { findQuote, listQuotes as listRows } from '../records/quote/queries.ts'
import { presentJson } from './expansion/load.ts'
import { EXPAND_GRAPH, QUOTE_PATHS } from './expansion/relations.ts'
import { expandedSchema } from './expansion/schemas.ts'
import { listOf, presentList } from './list.ts'
import type { Endpoint } from './endpoint.ts'
import { exampleOf } from './examples.ts'
import {
  CURSOR_HEADER,
  LIMIT_MESSAGE,
  dateTimeBounds,
  idFilter,
  pageParameters,
  rangeOf,
  readParameters,
} from './parameters.ts'

const URL = '/api/quotes'
export const Quote = expandedSchema('quote')

const expandable = (example: string) =>
  `\`expand[]\` includes related objects, such as \`${example}\`. Repeat it, or join paths with commas. A nested path
includes its parents. A request can have at most ${PATHS_MAX} different paths of at most ${SEGMENTS_MAX} segments.

Collections are not paginated. A response that would be larger than 32 MiB is a 400.`

export const ListQuery = z.object({
  ...pageParameters('quote_0242'),
  lead_id: idFilter('lead', 'leadId', 'lead_0145'),
  location_id: idFilter('location', 'locationId', 'loc_los_angeles'),
  booking_id: idFilter('booking', 'bookingId', 'book_0241'),
  event_type_id: idFilter('event type', 'eventTypeId', 'type_launch'),
  ...dateTimeBounds('created_at', 'Created'),
  ...dateTimeBounds('updated_at', 'Quote row changed'),
  ...dateTimeBounds('service_start_time', 'A service day starts'),
})

type ListQuery = z.output<typeof ListQuery>

export const listQuotes: Endpoint = {
  operation: 'listQuotes',
  method: 'GET',
  path: URL,
  errorShape: 'structured',
  tag: 'Quotes',
  summary: 'List quotes',
  description: `The quotes of the company, newest first (\`createdAt\`, then \`id\`, descending), each with its live total. All
filters apply together. With \`service_start_time\`, a single service day must match every bound. Keep the filters unchanged
between pages.

${expandable('data.booking.events')}`,
  expand: { prefix: 'data.', paths: QUOTE_PATHS },
  query: ListQuery,
  status: 200,
  answerHeaders: CURSOR_HEADER,
  response: listOf(Quote, 'QuoteList', URL),
  example: exampleOf('listQuotes'),
  errors: { invalid_parameter: { message: LIMIT_MESSAGE, param: 'limit' } },
  answer: async ({ db, companyId, query, presentation, runLarge }) => {
    const { add, tree } = collectExpand(EXPAND_GRAPH, 'quote', 'data.')
    const values = readParameters(ListQuery, query, add)
    const page = { limit: values.limit, startingAfter: values.starting_after }
    const answer = async () => {
      const { rows, hasMore, isCursorFound } = await listRows(db, companyId, filtersOf(values), page)
      const quotes = await presentJson({ db, companyId, presentation }, 'quote', rows, tree)
      return { body: presentList(URL, quotes, hasMore), headers: isCursorFound ? {} : CURSOR_NOT_FOUND }
    }
    // Decided before the page is read, so that it takes no memory while it waits.
    return values.limit * countRelations(tree) > LARGE_PAGE ? runLarge(answer) : answer()
  },
}

/** Relations of single quotes on one page. A larger page can take several times the largest response in memory. */
const LARGE_PAGE = 1_000

function countRelations(tree: ExpandTree): number {
  return Object.values(tree).reduce((sum, subtree) => sum + 1 + countRelations(subtree), 0)
}

export function filtersOf(values: ListQuery): QuoteFilters {
  return {
    ids: {
      leadId: values.lead_id,
      locationId: values.location_id,
      bookingId: values.booking_id,
      eventTypeId: values.event_type_id,
    },
    createdAt: rangeOf(values, 'created_at'),
    updatedAt: rangeOf(values, 'updated_at'),
    serviceStartTime: rangeOf(values, 'service_start_time'),
  }
}

export const NOT_FOUND = { message: 'Quote not found', param: 'id' }

const GetQuery = z.object({})

export const getQuote: Endpoint = {
  operation: 'getQuote',
  method: 'GET',
  path: `${URL}/:id`,
  errorShape: 'structured',
  tag: 'Quotes',
  summary: 'Get a quote',
  description: `One quote of the company with its live total.\n\n${expandable('booking.events')}`,
  idOf: 'quote',
  expand: { prefix: '', paths: QUOTE_PATHS },
  query: GetQuery,
  status: 200,
  response: Quote,
  example: exampleOf('getQuote'),
  errors: {
    invalid_parameter: { message: 'Unknown expansion path "lineItems"', param: 'expand' },
    not_found: NOT_FOUND,
  },
  answer: async ({ db, companyId, id, query, presentation }) => {
    const { add, tree } = collectExpand(EXPAND_GRAPH, 'quote', '')
    readParameters(GetQuery, query, add)
    const row = await findQuote(db, companyId, id)
    if (row === null) throw new ApiError('not_found', NOT_FOUND)
    const [quote] = await presentJson({ db, companyId, presentation }, 'quote', [row], tree)
    if (quote === undefined) throw new Error('a quote was not presented')
    return { body: quote }
  },
}
