/** The revisions of a quote, the link of its customer, and what the customer wrote. */
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { ApiError } from '../core/requests/errors.ts'
import { isPossibleId } from '../core/ids.ts'
import { readRevision } from '../core/quotes/revision.ts'
import type { Revision } from '../core/quotes/revision.ts'
import { diffRevisions } from '../core/quotes/revision-diff.ts'
import type { RevisionDifference } from '../core/quotes/revision-diff.ts'
import type { Db } from '../db/statement.ts'
import { findQuoteForEdit } from '../records/quote/edit.ts'
import { listQuestions, listRevisions } from '../records/quote-revision/list.ts'
import type { ListedQuestion, ListedRevision } from '../records/quote-revision/list.ts'
import { findNewestRevision, findRevision } from '../records/quote-revision/queries.ts'
import { NOT_FOUND } from '../api/quotes.ts'
import { consoleRoute } from './route.ts'

export interface QuoteRevisionsAnswer {
  /** Newest first. */
  revisions: ListedRevision[]
  /** Of the newest revision. Null if the quote was never sent. */
  url: string | null
  /** The quote was edited after it was sent. */
  hasChanges: boolean
  questions: ListedQuestion[]
}

export interface RevisionDifferencesAnswer {
  differences: RevisionDifference[]
}

const list = consoleRoute({
  method: 'GET',
  path: '/console/quotes/:id/revisions',
  input: z.object({}),
  answer: async ({ db, companyId, id, presentation }): Promise<QuoteRevisionsAnswer> => {
    const quote = await findQuoteForEdit(db, companyId, id)
    if (quote === null) throw new ApiError('not_found', NOT_FOUND)
    const revisions = await listRevisions(db, companyId, id)
    const newest = await findNewestRevision(db, companyId, id)
    const sent = newest === null ? null : readRevision(newest.content)
    const isEditable = quote.facts.standing !== 'booked'
    return {
      revisions,
      url: newest === null ? null : presentation.quoteUrl(companyId, id, newest.revision),
      hasChanges: isEditable && sent !== null && !isDeepStrictEqual(sent.content, quote.content),
      questions: await listQuestions(db, companyId, id),
    }
  },
})

const RevisionNumber = z.coerce
  .number()
  .int()
  .min(1)
  .max(2 ** 31 - 1)

const compare = consoleRoute({
  method: 'GET',
  path: '/console/quotes/:id/differences',
  input: z.object({ from: RevisionNumber, to: RevisionNumber }),
  answer: async ({ db, companyId, id, input: { from, to } }): Promise<RevisionDifferencesAnswer> => {
    const [older, newer] = [await read(db, companyId, id, from), await read(db, companyId, id, to)]
    return { differences: diffRevisions(older, newer) }
  },
})

async function read(db: Db, companyId: string, quoteId: string, revision: number): Promise<Revision> {
  const stored = isPossibleId(quoteId) ? await findRevision(db, companyId, quoteId, revision) : null
  const content = stored === null ? null : readRevision(stored.content)
  if (content === null) throw new ApiError('not_found', { message: 'Revision not found' })
  return content
}

export const quoteRevisionRoutes = [list, compare]
