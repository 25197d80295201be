/** Leads: the contacts that quotes and bookings are for. */
import { isStorableText } from '../../core/ids.ts'
import type { Page, ReadPage } from '../../core/requests/page.ts'
import type { TimeRange } from '../../core/schedule/time-range.ts'
import { foldEmail } from '../../core/security/email.ts'
import { sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { defineFields, publicColumns } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { emptyPage, listPage } from '../../codec/list.ts'
import { finderById, loaderById } from '../../codec/load.ts'
import type { Packed } from '../../codec/packed-row.ts'
import { LEAD_COLUMNS } from './columns.ts'

export const LEAD_FIELDS = defineFields(publicColumns(LEAD_COLUMNS))

export const findLead = finderById(LEAD_COLUMNS, LEAD_FIELDS)

export interface LeadFilters {
  /** Exact, except for the case of A to Z. */
  email: string | undefined
  createdAt: TimeRange | null
  updatedAt: TimeRange | null
}

/** Newest first. */
export async function listLeads(
  db: Db,
  companyId: string,
  { email, ...times }: LeadFilters,
  page: Page,
): Promise<ReadPage<Packed<RowIn<typeof LEAD_FIELDS>>>> {
  // No lead has an email address that cannot be stored.
  if (email !== undefined && !isStorableText(email)) return emptyPage(page.startingAfter)
  const where = email === undefined ? [] : [sql`${FOLDED_EMAIL} = ${foldEmail(email)}`]
  return listPage(db, companyId, { recordType: LEAD_COLUMNS, fields: LEAD_FIELDS, where }, times, page)
}

/** The index leads_by_email has the same expression. */
const FOLDED_EMAIL = sql`lower(t.email COLLATE "C")`

export const loadLeads = loaderById(LEAD_COLUMNS, LEAD_FIELDS)

/**
 * The searched text of a lead, in lower case for any script: the locale of the database may cover English only. Words do not
 * contain line breaks.
 */
const lowerCase = (text: Sql) => sql`lower(${text} COLLATE "und-x-icu")`
const SEARCHED = lowerCase(
  sql`concat_ws(E'\\n', t.first_name, t.last_name, t.email, t.phone, t.company_name)`,
)

const SEARCH_LEADS = statement(sql`
  SELECT t.id FROM leads t
  WHERE t.company_id = $1
    AND ${SEARCHED} LIKE ALL (ARRAY(SELECT ${lowerCase(sql`word`)} FROM unnest($2::text[]) AS word))
  ORDER BY t.created_at DESC, t.id DESC LIMIT $3`)

/** Ids of the leads with every word of the text in a name, email, phone number or company name, newest first. */
export async function searchLeads(db: Db, companyId: string, text: string, limit: number): Promise<string[]> {
  // A text that cannot be stored is never found.
  if (text.includes('\0')) return []
  const words = text.split(/\s+/).filter((word) => word !== '')
  const patterns = words.map((word) => `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`)
  const rows = await queryRows<{ id: string }>(db, SEARCH_LEADS, [companyId, patterns, limit])
  return rows.map(({ id }) => id)
}
