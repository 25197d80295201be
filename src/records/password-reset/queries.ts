/** Links with which users set a new password. */
import { isoFromPostgres } from '../../core/schedule/datetime.ts'
import type { LinkRef } from '../../core/security/link-token.ts'
import { sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { defineFields, ofTable, pick } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { queryObjects } from '../../codec/select.ts'
import { COMPANY_COLUMNS } from '../company/columns.ts'
import { USER_COLUMNS } from '../user/columns.ts'

const CREATE = statement(sql`
  INSERT INTO password_resets (company_id, user_id, token_hash, expires_at)
  VALUES ($1, $2, $3, now() + interval '1 day')
  ON CONFLICT (company_id, user_id) DO UPDATE
    SET token_hash = excluded.token_hash, expires_at = excluded.expires_at, created_at = now()
  RETURNING expires_at::text AS "expiresAt"`)

/** Replaces the previous link of the user. Returns when it expires. */
export async function createPasswordReset(
  db: Db,
  companyId: string,
  userId: string,
  tokenHash: string,
): Promise<string> {
  const [created] = await queryRows<{ expiresAt: string }>(db, CREATE, [companyId, userId, tokenHash])
  if (created === undefined) throw new Error('the new link is missing')
  return isoFromPostgres(created.expiresAt)
}

const RESET = defineFields({
  userId: USER_COLUMNS.columns.id.sql(sql`u.id`),
  ...ofTable('u', pick(USER_COLUMNS, 'name', 'email')),
  companyName: COMPANY_COLUMNS.columns.name.sql(sql`c.name`),
})

const FIND_BY_LINK = statement(sql`
  SELECT ${RESET.selectList}
  FROM password_resets r
    JOIN users u ON u.company_id = r.company_id AND u.id = r.user_id
    JOIN companies c ON c.id = r.company_id
  WHERE r.company_id = $1 AND r.token_hash = $2 AND r.expires_at > now() AND u.disabled_at IS NULL`)

export async function findPasswordReset(
  db: Db,
  { companyId, tokenHash }: LinkRef,
): Promise<RowIn<typeof RESET> | null> {
  return (await queryObjects(db, RESET, FIND_BY_LINK, [companyId, tokenHash]))[0] ?? null
}

const TAKE = statement(sql`
  DELETE FROM password_resets r USING users u
  WHERE r.company_id = $1 AND r.token_hash = $2 AND r.expires_at > now()
    AND u.company_id = r.company_id AND u.id = r.user_id AND u.disabled_at IS NULL
  RETURNING r.user_id AS "userId"`)

/** Ends the link. Null if it was used or replaced, or has expired. */
export async function takePasswordReset(
  db: Db,
  companyId: string,
  tokenHash: string,
): Promise<string | null> {
  return (await queryRows<{ userId: string }>(db, TAKE, [companyId, tokenHash]))[0]?.userId ?? null
}

const REMOVE_OF_USER = statement(sql`DELETE FROM password_resets WHERE company_id = $1 AND user_id = $2`)

/** When the user gets another password or is disabled. */
export async function removePasswordReset(db: Db, companyId: string, userId: string): Promise<void> {
  await queryRows(db, REMOVE_OF_USER, [companyId, userId])
}
