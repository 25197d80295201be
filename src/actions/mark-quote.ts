/** Marks a quote as sent or lost, or reopens it. */
import type { LostReason } from '../core/enumerations.ts'
import { sql } from '../db/sql.ts'
import { queryRows, statement } from '../db/statement.ts'
import { defineAction } from './action.ts'
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
  run: async (transaction, { id, version, expiresAt }: QuoteTarget & { expiresAt: string | null }) =>
    changeQuote(
      transaction,
      { id, version },
      {
        action: 'send',
        type: 'quote.sent',
        apply: async () => {
          await queryRows(transaction.db, MARK_SENT, [transaction.companyId, id, expiresAt])
          return true
        },
      },
    ),
})

export const markLost = defineAction({
  name: 'loseQuote',
  lock: 'first',
  run: async (transaction, { id, version, reason }: QuoteTarget & { reason: LostReason }) =>
    changeQuote(
      transaction,
      { id, version },
      {
        action: 'lose',
        type: 'quote.lost',
        apply: async () => {
          await queryRows(transaction.db, MARK_LOST, [transaction.companyId, id, reason])
          return true
        },
      },
    ),
})

/** The quote is sent again, or a draft if it was never sent. */
export const reopenQuote = defineAction({
  name: 'reopenQuote',
  lock: 'first',
  run: async (transaction, { id, version }: QuoteTarget) =>
    changeQuote(
      transaction,
      { id, version },
      {
        action: 'reopen',
        type: 'quote.reopened',
        apply: async () => {
          await queryRows(transaction.db, REOPEN, [transaction.companyId, id])
          return true
        },
      },
    ),
})
