/** The actions that change quotes, with their errors as values, so that a test can compare them. */
import type { Pool } from 'pg'
import { runAction } from '../../src/actions/action.ts'
import type { Action } from '../../src/actions/action.ts'
import * as book from '../../src/actions/book-quote.ts'
import type { ChangedQuote } from '../../src/actions/change-quote.ts'
import * as mark from '../../src/actions/mark-quote.ts'
import * as save from '../../src/actions/save-quote.ts'
import type { LostReason } from '../../src/core/enumerations.ts'
import type { QuoteContent } from '../../src/core/quotes/quote-edit.ts'
import { ApiError } from '../../src/core/requests/errors.ts'
import type { FieldErrors } from '../../src/core/requests/errors.ts'
import type { EditableQuote } from '../../src/records/quote/edit.ts'
import { contextOf } from './actions.ts'

export type ChangeOutcome =
  | { kind: 'done'; quote: EditableQuote }
  | { kind: 'not_found' | 'conflict' | 'busy' }
  | { kind: 'rejected'; message: string }
  | { kind: 'invalid'; details: FieldErrors }

async function outcomeOf<Input>(
  pool: Pool,
  companyId: string,
  action: Action<Input, ChangedQuote>,
  input: Input,
): Promise<ChangeOutcome> {
  try {
    const { quote } = await runAction(contextOf(pool, companyId), action, input)
    return { kind: 'done', quote }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code, message, details = {} } = error
    if (code === 'not_found' || code === 'conflict') return { kind: code }
    if (code === 'auth_service_unavailable') return { kind: 'busy' }
    if (code !== 'invalid_body') return { kind: 'rejected', message }
    const fields = Object.entries(details).map(([name, errors]) => [name.replace(/^content\./, ''), errors])
    return { kind: 'invalid', details: Object.fromEntries(fields) as FieldErrors }
  }
}

type Target = [pool: Pool, companyId: string, id: string, version: string]

export const saveQuote = (...[pool, companyId, id, version, content]: [...Target, QuoteContent]) =>
  outcomeOf(pool, companyId, save.saveQuote, { id, version, content })

export const markSent = (...[pool, companyId, id, version, expiresAt]: [...Target, string | null]) =>
  outcomeOf(pool, companyId, mark.markSent, { id, version, expiresAt, hasDefault: true })

export const markLost = (...[pool, companyId, id, version, reason]: [...Target, LostReason]) =>
  outcomeOf(pool, companyId, mark.markLost, { id, version, reason })

export const reopenQuote = (...[pool, companyId, id, version]: Target) =>
  outcomeOf(pool, companyId, mark.reopenQuote, { id, version })

export const bookQuote = (...[pool, companyId, id, version]: Target) =>
  outcomeOf(pool, companyId, book.bookQuote, { id, version })
