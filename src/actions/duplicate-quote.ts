/** Creates a draft with the content of a quote: the event, its days, lines, options and terms. */
import { USERS } from '../core/callers.ts'
import { ApiError } from '../core/requests/errors.ts'
import { lockQuote } from '../records/quote/edit.ts'
import { defineAction } from './action.ts'
import { insertQuote } from './insert-quote.ts'
import { Target } from './targets.ts'

export const duplicateQuote = defineAction({
  name: 'duplicateQuote',
  allowed: USERS,
  input: Target,
  lock: 'first',
  run: async (transaction, { id }) => {
    const quote = await lockQuote(transaction.db, transaction.companyId, id)
    if (quote === null) throw new ApiError('not_found', { message: 'Quote not found', param: 'id' })
    const { content, facts } = quote
    const { serviceDays, lines, ...members } = content
    return insertQuote(transaction, { members: { ...members, currency: facts.currency }, serviceDays, lines })
  },
})
