/** Marks a company that moves to another cell. From then on it is read here, but not written. */
import { sql } from '../../db/sql.ts'
import { queryRows, unpreparedStatement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'

export interface MoveMarks {
  /** The cell that the company moves to, if any. */
  movingTo: string | null
  /** The cell that still has the original, if any. */
  movedFrom: string | null
}

/** Null if the company is not in this cell. */
export async function findMove(db: Db, companyId: string): Promise<MoveMarks | null> {
  const [found] = await queryRows<MoveMarks>(db, FIND, [companyId])
  return found ?? null
}

const FIND = unpreparedStatement(sql`
  SELECT k.moving_to AS "movingTo", k.moved_from AS "movedFrom" FROM companies c LEFT JOIN change_counters k ON k.company_id = c.id WHERE c.id = $1`)

const ADD_COUNTER = unpreparedStatement(
  sql`INSERT INTO change_counters (company_id) VALUES ($1) ON CONFLICT DO NOTHING`,
)
/** Conflicts with the locks of every write, so all of them have ended or will see the mark. */
const LOCK = unpreparedStatement(sql`SELECT 1 FROM change_counters WHERE company_id = $1 FOR UPDATE`)
const MARK = unpreparedStatement(sql`
  UPDATE change_counters SET moving_to = $2, moved_from = $3 WHERE company_id = $1`)

/** Webhook workers of this cell lose their leases. They write no more results, and the other cell sends these deliveries again. */
const TAKE_LEASES = unpreparedStatement(sql`
  UPDATE webhook_endpoints SET lease_owner = 'moving', lease_until = 'infinity' WHERE company_id = $1`)
const FREE_LEASES = unpreparedStatement(sql`
  UPDATE webhook_endpoints SET lease_owner = NULL, lease_until = NULL WHERE company_id = $1 AND lease_owner = 'moving'`)

/** Attempts that began have no error yet. Their results are awaited. */
const IS_BEING_SENT = sql`attempts > 0 AND last_error IS NULL AND next_attempt_at > now() AND next_attempt_at < 'infinity'`
const PARK_MAILS = unpreparedStatement(sql`
  UPDATE mails SET next_attempt_at = 'infinity' WHERE company_id = $1 AND status = 'pending' AND NOT (${IS_BEING_SENT})`)
const FREE_MAILS = unpreparedStatement(sql`
  UPDATE mails SET next_attempt_at = now() WHERE company_id = $1 AND status = 'pending' AND next_attempt_at = 'infinity'`)
const COUNT_BEING_SENT = unpreparedStatement(sql`
  SELECT count(*)::integer AS count FROM mails WHERE company_id = $1 AND status = 'pending' AND ${IS_BEING_SENT}`)

/** Inside a transaction. Can be repeated. */
export async function beginMove(db: Db, companyId: string, cell: string): Promise<void> {
  await queryRows(db, ADD_COUNTER, [companyId])
  await queryRows(db, LOCK, [companyId])
  await queryRows(db, MARK, [companyId, cell, null])
  await queryRows(db, TAKE_LEASES, [companyId])
  await queryRows(db, PARK_MAILS, [companyId])
}

/** Inside a transaction: in the old cell if the move is given up, in the new one for the rows that were copied from `movedFrom`. */
export async function endMove(db: Db, companyId: string, movedFrom: string | null): Promise<void> {
  await queryRows(db, MARK, [companyId, null, movedFrom])
  await queryRows(db, FREE_LEASES, [companyId])
  await queryRows(db, FREE_MAILS, [companyId])
}

/** In the new cell, as long as the old one has the original. Its commit also shows that earlier ones are replicated. */
export async function confirmCopy(db: Db, companyId: string, movedFrom: string): Promise<boolean> {
  const found = await queryRows(db, CONFIRM, [companyId, movedFrom])
  return found.length > 0
}

const CONFIRM = unpreparedStatement(sql`
  UPDATE change_counters SET moved_from = $2 WHERE company_id = $1 AND moved_from = $2 RETURNING 1`)
const FORGET = unpreparedStatement(sql`UPDATE change_counters SET moved_from = NULL WHERE company_id = $1`)

/** In the new cell, once the original is removed. */
export async function forgetOriginal(db: Db, companyId: string): Promise<void> {
  await queryRows(db, FORGET, [companyId])
}

/** Messages that a worker of this cell hands over right now. */
export async function countMailsBeingSent(db: Db, companyId: string): Promise<number> {
  const [row] = await queryRows<{ count: number }>(db, COUNT_BEING_SENT, [companyId])
  return row?.count ?? 0
}
