/** GET /quotes/{id}/link. */
import { z } from 'zod'
import { ApiError } from '../core/requests/errors.ts'
import { id } from '../codec/schemas.ts'
import { findQuote } from '../records/quote/queries.ts'
import { findQuoteLink } from '../records/quote-revision/queries.ts'
import type { Endpoint } from './endpoint.ts'
import { exampleOf } from './examples.ts'
import { readParameters, refuseExpand } from './parameters.ts'
import { NOT_FOUND } from './quotes.ts'

const NOT_SENT = { message: 'Quote was not sent', param: 'id' }

const time = (description: string) => z.string().meta({ format: 'date-time', description })

const QuoteLink = z
  .strictObject({
    object: z.literal('quoteLink'),
    quoteId: id('quote'),
    revision: z.int().meta({ description: '1 for the first time that the quote was sent, 2 for the next.' }),
    url: z.string().meta({
      description:
        'Opens the quote for the customer without further authentication. Sending the quote again replaces it.',
    }),
    sentAt: time('When this revision was sent.'),
    expiresAt: time(
      'When the offer ends: the earlier one of the expirations of quote and revision.',
    ).nullable(),
  })
  .meta({ id: 'QuoteLink', description: 'The page on which the customer reads and accepts a quote.' })

const Query = z.object({})

export const getQuoteLink: Endpoint = {
  operation: 'getQuoteLink',
  method: 'GET',
  path: '/api/quotes/:id/link',
  errorShape: 'structured',
  tag: 'Quotes',
  summary: "Get the customer's link of a quote",
  description: `The page of the newest revision, on which the customer chooses options and accepts the quote. Treat the URL as a secret. A
quote that was never sent is a 404.`,
  idOf: 'quote',
  query: Query,
  status: 200,
  response: QuoteLink,
  example: exampleOf('getQuoteLink'),
  errors: {
    invalid_parameter: { message: 'Quote links cannot be expanded: unknown path "events"', param: 'expand' },
    not_found: NOT_SENT,
  },
  answer: async ({ db, companyId, id: quoteId, query, presentation }) => {
    readParameters(Query, query, refuseExpand('Quote links'))
    const link = await findQuoteLink(db, companyId, quoteId)
    if (link === null) {
      const isKnown = (await findQuote(db, companyId, quoteId)) !== null
      throw new ApiError('not_found', isKnown ? NOT_SENT : NOT_FOUND)
    }
    const { revision, sentAt, expiresAt } = link
    const url = presentation.quoteUrl(companyId, quoteId, revision)
    return { body: { object: 'quoteLink', quoteId, revision, url, sentAt, expiresAt } }
  },
}
