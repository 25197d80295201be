/** Who is signed in to the application, one row for each browser. */
import type { Plan, Role } from '../../core/enumerations.ts'
import { queryRows, statement } from '../../db/connect.ts'
import type { Db } from '../../db/connect.ts'

/** What a session says about its user. */
export interface SignedInUser {
  companyId: string
  companyName: string
  plan: Plan
  currency: string
  id: string
  name: string
  email: string
  role: Role
}

const LIFETIME = `interval '7 days'`

/** Whoever changes the password or disables the user waits for this, or this for them: no session outlives its password. */
const CREATE_SESSION = statement(`
  WITH u AS (
    SELECT company_id, id FROM users
    WHERE company_id = $1 AND id = $2 AND password_hash = $4 AND disabled_at IS NULL FOR SHARE)
  INSERT INTO sessions (company_id, user_id, token_hash, expires_at)
  SELECT u.company_id, u.id, $3, now() + ${LIFETIME} FROM u
  RETURNING token_hash`)

/** False where the user has another password by now. */
export async function createSession(
  db: Db,
  companyId: string,
  session: { userId: string; tokenHash: string; passwordHash: string },
): Promise<boolean> {
  const { userId, tokenHash, passwordHash } = session
  return (await queryRows(db, CREATE_SESSION, [companyId, userId, tokenHash, passwordHash])).length === 1
}

const FIND_SIGNED_IN_USER = statement(`
  SELECT u.company_id AS "companyId", c.name AS "companyName", c.plan, c.currency, u.id, u.name, u.email, u.role
  FROM sessions s
    JOIN users u ON u.company_id = s.company_id AND u.id = s.user_id
    JOIN companies c ON c.id = s.company_id
  WHERE s.company_id = $1 AND s.token_hash = $2 AND s.expires_at > now() AND u.disabled_at IS NULL`)

export async function findSignedInUser(
  db: Db,
  companyId: string,
  tokenHash: string,
): Promise<SignedInUser | null> {
  return (await queryRows<SignedInUser>(db, FIND_SIGNED_IN_USER, [companyId, tokenHash]))[0] ?? null
}

const REMOVE_SESSION = statement('DELETE FROM sessions WHERE company_id = $1 AND token_hash = $2')

export async function removeSession(db: Db, companyId: string, tokenHash: string): Promise<void> {
  await queryRows(db, REMOVE_SESSION, [companyId, tokenHash])
}

const REMOVE_SESSIONS_OF_USER = statement('DELETE FROM sessions WHERE company_id = $1 AND user_id = $2')

/** Signs the user out in every browser. */
export async function removeSessionsOfUser(db: Db, companyId: string, userId: string): Promise<void> {
  await queryRows(db, REMOVE_SESSIONS_OF_USER, [companyId, userId])
}

const REMOVE_EXPIRED_SESSIONS = statement('DELETE FROM sessions WHERE company_id = $1 AND expires_at < now()')

export async function removeExpiredSessions(db: Db, companyId: string): Promise<void> {
  await queryRows(db, REMOVE_EXPIRED_SESSIONS, [companyId])
}
