/** Marks a quote as sent or lost, or reopens it, if it still has the version that the user saw. */
import type { LostReason } from '../core/enumerations.ts'
import { sql } from '../db/sql.ts'
import { queryRows, statement } from '../db/statement.ts'
import type { DbPool, Statement } from '../db/statement.ts'
import { changeQuote } from '../records/quote/edit.ts'
import type { ChangeOutcome } from '../records/quote/edit.ts'
import type { QuoteAction } from '../core/quotes/quote-actions.ts'

/** Without an expiry time, a quote expires after thirty days. */
const MARK_SENT = statement(sql`
  UPDATE quotes SET sent_at = now(), expires_at = coalesce($3, now() + interval '30 days'), updated_at = now()
  WHERE company_id = $1 AND id = $2`)

const MARK_LOST = statement(sql`
  UPDATE quotes SET lost_at = now(), lost_reason = $3, updated_at = now() WHERE company_id = $1 AND id = $2`)

const REOPEN = statement(sql`
  UPDATE quotes SET lost_at = NULL, lost_reason = NULL, updated_at = now() WHERE company_id = $1 AND id = $2`)

/** `expiresAt` is an ISO time in UTC. */
export async function markSent(
  pool: DbPool,
  companyId: string,
  id: string,
  version: string,
  expiresAt: string | null,
): Promise<ChangeOutcome> {
  return mark(pool, companyId, id, version, { action: 'send', update: MARK_SENT, values: [expiresAt] })
}

export async function markLost(
  pool: DbPool,
  companyId: string,
  id: string,
  version: string,
  reason: LostReason,
): Promise<ChangeOutcome> {
  return mark(pool, companyId, id, version, { action: 'lose', update: MARK_LOST, values: [reason] })
}

/** Restores the previous state: sent or draft. */
export async function reopenQuote(
  pool: DbPool,
  companyId: string,
  id: string,
  version: string,
): Promise<ChangeOutcome> {
  return mark(pool, companyId, id, version, { action: 'reopen', update: REOPEN, values: [] })
}

async function mark(
  pool: DbPool,
  companyId: string,
  id: string,
  version: string,
  { action, update, values }: { action: QuoteAction; update: Statement; values: unknown[] },
): Promise<ChangeOutcome> {
  return changeQuote(pool, companyId, id, version, {
    action,
    apply: async (client) => {
      await queryRows(client, update, [companyId, id, ...values])
      return null
    },
  })
}
