/**
 * Changes of a quote with optimistic locking: a change can name the version that it is based on, and is rejected if the stored
 * quote has another one. So two users, or a user and an import, never overwrite each other unnoticed.
 */
import { z } from 'zod'
import type { ChangeType } from '../core/change-log/change-types.ts'
import { refusalCode, refusalOf } from '../core/quotes/quote-actions.ts'
import type { QuoteAction } from '../core/quotes/quote-actions.ts'
import type { QuoteContent } from '../core/quotes/quote-edit.ts'
import { ApiError } from '../core/requests/errors.ts'
import { lockQuote } from '../records/quote/edit.ts'
import type { EditableQuote } from '../records/quote/edit.ts'
import { QUOTE } from '../records/quote/object.ts'
import { findQuote } from '../records/quote/queries.ts'
import type { QuoteRow } from '../records/quote/row.ts'
import type { ActionTransaction } from './action.ts'
import { subjectOf } from './subjects.ts'

export const QuoteVersion = z.string().regex(/^[0-9a-f]{64}$/, 'Send the version of the quote you loaded.')

export const QuoteTarget = z.strictObject({
  id: z.string(),
  /** If absent, the change applies to any version. */
  version: QuoteVersion.optional(),
})
export type QuoteTarget = z.output<typeof QuoteTarget>

interface QuoteChange {
  action: QuoteAction
  type: ChangeType
  /** The new content. The records it refers to are read, too. */
  content?: QuoteContent
  /** Checks references, before the state of the quote is checked. Throws. */
  check?: (row: QuoteRow) => Promise<void>
  /** Writes the change, or throws. False if there is nothing to change. */
  apply: (quote: EditableQuote, row: QuoteRow) => Promise<boolean>
}

const CONFLICT = 'Someone else changed this quote. Your changes were not saved.'

/** The quote after a change, for the editor and as the API returns it. */
export interface ChangedQuote {
  quote: EditableQuote
  object: QuoteObject
}

export async function changeQuote(
  transaction: ActionTransaction,
  { id, version }: QuoteTarget,
  { action, type, content, check, apply }: QuoteChange,
): Promise<ChangedQuote> {
  const { db, companyId, presentation, record } = transaction
  const quote = await lockQuote(db, companyId, id, content)
  if (quote === null) throw notFound()
  const row = await findRow(transaction, id)
  await check?.(row)
  // A quote from an import can be both booked and lost.
  const standing = action === 'reopen' && quote.facts.lostAt !== null ? 'lost' : quote.facts.standing
  const message = refusalOf(action, standing)
  if (message !== null) throw new ApiError(refusalCode(action, standing), { message })
  if (version !== undefined && version !== quote.version) {
    // The member distinguishes it from a quote that is booked: here the user can compare the two and decide.
    throw new ApiError('conflict', { message: CONFLICT, details: { version: { _errors: [CONFLICT] } } })
  }
  const before = QUOTE.present(row, presentation)
  if (!(await apply(quote, row))) return { quote, object: before }
  const object = QUOTE.present(await findRow(transaction, id), presentation)
  record(type, subjectOf(before), subjectOf(object))
  const changed = await lockQuote(db, companyId, id)
  if (changed === null) throw notFound()
  return { quote: changed, object }
}

type QuoteObject = ReturnType<typeof QUOTE.present>

async function findRow({ db, companyId }: ActionTransaction, id: string): Promise<QuoteRow> {
  const row = await findQuote(db, companyId, id)
  if (row === null) throw notFound()
  return row
}

const notFound = () => new ApiError('not_found', { message: 'Quote not found', param: 'id' })
