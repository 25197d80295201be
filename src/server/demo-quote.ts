/** A sent quote of the demo world that a newcomer can accept. */
import { runAction } from '../actions/action.ts'
import type { ActionContext } from '../actions/action.ts'
import { markSent } from '../actions/mark-quote.ts'
import { SYSTEM } from '../core/change-log/change-types.ts'
import { sql } from '../db/sql.ts'
import { queryRows, statement } from '../db/statement.ts'
import type { DbPool } from '../db/statement.ts'
import { findQuoteLink } from '../records/quote-revision/queries.ts'
import { DEMO_KEYS } from '../world/demo/demo-world.ts'

/** Quotes with options and a contract show most. One that has a link already is preferred, so that the link stays the same. */
const FIND = statement(sql`
  SELECT q.id FROM quotes q
  WHERE q.company_id = $1 AND q.deleted_at IS NULL AND q.sent_at IS NOT NULL AND q.booked_at IS NULL
    AND q.booking_id IS NULL AND q.lost_at IS NULL AND q.expires_at > now()
    AND EXISTS (SELECT 1 FROM service_days d WHERE d.company_id = $1 AND d.quote_id = q.id AND d.service_start_time > now())
    AND EXISTS (SELECT 1 FROM line_items l WHERE l.company_id = $1 AND l.quote_id = q.id AND l.deleted_at IS NULL)
  ORDER BY EXISTS (SELECT 1 FROM quote_revisions r WHERE r.company_id = $1 AND r.quote_id = q.id) DESC,
    EXISTS (SELECT 1 FROM leads c WHERE c.company_id = $1 AND c.id = q.lead_id AND c.first_name <> '') DESC,
    EXISTS (
      SELECT 1 FROM line_items l
      WHERE l.company_id = $1 AND l.quote_id = q.id AND l.deleted_at IS NULL AND l.optional) DESC,
    q.contract_id IS NOT NULL DESC, q.created_at DESC, q.id
  LIMIT 1`)

/** The link of the quote; null if all were accepted or have expired. */
export async function findDemoQuoteUrl(
  pool: DbPool,
  urls: Omit<ActionContext['presentation'], 'now'>,
): Promise<string | null> {
  const [{ company: companyId }] = DEMO_KEYS
  const [quote] = await queryRows<{ id: string }>(pool, FIND, [companyId])
  if (quote === undefined) return null
  const presentation = { now: new Date().toISOString(), ...urls }
  const context: ActionContext = { pool, companyId, actor: SYSTEM, caller: 'system', presentation }
  if ((await findQuoteLink(pool, companyId, quote.id)) === null) await runAction(context, markSent, quote)
  const link = await findQuoteLink(pool, companyId, quote.id)
  return link === null ? null : urls.quoteUrl(companyId, quote.id, link.revision)
}
