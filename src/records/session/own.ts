/** The sessions that a user sees: which browser, from where, when it was last used. */
import { isoFromPostgres } from '../../core/schedule/datetime.ts'
import { sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'

export interface OwnSession {
  id: string
  userAgent: string | null
  address: string | null
  createdAt: string
  lastUsedAt: string
  /** The session that asks. */
  isCurrent: boolean
}

const LIST = statement(sql`
  SELECT id, user_agent AS "userAgent", address, created_at::text AS "createdAt", last_used_at::text AS "lastUsedAt",
    token_hash = $3 AS "isCurrent"
  FROM sessions WHERE company_id = $1 AND user_id = $2 AND expires_at > now()
  ORDER BY token_hash = $3 DESC, last_used_at DESC, id LIMIT 100`)

/** The current one first, then the most recently used. */
export async function listOwnSessions(
  db: Db,
  companyId: string,
  userId: string,
  tokenHash: string,
): Promise<OwnSession[]> {
  const rows = await queryRows<OwnSession>(db, LIST, [companyId, userId, tokenHash])
  return rows.map((row) => ({
    ...row,
    createdAt: isoFromPostgres(row.createdAt),
    lastUsedAt: isoFromPostgres(row.lastUsedAt),
  }))
}

const END = statement(sql`
  DELETE FROM sessions WHERE company_id = $1 AND user_id = $2 AND id = $3
  RETURNING user_agent AS "userAgent", address`)

/** Null if the user has no such session. */
export async function endOwnSession(
  db: Db,
  companyId: string,
  userId: string,
  id: string,
): Promise<Pick<OwnSession, 'userAgent' | 'address'> | null> {
  const rows = await queryRows<Pick<OwnSession, 'userAgent' | 'address'>>(db, END, [companyId, userId, id])
  return rows[0] ?? null
}
