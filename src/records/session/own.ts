/** The sessions that a user sees: which browser, from where, when it was last used. */
import { sql } from '../../db/sql.ts'
import { statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { boolean } from '../../codec/column-types.ts'
import { defineFields, pick, withIsoTimes } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { queryObjects } from '../../codec/select.ts'
import { SESSION_COLUMNS } from './columns.ts'

const OWN = defineFields({
  ...withIsoTimes(pick(SESSION_COLUMNS, 'id', 'userAgent', 'address', 'createdAt', 'lastUsedAt')),
  /** The session that asks. */
  isCurrent: boolean().sql(sql`t.token_hash = $3`),
})

export type OwnSession = RowIn<typeof OWN>

const LIST = statement(sql`
  SELECT ${OWN.selectList} FROM sessions t WHERE t.company_id = $1 AND t.user_id = $2 AND t.expires_at > now()
  ORDER BY t.token_hash = $3 DESC, t.last_used_at DESC, t.id LIMIT 100`)

/** The current one first, then the most recently used. */
export async function listOwnSessions(
  db: Db,
  companyId: string,
  userId: string,
  tokenHash: string,
): Promise<OwnSession[]> {
  return queryObjects(db, OWN, LIST, [companyId, userId, tokenHash])
}

const ENDED = defineFields(pick(SESSION_COLUMNS, 'userAgent', 'address'))

const END = statement(sql`
  DELETE FROM sessions t WHERE t.company_id = $1 AND t.user_id = $2 AND t.id = $3 RETURNING ${ENDED.selectList}`)

/** Null if the user has no such session. */
export async function endOwnSession(
  db: Db,
  companyId: string,
  userId: string,
  id: string,
): Promise<RowIn<typeof ENDED> | null> {
  const rows = await queryObjects(db, ENDED, END, [companyId, userId, id])
  return rows[0] ?? null
}
