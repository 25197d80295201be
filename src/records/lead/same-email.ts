/** Leads with the same email address as others. Archived leads do not count: a merge archives a lead with its address. */
import { isStorableText } from '../../core/ids.ts'
import { foldEmail } from '../../core/security/email.ts'
import { foldedEmail, literal, sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { defineFields, pick } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { queryObjects } from '../../codec/select.ts'
import { LEAD_COLUMNS } from './columns.ts'

const COUNT = statement(sql`
  SELECT count(*)::int AS count FROM unnest($2::text[]) AS email
  WHERE EXISTS (
    SELECT 1 FROM leads t
    WHERE t.company_id = $1 AND ${foldedEmail(sql`t.email`)} = email AND t.archived_at IS NULL)`)

/** How many of these email addresses a lead has that is not archived. */
export async function countSameEmails(db: Db, companyId: string, emails: readonly string[]): Promise<number> {
  if (emails.length === 0) return 0
  const [row] = await queryRows<{ count: number }>(db, COUNT, [companyId, emails.map(foldEmail)])
  return row?.count ?? 0
}

const FIND = statement(sql`
  SELECT t.id FROM leads t
  WHERE t.company_id = $1 AND ${foldedEmail(sql`t.email`)} = $2 AND t.archived_at IS NULL
  ORDER BY t.created_at, t.id LIMIT 1`)

/** The oldest lead with this email address that is not archived; null without one. */
export async function findLeadByEmail(db: Db, companyId: string, email: string): Promise<string | null> {
  return (await queryRows<{ id: string }>(db, FIND, [companyId, foldEmail(email)]))[0]?.id ?? null
}

const SAME_EMAIL = defineFields(pick(LEAD_COLUMNS, 'id', 'firstName', 'lastName', 'companyName', 'email'))
const SAME_EMAIL_MAX = 3

const LIST = statement(sql`
  SELECT ${SAME_EMAIL.selectList} FROM leads t
  WHERE t.company_id = $1 AND ${foldedEmail(sql`t.email`)} = $2 AND t.archived_at IS NULL AND t.id IS DISTINCT FROM $3
  ORDER BY t.created_at DESC, t.id DESC LIMIT ${literal(SAME_EMAIL_MAX)}`)

/** The newest leads with this email address that are not archived, except one. */
export async function listSameEmail(
  db: Db,
  companyId: string,
  email: string,
  exceptId: string | null,
): Promise<RowIn<typeof SAME_EMAIL>[]> {
  // No lead has an email address that cannot be stored.
  if (!isStorableText(email)) return []
  const except = exceptId !== null && isStorableText(exceptId) ? exceptId : null
  return queryObjects(db, SAME_EMAIL, LIST, [companyId, foldEmail(email), except])
}
