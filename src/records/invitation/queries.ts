/** Open invitations of a company. */
import { newId } from '../../core/ids.ts'
import type { LinkRef } from '../../core/security/link-token.ts'
import { foldedEmail, sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import type { RowOf } from '../../codec/column.ts'
import { defineFields, pick, withIsoTimes } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { queryObjects } from '../../codec/select.ts'
import { COMPANY_COLUMNS } from '../company/columns.ts'
import { INVITATION_COLUMNS } from './columns.ts'

const NAMED = pick(INVITATION_COLUMNS, 'id', 'email', 'role')
const INVITATION = defineFields(NAMED)

export type Invitation = RowIn<typeof INVITATION>

type NewInvitation = Pick<
  RowOf<typeof INVITATION_COLUMNS.columns>,
  'email' | 'role' | 'tokenHash' | 'invitedBy'
>

const CREATED = defineFields(withIsoTimes(pick(INVITATION_COLUMNS, 'id', 'expiresAt')))

const REMOVE_OF_EMAIL = statement(sql`
  DELETE FROM invitations WHERE company_id = $1 AND ${foldedEmail(sql`email`)} = ${foldedEmail(sql`$2::text`)}`)
const CREATE = statement(sql`
  INSERT INTO invitations AS t (company_id, id, email, role, token_hash, invited_by, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, now() + interval '7 days')
  RETURNING ${CREATED.selectList}`)

/** Replaces an invitation of the same address, whose link ends. */
export async function createInvitation(
  db: Db,
  companyId: string,
  { email, role, tokenHash, invitedBy }: NewInvitation,
): Promise<RowIn<typeof CREATED>> {
  await queryRows(db, REMOVE_OF_EMAIL, [companyId, email])
  const values = [companyId, newId('invitation'), email, role, tokenHash, invitedBy]
  const [created] = await queryObjects(db, CREATED, CREATE, values)
  if (created === undefined) throw new Error('the new invitation is missing')
  return created
}

const LISTED = defineFields(
  withIsoTimes(pick(INVITATION_COLUMNS, 'id', 'email', 'role', 'invitedBy', 'createdAt', 'expiresAt')),
)

export type ListedInvitation = RowIn<typeof LISTED>

const LIST = statement(sql`
  SELECT ${LISTED.selectList} FROM invitations t
  WHERE t.company_id = $1 AND t.expires_at > now() ORDER BY t.created_at DESC, t.id`)

export async function listInvitations(db: Db, companyId: string): Promise<ListedInvitation[]> {
  return queryObjects(db, LISTED, LIST, [companyId])
}

const FOUND = defineFields({
  ...NAMED,
  companyName: COMPANY_COLUMNS.columns.name.sql(sql`c.name`),
})

const FIND_BY_LINK = statement(sql`
  SELECT ${FOUND.selectList} FROM invitations t JOIN companies c ON c.id = t.company_id
  WHERE t.company_id = $1 AND t.token_hash = $2 AND t.expires_at > now()`)

export async function findInvitation(
  db: Db,
  { companyId, tokenHash }: LinkRef,
): Promise<RowIn<typeof FOUND> | null> {
  return (await queryObjects(db, FOUND, FIND_BY_LINK, [companyId, tokenHash]))[0] ?? null
}

const TAKE = statement(sql`
  DELETE FROM invitations t WHERE t.company_id = $1 AND t.token_hash = $2 AND t.expires_at > now()
  RETURNING ${INVITATION.selectList}`)

/** Ends the link. Null if it was used or revoked, or has expired. */
export async function takeInvitation(
  db: Db,
  companyId: string,
  tokenHash: string,
): Promise<Invitation | null> {
  return (await queryObjects(db, INVITATION, TAKE, [companyId, tokenHash]))[0] ?? null
}

const REVOKE = statement(sql`
  DELETE FROM invitations t WHERE t.company_id = $1 AND t.id = $2 RETURNING ${INVITATION.selectList}`)

export async function revokeInvitation(db: Db, companyId: string, id: string): Promise<Invitation | null> {
  return (await queryObjects(db, INVITATION, REVOKE, [companyId, id]))[0] ?? null
}
