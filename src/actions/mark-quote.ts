/** Marks a quote as sent or lost, or reopens it. */
import type { LostReason } from '../core/enumerations.ts'
import type { ChangeType } from '../core/change-log/change-types.ts'
import type { QuoteAction } from '../core/quotes/quote-actions.ts'
import { sql } from '../db/sql.ts'
import { queryRows, statement } from '../db/statement.ts'
import type { Statement } from '../db/statement.ts'
import type { EditableQuote } from '../records/quote/edit.ts'
import { defineAction } from './action.ts'
import type { ActionTransaction } from './action.ts'
import { changeQuote } from './change-quote.ts'
import type { QuoteTarget } from './change-quote.ts'

/** Without an expiry time, a quote expires after thirty days. */
const MARK_SENT = statement(sql`
  UPDATE quotes SET sent_at = now(), expires_at = coalesce($3, now() + interval '30 days'), updated_at = now()
  WHERE company_id = $1 AND id = $2`)

const MARK_LOST = statement(sql`
  UPDATE quotes SET lost_at = now(), lost_reason = $3, updated_at = now() WHERE company_id = $1 AND id = $2`)

const REOPEN = statement(sql`
  UPDATE quotes SET lost_at = NULL, lost_reason = NULL, updated_at = now() WHERE company_id = $1 AND id = $2`)

/** `expiresAt` is an ISO time in UTC. */
export const markSent = defineAction({
  name: 'sendQuote',
  lock: 'first',
  run: async (transaction, { expiresAt, ...target }: QuoteTarget & { expiresAt: string | null }) =>
    mark(transaction, target, { action: 'send', type: 'quote.sent' }, MARK_SENT, [expiresAt]),
})

export const markLost = defineAction({
  name: 'loseQuote',
  lock: 'first',
  run: async (transaction, { reason, ...target }: QuoteTarget & { reason: LostReason }) =>
    mark(transaction, target, { action: 'lose', type: 'quote.lost' }, MARK_LOST, [reason]),
})

/** The quote is sent again, or a draft if it was never sent. */
export const reopenQuote = defineAction({
  name: 'reopenQuote',
  lock: 'first',
  run: async (transaction, target: QuoteTarget) =>
    mark(transaction, target, { action: 'reopen', type: 'quote.reopened' }, REOPEN, []),
})

async function mark(
  transaction: ActionTransaction,
  target: QuoteTarget,
  change: { action: QuoteAction; type: ChangeType },
  update: Statement,
  values: readonly unknown[],
): Promise<EditableQuote> {
  const { db, companyId } = transaction
  return changeQuote(transaction, target, {
    ...change,
    apply: async () => {
      await queryRows(db, update, [companyId, target.id, ...values])
      return true
    },
  })
}
