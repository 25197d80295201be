/** Editing quotes. Each change names the version it is based on and is refused if the stored quote is newer. */
import { z } from 'zod'
import { NewDiscount, NewServiceCharge, NewTaxRate } from '../core/pricing/definitions.ts'
import { LOST_REASONS } from '../core/enumerations.ts'
import { ApiError } from '../core/requests/errors.ts'
import { clientName } from '../core/quotes/quote-booking.ts'
import { Time } from '../core/quotes/quote-details.ts'
import type { QuoteChoices } from '../core/quotes/quote-choices.ts'
import { QuoteContent } from '../core/quotes/quote-edit.ts'
import type { Catalog } from '../core/quotes/quote-edit.ts'
import { createDiscount, createServiceCharge, createTaxRate } from '../actions/create-definition.ts'
import { runAction } from '../actions/action.ts'
import { bookQuote } from '../actions/book-quote.ts'
import { cancelBooking, undoBooking } from '../actions/cancel-booking.ts'
import { addPackageItems } from '../records/catalog/queries.ts'
import { readQuoteChoices } from '../records/catalog/quote-choices.ts'
import { findValidDays } from '../records/company/queries.ts'
import { findQuoteForEdit } from '../records/quote/edit.ts'
import type { EditableQuote } from '../records/quote/edit.ts'
import { QuoteVersion } from '../actions/change-quote.ts'
import type { ChangedQuote } from '../actions/change-quote.ts'
import { MailInput, isFuture, markLost, markSent, reopenQuote } from '../actions/mark-quote.ts'
import { saveQuote } from '../actions/save-quote.ts'
import { CustomerMessage } from './quote-mails.ts'
import { consoleRoute } from './route.ts'

/** The quote with the catalog to choose from. */
export interface QuoteEditAnswer {
  id: string
  version: string
  currency: string
  totalCents: number
  content: QuoteContent
  catalog: Catalog
  choices: QuoteChoices
  /** Shown to people. Null if it was imported without one. */
  number: string | null
  /** How many days a quote is valid after it was sent. */
  validDays: number
  standing: EditableQuote['facts']['standing']
  sentAt: string | null
  expiresAt: string | null
  bookingId: string | null
  client: string | null
  eventType: string | null
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

const findForEdit = consoleRoute({
  method: 'GET',
  path: '/console/quotes/:id/edit',
  input: z.object({}),
  answer: async ({ db, companyId, id }) => {
    const quote = await findQuoteForEdit(db, companyId, id)
    if (quote === null) throw new ApiError('not_found', { message: 'Quote not found' })
    const { version, facts, content, price } = quote
    const choices = await readQuoteChoices(db, companyId, content)
    return {
      id,
      version,
      currency: facts.currency,
      totalCents: price.totalCents,
      content,
      catalog: await addPackageItems(db, companyId, quote.catalog, choices.packages),
      choices,
      number: facts.number,
      validDays: await findValidDays(db, companyId),
      standing: facts.standing,
      sentAt: facts.sentAt,
      expiresAt: facts.expiresAt,
      bookingId: facts.bookingId,
      client: clientName(facts.lead),
      eventType: facts.eventType,
      timeZone: facts.timeZone,
    } satisfies QuoteEditAnswer
  },
})

const save = consoleRoute({
  method: 'PUT',
  path: '/console/quotes/:id',
  bodyMaxBytes: CONTENT_MAX_BYTES,
  input: z.strictObject({ version: QuoteVersion, content: QuoteContent }),
  answer: async ({ action, id, input }) => presentQuote(await runAction(action, saveQuote, { id, ...input })),
})

const send = consoleRoute({
  method: 'POST',
  path: '/console/quotes/:id/sent',
  input: z.strictObject({
    version: QuoteVersion,
    expiresAt: Time.refine(isFuture, 'Choose a time in the future.').nullish(),
    message: CustomerMessage.nullish(),
    /** Absent: the quote is not sent by email. */
    mail: MailInput.optional(),
  }),
  answer: async ({ action, id, input }) => {
    const { version, expiresAt = null, message, mail } = input
    return presentQuote(
      await runAction(action, markSent, { id, version, expiresAt, message, mail, hasDefault: true }),
    )
  },
})

const lose = consoleRoute({
  method: 'POST',
  path: '/console/quotes/:id/lost',
  input: z.strictObject({ version: QuoteVersion, reason: z.enum(LOST_REASONS, 'Choose a reason.') }),
  answer: async ({ action, id, input }) => presentQuote(await runAction(action, markLost, { id, ...input })),
})

const reopen = consoleRoute({
  method: 'POST',
  path: '/console/quotes/:id/reopened',
  input: z.strictObject({ version: QuoteVersion }),
  answer: async ({ action, id, input }) =>
    presentQuote(await runAction(action, reopenQuote, { id, ...input })),
})

const book = consoleRoute({
  method: 'POST',
  path: '/console/quotes/:id/booked',
  input: z.strictObject({ version: QuoteVersion }),
  answer: async ({ action, id, input }) => presentQuote(await runAction(action, bookQuote, { id, ...input })),
})

const undoBookingRoute = consoleRoute({
  method: 'POST',
  path: '/console/quotes/:id/booking-undone',
  input: z.strictObject({ version: QuoteVersion }),
  answer: async ({ action, id, input }) =>
    presentQuote(await runAction(action, undoBooking, { id, ...input })),
})

const cancelBookingRoute = consoleRoute({
  method: 'POST',
  path: '/console/quotes/:id/booking-canceled',
  input: z.strictObject({ version: QuoteVersion }),
  answer: async ({ action, id, input }) =>
    presentQuote(await runAction(action, cancelBooking, { id, ...input })),
})

const addDiscount = consoleRoute({
  method: 'POST',
  path: '/console/definitions/discounts',
  isCreation: true,
  input: NewDiscount,
  answer: ({ action, input }) => runAction(action, createDiscount, input),
})

const addServiceCharge = consoleRoute({
  method: 'POST',
  path: '/console/definitions/service-charges',
  isCreation: true,
  input: NewServiceCharge,
  answer: ({ action, input }) => runAction(action, createServiceCharge, input),
})

const addTaxRate = consoleRoute({
  method: 'POST',
  path: '/console/definitions/tax-rates',
  isCreation: true,
  input: NewTaxRate,
  answer: ({ action, input }) => runAction(action, createTaxRate, input),
})

function presentQuote({ quote: { id, version, price, facts } }: ChangedQuote): QuoteChangeAnswer {
  const { standing, bookingId } = facts
  return { id, version, totalCents: price.totalCents, standing, bookingId }
}

export const quoteEditRoutes = [
  findForEdit,
  save,
  send,
  lose,
  reopen,
  book,
  undoBookingRoute,
  cancelBookingRoute,
  addDiscount,
  addServiceCharge,
  addTaxRate,
]
