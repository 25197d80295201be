/** Submissions of public forms by network. They are counted in the database, so that several processes share the counts. */
import { literal, sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'

/** From one network to one company in one hour. Offices share an address. */
const SUBMISSIONS_MAX = 20
const PERIOD = sql`interval '1 hour'`
const IS_OVER = sql`l.started_at < now() - ${PERIOD}`

const FIND_WAIT = statement(sql`
  SELECT ceil(extract(epoch FROM l.started_at + ${PERIOD} - now()))::integer AS seconds FROM form_limits l
  WHERE l.company_id = $1 AND l.network_hash = $2 AND l.submissions >= ${literal(SUBMISSIONS_MAX)} AND NOT (${IS_OVER})`)

/** Seconds until the next submission can be sent; 0 if it can be sent now. */
export async function findWait(db: Db, companyId: string, networkHash: string): Promise<number> {
  const [row] = await queryRows<{ seconds: number }>(db, FIND_WAIT, [companyId, networkHash])
  return row === undefined ? 0 : Math.max(1, row.seconds)
}

/** Also removes counts that no longer matter. */
const COUNT = statement(sql`
  WITH removed AS (
    DELETE FROM form_limits l WHERE l.company_id = $1 AND l.network_hash <> $2 AND ${IS_OVER})
  INSERT INTO form_limits AS l (company_id, network_hash, submissions) VALUES ($1, $2, 1)
  ON CONFLICT (company_id, network_hash) DO UPDATE SET
    submissions = CASE WHEN ${IS_OVER} THEN 1 ELSE l.submissions + 1 END,
    started_at = CASE WHEN ${IS_OVER} THEN now() ELSE l.started_at END
  WHERE ${IS_OVER} OR l.submissions < ${literal(SUBMISSIONS_MAX)}
  RETURNING l.submissions`)

/** False if the network has sent too many. */
export async function countSubmission(db: Db, companyId: string, networkHash: string): Promise<boolean> {
  return (await queryRows(db, COUNT, [companyId, networkHash])).length === 1
}
