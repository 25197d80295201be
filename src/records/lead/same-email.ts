/** Leads with the same email address as others. */
import { foldEmail } from '../../core/security/email.ts'
import { sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'

/** The index leads_by_email has the same expression. */
const COUNT = statement(sql`
  SELECT count(*)::int AS count FROM unnest($2::text[]) AS email
  WHERE EXISTS (SELECT 1 FROM leads t WHERE t.company_id = $1 AND lower(t.email COLLATE "C") = email)`)

/** How many of these email addresses a stored lead has. */
export async function countSameEmails(db: Db, companyId: string, emails: readonly string[]): Promise<number> {
  if (emails.length === 0) return 0
  const [row] = await queryRows<{ count: number }>(db, COUNT, [companyId, emails.map(foldEmail)])
  return row?.count ?? 0
}

const FIND = statement(sql`
  SELECT t.id FROM leads t
  WHERE t.company_id = $1 AND lower(t.email COLLATE "C") = $2 AND t.archived_at IS NULL
  ORDER BY t.created_at, t.id LIMIT 1`)

/** The oldest lead with this email address that is not archived; null without one. */
export async function findLeadByEmail(db: Db, companyId: string, email: string): Promise<string | null> {
  return (await queryRows<{ id: string }>(db, FIND, [companyId, foldEmail(email)]))[0]?.id ?? null
}
