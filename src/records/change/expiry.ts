/** Deletion of old changes. The newest change of a company stays, so that an old cursor is always recognized. */
import { literal, sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'

/** Few enough that a write of the company does not notice. */
const BATCH = 1_000

const FIND_COMPANIES = statement(sql`
  SELECT c.company_id AS id FROM change_counters c CROSS JOIN LATERAL (
    SELECT sequence, created_at FROM changes WHERE company_id = c.company_id ORDER BY sequence LIMIT 1
  ) oldest
  WHERE oldest.created_at < now() - make_interval(days => $1) AND oldest.sequence < c.last_sequence
  LIMIT 100`)

/** Some companies that have changes to delete. */
export async function findCompaniesWithExpired(db: Db, keptDays: number): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(db, FIND_COMPANIES, [keptDays])
  return rows.map(({ id }) => id)
}

const REMOVE = statement(sql`
  DELETE FROM changes WHERE company_id = $1 AND sequence IN (
    SELECT sequence FROM changes
    WHERE company_id = $1 AND created_at < now() - make_interval(days => $2) AND sequence < (
      SELECT last_sequence FROM change_counters WHERE company_id = $1)
    ORDER BY sequence LIMIT ${literal(BATCH)})`)

/** The oldest ones, at most a batch. */
export async function removeExpiredChanges(db: Db, companyId: string, keptDays: number): Promise<void> {
  await queryRows(db, REMOVE, [companyId, keptDays])
}
