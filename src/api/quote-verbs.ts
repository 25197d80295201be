/** The verbs of a quote: send, lose, reopen and book. */
import { z } from 'zod'
import type { Action } from '../actions/action.ts'
import { bookQuote as bookAction } from '../actions/book-quote.ts'
import type { ChangedQuote, QuoteTarget } from '../actions/change-quote.ts'
import { isFuture, markLost, markSent, reopenQuote as reopenAction } from '../actions/mark-quote.ts'
import { LOST_REASONS } from '../core/enumerations.ts'
import type { ErrorCode } from '../core/requests/errors.ts'
import { bodyShape, bodyText } from '../codec/body-schema.ts'
import { MESSAGE_MAX } from '../core/quotes/quote-actions.ts'
import { QUOTE_COLUMNS } from '../records/quote/columns.ts'
import type { Operation } from './access.ts'
import type { Call } from './endpoint.ts'
import { Quote } from './quotes.ts'
import { EmptyBody, writeEndpoint } from './write.ts'

interface Verb<Body, Input extends QuoteTarget> {
  operation: Operation
  verb: string
  summary: string
  description: string
  body: z.ZodObject & z.ZodType<Body>
  action: Action<Input, ChangedQuote>
  input: (body: Body, call: Pick<Call, 'id'>) => Input
  conflicts: readonly (keyof typeof CONFLICTS)[]
}

/** Examples of the conflicts of quotes. */
export const CONFLICTS = {
  quote_booked: { message: 'This quote is booked, so it can no longer change.' },
  quote_lost: { message: 'This quote is marked as lost. Reopen it first.' },
  quote_empty: { message: 'This quote has no lines. Add lines before you send it.' },
  quote_not_lost: { message: 'Only a lost quote can be reopened.' },
  quote_without_days: { message: 'This quote has no days, so it cannot be booked.' },
  total_too_high: { message: 'The total of this quote is too high to book. Lower it first.' },
} as const satisfies Partial<Record<ErrorCode, { message: string }>>

const quoteVerb = <Body, Input extends QuoteTarget>({ verb, conflicts, ...write }: Verb<Body, Input>) =>
  writeEndpoint({
    ...write,
    path: `/api/quotes/:id/${verb}`,
    tag: 'Quotes',
    idOf: 'quote',
    response: Quote,
    errors: Object.fromEntries(conflicts.map((code) => [code, CONFLICTS[code]])),
    present: ({ object }) => object,
  })

const SendBody = z
  .strictObject({
    expiresAt: bodyShape(QUOTE_COLUMNS, 'expiresAt').expiresAt.refine(
      (time) => time == null || isFuture(time),
      'must be in the future',
    ),
    message: bodyText(MESSAGE_MAX).nullable().optional().meta({
      description:
        'A message to the customer. With it, the quote is sent by email, if the service sends mail and the lead has an address.',
    }),
  })
  .meta({ id: 'SendQuoteBody' })

export const sendQuote = quoteVerb({
  operation: 'sendQuote',
  verb: 'send',
  summary: 'Send a quote',
  description: `Sets \`sentAt\` to the current time, at every call. Without \`expiresAt\` the quote keeps its expiration, and null
removes it.`,
  body: SendBody,
  action: markSent,
  input: ({ expiresAt, message }, { id }) => {
    const mail = message == null ? undefined : 'contact'
    return { id, expiresAt, message, mail } as const
  },
  conflicts: ['quote_booked', 'quote_lost', 'quote_empty'],
})

const LoseBody = z
  .strictObject({ lostReason: z.enum(LOST_REASONS, `must be one of ${LOST_REASONS.join(', ')}`) })
  .meta({ id: 'LoseQuoteBody' })

export const loseQuote = quoteVerb({
  operation: 'loseQuote',
  verb: 'lose',
  summary: 'Mark a quote as lost',
  description: 'Sets `lostAt` to the current time, and `lostReason`.',
  body: LoseBody,
  action: markLost,
  input: ({ lostReason }, { id }) => ({ id, reason: lostReason }),
  conflicts: ['quote_booked', 'quote_lost'],
})

export const reopenQuote = quoteVerb({
  operation: 'reopenQuote',
  verb: 'reopen',
  summary: 'Reopen a lost quote',
  description: 'Clears `lostAt` and `lostReason`.',
  body: EmptyBody,
  action: reopenAction,
  input: (_, { id }): QuoteTarget => ({ id }),
  conflicts: ['quote_not_lost'],
})

export const bookQuote = quoteVerb({
  operation: 'bookQuote',
  verb: 'book',
  summary: 'Book a quote',
  description: `Creates the booking at the current total, and one event for each service day. The quote need not have been sent.
Expand \`booking.events\` of the quote to read them.`,
  body: EmptyBody,
  action: bookAction,
  input: (_, { id }): QuoteTarget => ({ id }),
  conflicts: ['quote_booked', 'quote_lost', 'quote_without_days', 'total_too_high'],
})
