/** Open invitations of a company. */
import type { Role } from '../../core/enumerations.ts'
import { newId } from '../../core/ids.ts'
import { isoFromPostgres } from '../../core/schedule/datetime.ts'
import type { LinkRef } from '../../core/security/link-token.ts'
import { sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { folded } from '../user/queries.ts'

export interface Invitation {
  id: string
  email: string
  role: Role
}

interface NewInvitation {
  email: string
  role: Role
  tokenHash: string
  invitedBy: string | null
}

const REMOVE_OF_EMAIL = statement(sql`
  DELETE FROM invitations WHERE company_id = $1 AND ${folded(sql`email`)} = ${folded(sql`$2::text`)}`)
const CREATE = statement(sql`
  INSERT INTO invitations (company_id, id, email, role, token_hash, invited_by, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, now() + interval '7 days')
  RETURNING id, expires_at::text AS "expiresAt"`)

/** Replaces an invitation of the same address, whose link ends. */
export async function createInvitation(
  db: Db,
  companyId: string,
  { email, role, tokenHash, invitedBy }: NewInvitation,
): Promise<{ id: string; expiresAt: string }> {
  await queryRows(db, REMOVE_OF_EMAIL, [companyId, email])
  const values = [companyId, newId('invitation'), email, role, tokenHash, invitedBy]
  const [created] = await queryRows<{ id: string; expiresAt: string }>(db, CREATE, values)
  if (created === undefined) throw new Error('the new invitation is missing')
  return { id: created.id, expiresAt: isoFromPostgres(created.expiresAt) }
}

export interface ListedInvitation extends Invitation {
  invitedBy: string | null
  createdAt: string
  expiresAt: string
}

const LIST = statement(sql`
  SELECT id, email, role, invited_by AS "invitedBy", created_at::text AS "createdAt", expires_at::text AS "expiresAt"
  FROM invitations WHERE company_id = $1 AND expires_at > now() ORDER BY created_at DESC, id`)

export async function listInvitations(db: Db, companyId: string): Promise<ListedInvitation[]> {
  const rows = await queryRows<ListedInvitation>(db, LIST, [companyId])
  return rows.map((row) => ({
    ...row,
    createdAt: isoFromPostgres(row.createdAt),
    expiresAt: isoFromPostgres(row.expiresAt),
  }))
}

const FIND_BY_LINK = statement(sql`
  SELECT i.id, i.email, i.role, c.name AS "companyName" FROM invitations i JOIN companies c ON c.id = i.company_id
  WHERE i.company_id = $1 AND i.token_hash = $2 AND i.expires_at > now()`)

export async function findInvitation(
  db: Db,
  { companyId, tokenHash }: LinkRef,
): Promise<(Invitation & { companyName: string }) | null> {
  const rows = await queryRows<Invitation & { companyName: string }>(db, FIND_BY_LINK, [companyId, tokenHash])
  return rows[0] ?? null
}

const TAKE = statement(sql`
  DELETE FROM invitations WHERE company_id = $1 AND token_hash = $2 AND expires_at > now() RETURNING id, email, role`)

/** Ends the link. Null if it was used or revoked, or has expired. */
export async function takeInvitation(
  db: Db,
  companyId: string,
  tokenHash: string,
): Promise<Invitation | null> {
  return (await queryRows<Invitation>(db, TAKE, [companyId, tokenHash]))[0] ?? null
}

const REVOKE = statement(sql`
  DELETE FROM invitations WHERE company_id = $1 AND id = $2 RETURNING id, email, role`)

export async function revokeInvitation(db: Db, companyId: string, id: string): Promise<Invitation | null> {
  return (await queryRows<Invitation>(db, REVOKE, [companyId, id]))[0] ?? null
}
