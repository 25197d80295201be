/** Creating quotes: new ones, and copies of others. */
import { z } from 'zod'
import { runAction } from '../actions/action.ts'
import { createQuote } from '../actions/create-quote.ts'
import { duplicateQuote } from '../actions/duplicate-quote.ts'
import { NewQuoteInput } from '../actions/quote-input.ts'
import type { ContactChoice, QuoteChoices } from '../core/quotes/quote-choices.ts'
import { readQuoteChoices, searchContacts } from '../records/catalog/quote-choices.ts'
import { consoleRoute } from './route.ts'

const SEARCH_MAX_CHARACTERS = 200

export interface ContactChoicesAnswer {
  contacts: ContactChoice[]
}

export interface NewQuoteAnswer {
  id: string
}

const showChoices = consoleRoute({
  method: 'GET',
  path: '/console/quote-choices',
  input: z.unknown(),
  answer: ({ db, companyId }): Promise<QuoteChoices> => readQuoteChoices(db, companyId, null),
})

const searchRoute = consoleRoute({
  method: 'GET',
  path: '/console/contact-choices',
  input: z.object({
    search: z.string().max(SEARCH_MAX_CHARACTERS, 'Search for fewer characters.').default(''),
  }),
  answer: async ({ reports, companyId, input }): Promise<ContactChoicesAnswer> => ({
    contacts: await searchContacts(reports, companyId, input.search),
  }),
})

const create = consoleRoute({
  method: 'POST',
  path: '/console/quotes',
  isCreation: true,
  input: NewQuoteInput,
  answer: async ({ action, input }): Promise<NewQuoteAnswer> => {
    const { id } = await runAction(action, createQuote, { ...input, withDefaults: true })
    return { id }
  },
})

const duplicate = consoleRoute({
  method: 'POST',
  path: '/console/quotes/:id/duplicate',
  isCreation: true,
  answer: async ({ action, id }): Promise<NewQuoteAnswer> => {
    const copy = await runAction(action, duplicateQuote, { id })
    return { id: copy.id }
  },
})

export const quoteNewRoutes = [showChoices, searchRoute, create, duplicate]
