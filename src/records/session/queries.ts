/** Sessions of the application, one row for each browser. */
import { sql } from '../../db/sql.ts'
import { queryRows, statement, unpreparedStatement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import type { RowOf } from '../../codec/column.ts'
import { defineFields, ofTable, pick } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { boolean } from '../../codec/column-types.ts'
import { queryObjects } from '../../codec/select.ts'
import { COMPANY_COLUMNS } from '../company/columns.ts'
import { USER_COLUMNS } from '../user/columns.ts'
import { SESSION_COLUMNS } from './columns.ts'
import { stagedName } from '../../db/world-table.ts'

const SIGNED_IN_USER = defineFields({
  ...ofTable('u', pick(USER_COLUMNS, 'companyId', 'id', 'name', 'email', 'role')),
  ...ofTable('c', pick(COMPANY_COLUMNS, 'plan', 'currency', 'locale')),
  companyName: COMPANY_COLUMNS.columns.name.sql(sql`c.name`),
})

/** The user of a session. */
export type SignedInUser = RowIn<typeof SIGNED_IN_USER>

/** The time of the last use is accurate to a minute: it is not written at every request. */
const IS_IDLE = sql`s.last_used_at < now() - interval '1 minute'`
const FOUND_SESSION = defineFields({ ...SIGNED_IN_USER.columns, isIdle: boolean().sql(IS_IDLE) })

const LIFETIME = sql`interval '7 days'`

/** The password that a session began with. A session is valid only as long as its user has that password. */
const PASSWORD_DIGEST = sql`encode(sha256(convert_to(u.password_hash, 'UTF8')), 'hex')`
/** Sessions of the previous release have no digest. */
const HAS_ITS_PASSWORD = sql`coalesce(s.password_digest = ${PASSWORD_DIGEST}, true)`

/** FOR SHARE: a change of the password waits for this and then ends the session, or this waits and finds another password. */
const CREATE_SESSION = statement(sql`
  WITH u AS (
    SELECT company_id, id, password_hash FROM users
    WHERE company_id = $1 AND id = $2 AND password_hash = $4 AND disabled_at IS NULL FOR SHARE)
  INSERT INTO sessions (company_id, user_id, token_hash, expires_at, password_digest, user_agent, address)
  SELECT u.company_id, u.id, $3, now() + ${LIFETIME}, ${PASSWORD_DIGEST}, $5, $6 FROM u
  RETURNING token_hash`)

/** A new session of a browser. */
export type NewSession = Pick<RowOf<typeof SESSION_COLUMNS.columns>, 'tokenHash' | 'userAgent' | 'address'>

/** False if the password has changed since. */
export async function createSession(
  db: Db,
  companyId: string,
  session: NewSession & { userId: string; passwordHash: string },
): Promise<boolean> {
  const { userId, tokenHash, passwordHash, userAgent, address } = session
  const values = [companyId, userId, tokenHash, passwordHash, userAgent, address]
  return (await queryRows(db, CREATE_SESSION, values)).length === 1
}

const FIND_SIGNED_IN_USER = statement(sql`
  SELECT ${FOUND_SESSION.selectList}
  FROM sessions s
    JOIN users u ON u.company_id = s.company_id AND u.id = s.user_id
    JOIN companies c ON c.id = s.company_id
  WHERE s.company_id = $1 AND s.token_hash = $2 AND s.expires_at > now() AND u.disabled_at IS NULL
    AND ${HAS_ITS_PASSWORD}`)

/** Checked again, so that of many requests at once only one writes. */
const NOTE_USE = statement(sql`
  UPDATE sessions s SET last_used_at = now() WHERE s.company_id = $1 AND s.token_hash = $2 AND ${IS_IDLE}`)

export async function findSignedInUser(
  db: Db,
  companyId: string,
  tokenHash: string,
): Promise<SignedInUser | null> {
  const [found] = await queryObjects(db, FOUND_SESSION, FIND_SIGNED_IN_USER, [companyId, tokenHash])
  if (found === undefined) return null
  const { isIdle, ...user } = found
  if (isIdle) await queryRows(db, NOTE_USE, [companyId, tokenHash])
  return user as SignedInUser
}

const REMOVE_SESSION = statement(sql`DELETE FROM sessions WHERE company_id = $1 AND token_hash = $2`)

export async function removeSession(db: Db, companyId: string, tokenHash: string): Promise<void> {
  await queryRows(db, REMOVE_SESSION, [companyId, tokenHash])
}

const REMOVE_SESSIONS_OF_USER = statement(sql`DELETE FROM sessions WHERE company_id = $1 AND user_id = $2`)

/**
 * Signs the user out in every browser. A change of the password or of `disabled_at` calls it in the same transaction, after its
 * update: a separate statement, so that it sees a session that the update waited for.
 */
export async function removeSessionsOfUser(db: Db, companyId: string, userId: string): Promise<void> {
  await queryRows(db, REMOVE_SESSIONS_OF_USER, [companyId, userId])
}

const REMOVE_EXPIRED_SESSIONS = statement(
  sql`DELETE FROM sessions WHERE company_id = $1 AND expires_at < now()`,
)

export async function removeExpiredSessions(db: Db, companyId: string): Promise<void> {
  await queryRows(db, REMOVE_EXPIRED_SESSIONS, [companyId])
}

/** Users that an import gives another password, or disables. */
const STAGED_CHANGES = sql`
  users u JOIN ${stagedName({ name: 'users' })} n ON n.company_id = u.company_id AND n.id = u.id
    AND (n.password_hash <> u.password_hash OR (n.disabled_at IS NOT NULL AND u.disabled_at IS NULL))`
const LOCK_STAGED_USERS = unpreparedStatement(sql`
  WITH locked AS (SELECT 1 FROM ${STAGED_CHANGES} FOR NO KEY UPDATE OF u) SELECT count(*) FROM locked`)
const REMOVE_SESSIONS_OF_STAGED_USERS = unpreparedStatement(sql`
  DELETE FROM sessions s USING ${STAGED_CHANGES} WHERE s.company_id = u.company_id AND s.user_id = u.id`)

/** Before an import merges its users. The lock comes first, so that no sign-in with the old password is missed. */
export async function endSessionsOfStagedUsers(db: Db): Promise<void> {
  await queryRows(db, LOCK_STAGED_USERS, [])
  await queryRows(db, REMOVE_SESSIONS_OF_STAGED_USERS, [])
}

/**
 * Sessions that a change of the user should have ended. For those without a digest any later change counts: which one it was
 * is not known, and the user only has to sign in again.
 */
const STALE_SESSIONS = sql`
  sessions s JOIN users u ON u.company_id = s.company_id AND u.id = s.user_id
  WHERE s.company_id = $1 AND (
    u.disabled_at IS NOT NULL OR NOT ${HAS_ITS_PASSWORD}
    OR (s.password_digest IS NULL AND u.updated_at > s.created_at))`
const FIND_STALE_SESSIONS = unpreparedStatement(
  sql`SELECT DISTINCT s.user_id AS "userId" FROM ${STALE_SESSIONS} ORDER BY 1`,
)
const REMOVE_STALE_SESSIONS = unpreparedStatement(sql`
  DELETE FROM sessions WHERE company_id = $1 AND token_hash IN (SELECT s.token_hash FROM ${STALE_SESSIONS})`)

/** The users with a session that should have ended. */
export async function findUsersWithStaleSessions(db: Db, companyId: string): Promise<string[]> {
  const rows = await queryRows<{ userId: string }>(db, FIND_STALE_SESSIONS, [companyId])
  return rows.map(({ userId }) => userId)
}

export async function removeStaleSessions(db: Db, companyId: string): Promise<void> {
  await queryRows(db, REMOVE_STALE_SESSIONS, [companyId])
}
