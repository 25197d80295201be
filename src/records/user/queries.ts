/** The users of the admin application. */
import type { Role } from '../../core/enumerations.ts'
import { isStorableText, newId } from '../../core/ids.ts'
import { foldedEmail, literal, sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import type { RowOf } from '../../codec/column.ts'
import { boolean } from '../../codec/column-types.ts'
import { defineFields, pick, withIsoTimes } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { queryObjects } from '../../codec/select.ts'
import { COMPANY_COLUMNS } from '../company/columns.ts'
import { USER_COLUMNS } from './columns.ts'
import { removePasswordReset } from '../password-reset/queries.ts'
import { removeSessionsOfUser } from '../session/queries.ts'

export interface NewUser extends Pick<
  RowOf<typeof USER_COLUMNS.columns>,
  'email' | 'name' | 'role' | 'passwordHash'
> {
  /** A new one if absent. */
  id?: string
}

export type CreatedUser = { id: string } | 'no company' | 'address taken'

/** Adding users to a company is serialized, because no index enforces unique emails. */
const LOCK_COMPANY = statement(sql`SELECT 1 FROM companies WHERE id = $1 FOR NO KEY UPDATE`)
const CREATE_USER = statement(sql`
  INSERT INTO users (company_id, id, email, name, role, password_hash)
  SELECT $1, $2, $3::text, $4, $5, $6
  WHERE NOT EXISTS (SELECT 1 FROM users WHERE company_id = $1 AND ${foldedEmail(sql`email`)} = ${foldedEmail(sql`$3::text`)})
  RETURNING id`)

/** An address is taken in any case, also by a disabled user. Call it in a transaction. */
export async function createUser(
  client: Db,
  companyId: string,
  { id = newId('user'), email, name, role, passwordHash }: NewUser,
): Promise<CreatedUser> {
  if ((await queryRows(client, LOCK_COMPANY, [companyId])).length === 0) return 'no company'
  const values = [companyId, id, email, name, role, passwordHash]
  const [created] = await queryRows<{ id: string }>(client, CREATE_USER, values)
  return created ?? 'address taken'
}

const LISTED_USER = defineFields(
  withIsoTimes(pick(USER_COLUMNS, 'id', 'email', 'name', 'role', 'createdAt', 'disabledAt')),
)

export type ListedUser = RowIn<typeof LISTED_USER>

const COMPANY_EXISTS = statement(sql`SELECT 1 FROM companies WHERE id = $1`)
const LIST_USERS = statement(sql`
  SELECT ${LISTED_USER.selectList} FROM users t WHERE t.company_id = $1 ORDER BY t.created_at, t.id`)

/** The users of a company, oldest first, or null if it does not exist. */
export async function listUsers(db: Db, companyId: string): Promise<ListedUser[] | null> {
  if ((await queryRows(db, COMPANY_EXISTS, [companyId])).length === 0) return null
  return queryObjects(db, LISTED_USER, LIST_USERS, [companyId])
}

const LIST_IDS_BY_EMAIL = statement(sql`
  SELECT id FROM users WHERE company_id = $1 AND ${foldedEmail(sql`email`)} = ${foldedEmail(sql`$2::text`)} ORDER BY id`)

/** The users with this email, in any case. At most one, unless more were imported. */
export async function listUserIdsByEmail(db: Db, companyId: string, email: string): Promise<string[]> {
  return (await queryRows<{ id: string }>(db, LIST_IDS_BY_EMAIL, [companyId, email])).map(({ id }) => id)
}

const SIGN_IN_USER = defineFields({
  ...pick(USER_COLUMNS, 'companyId', 'id', 'email', 'name', 'role', 'passwordHash'),
  companyName: COMPANY_COLUMNS.columns.name.sql(sql`c.name`),
})

/** A user who may be signing in. */
export type SignInUser = RowIn<typeof SIGN_IN_USER>

/** A person can belong to several companies, and each costs a password comparison. */
const SIGN_IN_MOST = 10
const FIND_BY_EMAIL = statement(sql`
  SELECT ${SIGN_IN_USER.selectList}
  FROM users t JOIN companies c ON c.id = t.company_id
  WHERE ${foldedEmail(sql`t.email`)} = ${foldedEmail(sql`$1::text`)} AND t.disabled_at IS NULL
  ORDER BY t.company_id, t.id LIMIT ${literal(SIGN_IN_MOST)}`)

/** The only lookup of users without a company: the sign-in form does not ask for one. */
export async function findUsersByEmail(db: Db, email: string): Promise<SignInUser[]> {
  return isStorableText(email) ? queryObjects(db, SIGN_IN_USER, FIND_BY_EMAIL, [email]) : []
}

const FIND_MOST_WORK = statement(sql`
  WITH compared AS (
    SELECT password_hash, ${foldedEmail(sql`email`)} AS folded,
      row_number() OVER (PARTITION BY ${foldedEmail(sql`email`)} ORDER BY company_id, id) AS place
    FROM users WHERE disabled_at IS NULL
  ), counted AS (
    SELECT sum(2 ^ substring(password_hash FROM 'ln=(\\d+)')::integer * substring(password_hash FROM 'p=(\\d+)')::integer) AS work
    FROM compared WHERE place <= ${literal(SIGN_IN_MOST)} GROUP BY folded
  )
  SELECT max(work)::integer AS work FROM counted`)

/** The work of comparing a password with all users that `findUsersByEmail` returns, for the email that costs the most. */
export async function findMostWorkOfAnEmail(db: Db): Promise<number> {
  return (await queryRows<{ work: number | null }>(db, FIND_MOST_WORK, []))[0]?.work ?? 0
}

const CHANGED_USER = defineFields(pick(USER_COLUMNS, 'id', 'email', 'name'))

/** A user as the audit log names them. */
export type ChangedUser = RowIn<typeof CHANGED_USER>

const updateUser = (change: Sql) =>
  statement(sql`
    UPDATE users t SET ${change}, updated_at = now() WHERE t.company_id = $1 AND t.id = $2
    RETURNING ${CHANGED_USER.selectList}`)

const SET_PASSWORD = updateUser(sql`password_hash = $3`)
const DISABLE_USER = statement(sql`
  UPDATE users t SET disabled_at = coalesce(t.disabled_at, now()), updated_at = now()
  WHERE t.company_id = $1 AND t.id = $2 RETURNING ${CHANGED_USER.selectList}`)
const ENABLE_USER = updateUser(sql`disabled_at = NULL`)
const SET_ROLE = updateUser(sql`role = $3`)

/** Signs the user out everywhere, and ends a link with which a new password could be set. */
async function endAccess(db: Db, companyId: string, userId: string): Promise<void> {
  await removeSessionsOfUser(db, companyId, userId)
  await removePasswordReset(db, companyId, userId)
}

/** Signs the user out everywhere. Null if the company has no such user. Call it in a transaction. */
export async function setPassword(
  db: Db,
  companyId: string,
  userId: string,
  passwordHash: string,
): Promise<ChangedUser | null> {
  const [user] = await queryObjects(db, CHANGED_USER, SET_PASSWORD, [companyId, userId, passwordHash])
  if (user !== undefined) await endAccess(db, companyId, userId)
  return user ?? null
}

/** The same. A user who is disabled already keeps the time. */
export async function disableUser(db: Db, companyId: string, userId: string): Promise<ChangedUser | null> {
  const [user] = await queryObjects(db, CHANGED_USER, DISABLE_USER, [companyId, userId])
  if (user !== undefined) await endAccess(db, companyId, userId)
  return user ?? null
}

/** The user can sign in with the same password as before. Null if the company has no such user. */
export async function enableUser(db: Db, companyId: string, userId: string): Promise<ChangedUser | null> {
  return (await queryObjects(db, CHANGED_USER, ENABLE_USER, [companyId, userId]))[0] ?? null
}

/** Null if the company has no such user. */
export async function setRole(
  db: Db,
  companyId: string,
  userId: string,
  role: Role,
): Promise<ChangedUser | null> {
  return (await queryObjects(db, CHANGED_USER, SET_ROLE, [companyId, userId, role]))[0] ?? null
}

const STATE = defineFields({
  ...pick(USER_COLUMNS, 'id', 'email', 'name', 'role'),
  isDisabled: boolean().sql(sql`t.disabled_at IS NOT NULL`),
  /** The company's only user who is an active administrator. */
  isLastAdmin: boolean().sql(sql`(t.role = 'ADMIN' AND t.disabled_at IS NULL AND NOT EXISTS (
    SELECT 1 FROM users o WHERE o.company_id = $1 AND o.id <> t.id AND o.role = 'ADMIN' AND o.disabled_at IS NULL))`),
})

export type UserState = RowIn<typeof STATE>

const FIND_STATE = statement(
  sql`SELECT ${STATE.selectList} FROM users t WHERE t.company_id = $1 AND t.id = $2`,
)

/** Null if the company has no such user. */
export async function findUserState(db: Db, companyId: string, userId: string): Promise<UserState | null> {
  return (await queryObjects(db, STATE, FIND_STATE, [companyId, userId]))[0] ?? null
}
