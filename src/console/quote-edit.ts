/** Editing quotes. Each change names the version it is based on and is refused if the stored quote is newer. */
import { z } from 'zod'
import { cutToMilliseconds, parseDateTime } from '../core/schedule/datetime.ts'
import { NewDiscount, NewServiceCharge, NewTaxRate } from '../core/pricing/definitions.ts'
import { LOST_REASONS } from '../core/enumerations.ts'
import { ApiError } from '../core/requests/errors.ts'
import { clientName } from '../core/quotes/quote-booking.ts'
import type { ServiceDay } from '../core/quotes/quote-booking.ts'
import { QuoteContent } from '../core/quotes/quote-edit.ts'
import type { Catalogue } from '../core/quotes/quote-edit.ts'
import { createDiscount, createServiceCharge, createTaxRate } from '../actions/create-definition.ts'
import { bookQuote } from '../actions/book-quote.ts'
import { findQuoteForEdit } from '../records/quote/edit.ts'
import type { ChangeOutcome, EditableQuote } from '../records/quote/edit.ts'
import { markLost, markSent, reopenQuote } from '../actions/mark-quote.ts'
import { saveQuote } from '../actions/save-quote.ts'
import { consoleRoute } from './route.ts'

/** The quote with the catalog to choose from. */
export interface QuoteEditAnswer {
  id: string
  version: string
  currency: string
  totalCents: number
  content: QuoteContent
  catalogue: Catalogue
  serviceDays: ServiceDay[]
  standing: EditableQuote['facts']['standing']
  sentAt: string | null
  expiresAt: string | null
  bookingId: string | null
  client: string | null
  eventType: string | null
  eventAddress: string
  /** Of the location; null if it does not exist. */
  timeZone: string | null
}

/** The quote after a change. */
export type QuoteChangeAnswer = Pick<
  QuoteEditAnswer,
  'id' | 'version' | 'totalCents' | 'standing' | 'bookingId'
>

/** A thousand lines, each with a description of 700 characters. */
const CONTENT_MAX_BYTES = 1024 * 1024

const Version = z.string().regex(/^[0-9a-f]{64}$/, 'Send the version of the quote you loaded.')
const ExpiresAt = z
  .string()
  .transform((text) => parseDateTime(text))
  .refine((instant) => instant !== null, 'Send a date-time such as 2026-05-01T09:30:00Z.')
  .transform((instant) => cutToMilliseconds(instant ?? ''))

const CONFLICT = 'Someone else changed this quote. Your changes were not saved.'
const BUSY = 'This quote is being changed right now. Try again in a few seconds.'

const findForEdit = consoleRoute({
  method: 'GET',
  path: '/console/quotes/:id/edit',
  input: z.object({}),
  answer: async ({ db, companyId, id }) => {
    const quote = await findQuoteForEdit(db, companyId, id)
    if (quote === null) throw new ApiError('not_found', { message: 'Quote not found' })
    const { version, facts, serviceDays, content, catalogue, price } = quote
    return {
      id,
      version,
      currency: facts.currency,
      totalCents: price.totalCents,
      content,
      catalogue,
      serviceDays,
      standing: facts.standing,
      sentAt: facts.sentAt,
      expiresAt: facts.expiresAt,
      bookingId: facts.bookingId,
      client: clientName(facts.lead),
      eventType: facts.eventType,
      eventAddress: facts.eventAddress,
      timeZone: facts.timeZone,
    } satisfies QuoteEditAnswer
  },
})

const save = consoleRoute({
  method: 'PUT',
  path: '/console/quotes/:id',
  bodyMaxBytes: CONTENT_MAX_BYTES,
  input: z.strictObject({ version: Version, content: QuoteContent }),
  answer: async ({ db, companyId, id, input }) =>
    presentOutcome(await saveQuote(db, companyId, id, input.version, input.content), 'content.'),
})

const send = consoleRoute({
  method: 'POST',
  path: '/console/quotes/:id/sent',
  input: z.strictObject({ version: Version, expiresAt: ExpiresAt.nullish() }),
  answer: async ({ db, companyId, id, input, presentation }) => {
    const { version, expiresAt = null } = input
    if (expiresAt !== null && expiresAt <= presentation.now) {
      const message = 'Choose a time in the future.'
      throw new ApiError('invalid_body', { message, details: { expiresAt: { _errors: [message] } } })
    }
    return presentOutcome(await markSent(db, companyId, id, version, expiresAt))
  },
})

const lose = consoleRoute({
  method: 'POST',
  path: '/console/quotes/:id/lost',
  input: z.strictObject({ version: Version, reason: z.enum(LOST_REASONS, 'Choose a reason.') }),
  answer: async ({ db, companyId, id, input }) =>
    presentOutcome(await markLost(db, companyId, id, input.version, input.reason)),
})

const reopen = consoleRoute({
  method: 'POST',
  path: '/console/quotes/:id/reopened',
  input: z.strictObject({ version: Version }),
  answer: async ({ db, companyId, id, input }) =>
    presentOutcome(await reopenQuote(db, companyId, id, input.version)),
})

const book = consoleRoute({
  method: 'POST',
  path: '/console/quotes/:id/booked',
  input: z.strictObject({ version: Version }),
  answer: async ({ db, companyId, id, input }) =>
    presentOutcome(await bookQuote(db, companyId, id, input.version)),
})

const addDiscount = consoleRoute({
  method: 'POST',
  path: '/console/definitions/discounts',
  input: NewDiscount,
  answer: async ({ db, companyId, input }) => createDiscount(db, companyId, input),
})

const addServiceCharge = consoleRoute({
  method: 'POST',
  path: '/console/definitions/service-charges',
  input: NewServiceCharge,
  answer: async ({ db, companyId, input }) => createServiceCharge(db, companyId, input),
})

const addTaxRate = consoleRoute({
  method: 'POST',
  path: '/console/definitions/tax-rates',
  input: NewTaxRate,
  answer: async ({ db, companyId, input }) => createTaxRate(db, companyId, input),
})

/** `prefix`: where in what was sent the fields are that a refusal names. */
function presentOutcome(outcome: ChangeOutcome, prefix = ''): QuoteChangeAnswer {
  if (outcome.kind !== 'done') throw failureOf(outcome, prefix)
  const { id, version, price, facts } = outcome.quote
  const { standing, bookingId } = facts
  return { id, version, totalCents: price.totalCents, standing, bookingId }
}

function failureOf(outcome: Exclude<ChangeOutcome, { kind: 'done' }>, prefix: string): ApiError {
  if (outcome.kind === 'not_found') return new ApiError('not_found', { message: 'Quote not found' })
  if (outcome.kind === 'refused') return new ApiError('conflict', { message: outcome.message })
  if (outcome.kind === 'busy') return new ApiError('conflict', { message: BUSY })
  // The field tells this from a quote that is booked, say: here the caller can look at both, and decide.
  if (outcome.kind === 'conflict') {
    return new ApiError('conflict', { message: CONFLICT, details: { version: { _errors: [CONFLICT] } } })
  }
  const entries = Object.entries(outcome.details)
  const [message = 'The quote could not be saved.'] = entries[0]?.[1]._errors ?? []
  const details = Object.fromEntries(entries.map(([field, errors]) => [prefix + field, errors]))
  return new ApiError('invalid_body', { message, details })
}

export const quoteEditRoutes = [
  findForEdit,
  save,
  send,
  lose,
  reopen,
  book,
  addDiscount,
  addServiceCharge,
  addTaxRate,
]
