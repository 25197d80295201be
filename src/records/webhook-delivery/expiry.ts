/** Deletion of old webhook deliveries. Pending ones stay, whatever their age. */
import { literal, sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'

/** Few enough that a write of the company does not notice. */
const BATCH = 1_000

/** Skips from one company with deliveries to the next. */
const FIND_COMPANIES = statement(sql`
  WITH RECURSIVE companies_with AS (
    (SELECT company_id FROM webhook_deliveries ORDER BY company_id LIMIT 1)
    UNION ALL
    SELECT n.company_id FROM companies_with c CROSS JOIN LATERAL (
      SELECT company_id FROM webhook_deliveries WHERE company_id > c.company_id ORDER BY company_id LIMIT 1) n
  )
  SELECT company_id AS id FROM companies_with`)

export async function findCompaniesWithDeliveries(db: Db): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(db, FIND_COMPANIES, [])
  return rows.map(({ id }) => id)
}

/** Numbers follow the time of creation, so only the oldest batch is looked at. */
const REMOVE = statement(sql`
  DELETE FROM webhook_deliveries WHERE company_id = $1 AND number IN (
    SELECT d.number FROM (
      SELECT number, created_at FROM webhook_deliveries
      WHERE company_id = $1 AND status <> 'pending' ORDER BY number LIMIT ${literal(BATCH)}) d
    WHERE d.created_at < now() - interval '30 days')
  RETURNING number`)

/** Returns whether there may be more. */
export async function removeExpiredDeliveries(db: Db, companyId: string): Promise<boolean> {
  return (await queryRows(db, REMOVE, [companyId])).length === BATCH
}
