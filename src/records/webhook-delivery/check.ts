/** Checks and repairs what the statements of webhooks maintain: which companies are followed, and which deliveries are parked. */
import { sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { lockCompany } from '../change/record.ts'
import { noteEndpoints } from '../webhook-endpoint/queries.ts'

/** A parked delivery waits for an earlier one of its subject. Without one, it would wait forever. */
const STUCK = sql`d.status = 'pending' AND d.next_attempt_at = 'infinity' AND NOT EXISTS (
  SELECT 1 FROM webhook_deliveries b
  WHERE b.company_id = d.company_id AND b.endpoint_id = d.endpoint_id AND b.subject = d.subject
    AND b.status = 'pending' AND b.number < d.number)`

const ORPHANED = sql`NOT EXISTS (
  SELECT 1 FROM webhook_endpoints e WHERE e.company_id = d.company_id AND e.id = d.endpoint_id)`

/** They would be sent if the endpoint was enabled again. */
const LEFT_PENDING = sql`d.status = 'pending' AND EXISTS (
  SELECT 1 FROM webhook_endpoints e WHERE e.company_id = d.company_id AND e.id = d.endpoint_id AND e.status = 'disabled')`

const FIND_ERRORS = statement(sql`
  SELECT 'deliveries whose endpoint is gone' AS what, count(*)::integer AS count
  FROM webhook_deliveries d WHERE d.company_id = $1 AND ${ORPHANED}
  UNION ALL
  SELECT 'deliveries that wait for no other', count(*)::integer
  FROM webhook_deliveries d WHERE d.company_id = $1 AND ${STUCK}
  UNION ALL
  SELECT 'pending deliveries of disabled webhook endpoints', count(*)::integer
  FROM webhook_deliveries d WHERE d.company_id = $1 AND ${LEFT_PENDING}
  UNION ALL
  SELECT 'webhook endpoints whose company is not followed', count(*)::integer
  FROM webhook_endpoints e JOIN change_counters c ON c.company_id = e.company_id
  WHERE e.company_id = $1 AND e.status = 'enabled' AND NOT c.has_webhooks`)

/** One sentence per kind of error. */
export async function findWebhookErrors(db: Db, companyId: string): Promise<string[]> {
  const rows = await queryRows<{ what: string; count: number }>(db, FIND_ERRORS, [companyId])
  return rows.filter(({ count }) => count > 0).map(({ what, count }) => `${count} ${what}`)
}

const REMOVE_ORPHANED = statement(
  sql`DELETE FROM webhook_deliveries d WHERE d.company_id = $1 AND ${ORPHANED}`,
)
const RELEASE_STUCK = statement(sql`
  UPDATE webhook_deliveries d SET next_attempt_at = now() WHERE d.company_id = $1 AND ${STUCK}`)

const FAIL_LEFT_PENDING = statement(sql`
  UPDATE webhook_deliveries d SET status = 'failed', next_attempt_at = NULL, is_forced = false
  WHERE d.company_id = $1 AND ${LEFT_PENDING}`)

export async function repairWebhooks(db: Db, companyId: string): Promise<void> {
  await lockCompany(db, companyId)
  await queryRows(db, REMOVE_ORPHANED, [companyId])
  await queryRows(db, FAIL_LEFT_PENDING, [companyId])
  await queryRows(db, RELEASE_STUCK, [companyId])
  await noteEndpoints(db, companyId)
}
