/** The customer's actions on the page of a revision: view, ask, decline. Accepting is in accept-quote.ts. */
import { z } from 'zod'
import { CUSTOMERS } from '../core/callers.ts'
import { LOST_REASONS } from '../core/enumerations.ts'
import { quoteDeclined, quoteQuestion } from '../core/mail/messages.ts'
import { readRevision } from '../core/quotes/revision.ts'
import type { Revision } from '../core/quotes/revision.ts'
import { STATE_MESSAGES, revisionState } from '../core/quotes/revision-state.ts'
import { ApiError } from '../core/requests/errors.ts'
import { QUOTE } from '../records/quote/object.ts'
import { findQuote } from '../records/quote/queries.ts'
import { countQuestions, insertQuestion } from '../records/quote-question/queries.ts'
import { findRevisionStanding, markViewed } from '../records/quote-revision/queries.ts'
import type { RevisionStanding } from '../records/quote-revision/queries.ts'
import { defineAction } from './action.ts'
import type { ActionTransaction, Subject } from './action.ts'
import { markQuoteLost } from './mark-quote.ts'
import { customerOf, mailCompany, quotePath } from './quote-mails.ts'
import { subjectOf } from './subjects.ts'

export const RevisionTarget = z.strictObject({ quoteId: z.string(), revision: z.int().min(1) })
export type RevisionTarget = z.output<typeof RevisionTarget>

/** Of a question, or of the reason to decline. */
export const CUSTOMER_TEXT_MAX = 5_000
const CustomerText = z.string().max(CUSTOMER_TEXT_MAX)

/** Limits the questions about one quote. */
const QUESTIONS_MAX = 50

const notFound = () => new ApiError('not_found', { message: 'Quote not found' })

/** Throws if the quote or the revision does not exist, or its content is damaged. */
export async function findSentRevision(
  { db, companyId }: ActionTransaction,
  { quoteId, revision }: RevisionTarget,
): Promise<{ standing: RevisionStanding; content: Revision }> {
  const standing = await findRevisionStanding(db, companyId, quoteId, revision)
  const content = standing === null ? null : readRevision(standing.content)
  if (standing === null || content === null) throw notFound()
  return { standing, content }
}

/** Throws unless customers can still decide about the revision. */
export function refuseClosed(
  content: Revision,
  standing: RevisionStanding,
  now: string,
  { isUndatedFine }: { isUndatedFine: boolean },
): void {
  const state = revisionState(content, standing, now)
  if (state === 'open' || (state === 'undated' && isUndatedFine)) return
  throw new ApiError('conflict', { message: STATE_MESSAGES[state] })
}

export async function findQuoteSubject(
  { db, companyId, presentation }: ActionTransaction,
  quoteId: string,
): Promise<Subject> {
  const row = await findQuote(db, companyId, quoteId)
  if (row === null) throw notFound()
  return subjectOf(QUOTE.present(row, presentation))
}

/** The first time that the customer opens a revision. */
export const recordQuoteView = defineAction({
  name: 'recordQuoteView',
  allowed: CUSTOMERS,
  input: RevisionTarget,
  lock: 'first',
  run: async (transaction, target) => {
    const { standing } = await findSentRevision(transaction, target)
    if (!(await markViewed(transaction.db, transaction.companyId, standing.id))) return
    const subject = await findQuoteSubject(transaction, target.quoteId)
    transaction.record('quote.viewed', subject, subject)
  },
})

export const askQuestion = defineAction({
  name: 'askQuestion',
  allowed: CUSTOMERS,
  input: RevisionTarget.extend({ text: CustomerText.min(1) }),
  lock: 'first',
  run: async (transaction, { text, ...target }) => {
    const { db, companyId, actor, presentation } = transaction
    const { content, standing } = await findSentRevision(transaction, target)
    // Customers also ask about quotes that are booked or have expired.
    if (revisionState(content, standing, presentation.now) === 'replaced') {
      throw new ApiError('conflict', { message: STATE_MESSAGES.replaced })
    }
    if ((await countQuestions(db, companyId, target.quoteId)) >= QUESTIONS_MAX) {
      throw new ApiError('conflict', {
        message: 'There are many questions about this quote already. Call or write to us instead.',
      })
    }
    await insertQuestion(db, companyId, { ...target, kind: 'QUESTION', name: actor.name, text })
    transaction.audit({
      type: 'quote.question_asked',
      subject: { object: 'quote', id: target.quoteId, name: content.number },
      details: { revision: target.revision, text },
    })
    const { customer, quote, replyTo } = customerOf(content)
    await mailCompany(transaction, {
      kind: 'quote_question',
      quoteId: target.quoteId,
      replyTo,
      content: (urlOf) =>
        quoteQuestion({ customer, quote, question: text, url: urlOf(quotePath(target.quoteId)) }),
    })
    transaction.announce()
  },
})

export const declineQuote = defineAction({
  name: 'declineQuote',
  allowed: CUSTOMERS,
  input: RevisionTarget.extend({ reason: z.enum(LOST_REASONS), text: CustomerText.nullable() }),
  lock: 'first',
  run: async (transaction, { reason, text, ...target }) => {
    const { db, companyId, actor, presentation } = transaction
    const { content, standing } = await findSentRevision(transaction, target)
    refuseClosed(content, standing, presentation.now, { isUndatedFine: true })
    await markQuoteLost(transaction, { id: target.quoteId }, reason)
    const { customer, quote, replyTo } = customerOf(content)
    await mailCompany(transaction, {
      kind: 'quote_declined',
      quoteId: target.quoteId,
      replyTo,
      content: (urlOf) =>
        quoteDeclined({ customer, quote, reason: text, url: urlOf(quotePath(target.quoteId)) }),
    })
    if (text === null) return
    await insertQuestion(db, companyId, { ...target, kind: 'DECLINE', name: actor.name, text })
    transaction.audit({
      type: 'quote.declined',
      subject: { object: 'quote', id: target.quoteId, name: content.number },
      details: { revision: target.revision, text },
    })
  },
})
