/** The users of the admin application. */
import type { ClientBase } from 'pg'
import { isoFromPostgres } from '../../core/schedule/datetime.ts'
import type { Role } from '../../core/enumerations.ts'
import { isStorableText, newId } from '../../core/ids.ts'
import { columns, queryRows, statement } from '../../db/connect.ts'
import type { Db } from '../../db/connect.ts'
import { transact } from '../../db/transaction.ts'
import { removeSessionsOfUser } from '../session/queries.ts'

export interface NewUser {
  email: string
  name: string
  role: Role
  passwordHash: string
}

export type CreatedUser = { id: string } | 'no company' | 'address taken'

/** How emails are compared: the rule of foldEmail in core/security/email.ts, whatever the locale of the database. */
const folded = (email: string) => `lower(${email} COLLATE "C")`

/** Whoever adds a user to the company waits here: no index keeps two of one address apart. */
const LOCK_COMPANY = statement('SELECT 1 FROM companies WHERE id = $1 FOR NO KEY UPDATE')
const CREATE_USER = statement(`
  INSERT INTO users (company_id, id, email, name, role, password_hash)
  SELECT $1, $2, $3::text, $4, $5, $6
  WHERE NOT EXISTS (SELECT FROM users WHERE company_id = $1 AND ${folded('email')} = ${folded('$3::text')})
  RETURNING id`)

/** An address is taken whatever its case, also by a user who is disabled. */
export async function createUser(
  client: ClientBase,
  companyId: string,
  { email, name, role, passwordHash }: NewUser,
): Promise<CreatedUser> {
  return transact(client, async () => {
    if ((await queryRows(client, LOCK_COMPANY, [companyId])).length === 0) return 'no company'
    const values = [companyId, newId('user'), email, name, role, passwordHash]
    const [created] = await queryRows<{ id: string }>(client, CREATE_USER, values)
    return created ?? 'address taken'
  })
}

export interface ListedUser {
  id: string
  email: string
  name: string
  role: Role
  createdAt: string
  disabledAt: string | null
}

const COMPANY_EXISTS = statement('SELECT 1 FROM companies WHERE id = $1')
const LIST_USERS = statement(`
  SELECT ${columns('id email name role createdAt disabledAt')} FROM users WHERE company_id = $1
  ORDER BY created_at, id`)

/** A company's users, oldest first, or null when there is no such company. */
export async function listUsers(db: Db, companyId: string): Promise<ListedUser[] | null> {
  if ((await queryRows(db, COMPANY_EXISTS, [companyId])).length === 0) return null
  const rows = await queryRows<ListedUser>(db, LIST_USERS, [companyId])
  return rows.map(({ createdAt, disabledAt, ...user }) => ({
    ...user,
    createdAt: isoFromPostgres(createdAt),
    disabledAt: disabledAt === null ? null : isoFromPostgres(disabledAt),
  }))
}

const LIST_IDS_BY_EMAIL = statement(`
  SELECT id FROM users WHERE company_id = $1 AND ${folded('email')} = ${folded('$2::text')} ORDER BY id`)

/** Whom the company knows by this address, in any case: one at most, but for what was imported. */
export async function listUserIdsByEmail(db: Db, companyId: string, email: string): Promise<string[]> {
  return (await queryRows<{ id: string }>(db, LIST_IDS_BY_EMAIL, [companyId, email])).map(({ id }) => id)
}

/** Who may be signing in. */
export interface SignInUser {
  companyId: string
  companyName: string
  id: string
  email: string
  name: string
  role: Role
  passwordHash: string
}

/** One person may belong to several companies; each of these costs a comparison of passwords. */
const SIGN_IN_MOST = 10
const FIND_BY_EMAIL = statement(`
  SELECT ${columns('companyId id email name role passwordHash', 'u')}, c.name AS "companyName"
  FROM users u JOIN companies c ON c.id = u.company_id
  WHERE ${folded('u.email')} = ${folded('$1::text')} AND u.disabled_at IS NULL
  ORDER BY u.company_id, u.id LIMIT ${SIGN_IN_MOST}`)

/** The one look-up of users without a company: who signs in names none. */
export async function findUsersByEmail(db: Db, email: string): Promise<SignInUser[]> {
  return isStorableText(email) ? queryRows<SignInUser>(db, FIND_BY_EMAIL, [email]) : []
}

const FIND_MOST_WORK = statement(`
  WITH compared AS (
    SELECT password_hash, ${folded('email')} AS folded,
      row_number() OVER (PARTITION BY ${folded('email')} ORDER BY company_id, id) AS place
    FROM users WHERE disabled_at IS NULL
  ), counted AS (
    SELECT sum(2 ^ substring(password_hash FROM 'ln=(\\d+)')::integer * substring(password_hash FROM 'p=(\\d+)')::integer) AS work
    FROM compared WHERE place <= ${SIGN_IN_MOST} GROUP BY folded
  )
  SELECT max(work)::integer AS work FROM counted`)

/** The work of comparing a password with all users that `findUsersByEmail` returns, for the email that costs the most. */
export async function findMostWorkOfAnEmail(db: Db): Promise<number> {
  return (await queryRows<{ work: number | null }>(db, FIND_MOST_WORK, []))[0]?.work ?? 0
}

const SET_PASSWORD = statement(`
  UPDATE users SET password_hash = $3, updated_at = now() WHERE company_id = $1 AND id = $2 RETURNING id`)
const DISABLE_USER = statement(`
  UPDATE users SET disabled_at = coalesce(disabled_at, now()), updated_at = now()
  WHERE company_id = $1 AND id = $2 RETURNING id`)
const ENABLE_USER = statement(`
  UPDATE users SET disabled_at = NULL, updated_at = now() WHERE company_id = $1 AND id = $2 RETURNING id`)

/** Returns whether the company has the user, and signs them out everywhere. Call it in a transaction. */
export async function setPassword(
  db: Db,
  companyId: string,
  userId: string,
  passwordHash: string,
): Promise<boolean> {
  const isFound = (await queryRows(db, SET_PASSWORD, [companyId, userId, passwordHash])).length === 1
  if (isFound) await removeSessionsOfUser(db, companyId, userId)
  return isFound
}

/** The same. A user who is disabled already keeps the time. */
export async function disableUser(db: Db, companyId: string, userId: string): Promise<boolean> {
  const isFound = (await queryRows(db, DISABLE_USER, [companyId, userId])).length === 1
  if (isFound) await removeSessionsOfUser(db, companyId, userId)
  return isFound
}

/** Returns whether the company has the user, who can then sign in with the same password as before. */
export async function enableUser(db: Db, companyId: string, userId: string): Promise<boolean> {
  return (await queryRows(db, ENABLE_USER, [companyId, userId])).length === 1
}
