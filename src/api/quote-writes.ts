/** POST /quotes and POST /quotes/{id}. */
import { createQuote as createAction } from '../actions/create-quote.ts'
import { NewQuoteInput, QuoteChangesInput } from '../actions/quote-input.ts'
import { updateQuote as updateAction } from '../actions/update-quote.ts'
import { CONFLICTS } from './quote-verbs.ts'
import { Quote } from './quotes.ts'
import { withId, writeEndpoint } from './write.ts'

export const createQuote = writeEndpoint({
  operation: 'createQuote',
  path: '/api/quotes',
  tag: 'Quotes',
  summary: 'Create a quote',
  description: `Creates a draft with its days and lines. Send \`leadId\`, or \`lead\` to create a new lead. Without \`currency\` the quote is
in the currency of the company. A quote has at most 1,000 lines and 100 days.

\`lines\` are for the whole event, and \`lines\` of a day for that day. A line costs \`priceCents\`. Without it, a line costs
\`unitPriceCents\` times \`quantity\`, rounded half up. Without both, a service or add-on has the price of the catalog in the currency
of the quote: per piece, hour, guest or day.`,
  body: NewQuoteInput,
  response: Quote,
  action: createAction,
  isCreation: true,
  input: (body) => body,
})

export const updateQuote = writeEndpoint({
  operation: 'updateQuote',
  path: '/api/quotes/:id',
  tag: 'Quotes',
  summary: 'Change a quote',
  description:
    'Changes the members that are sent. Null clears a member that can be null. Days and lines stay as they are.',
  idOf: 'quote',
  body: QuoteChangesInput,
  response: Quote,
  errors: { quote_booked: CONFLICTS.quote_booked, quote_lost: CONFLICTS.quote_lost },
  action: updateAction,
  input: withId,
  present: ({ object }) => object,
})
