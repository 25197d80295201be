/** Leads: the contacts that quotes and bookings are for. */
import { isStorableText } from '../../core/ids.ts'
import type { Page, ReadPage } from '../../core/requests/page.ts'
import type { TimeRange } from '../../core/schedule/time-range.ts'
import { foldEmail } from '../../core/security/email.ts'
import { foldedEmail, sql } from '../../db/sql.ts'
import type { Db } from '../../db/statement.ts'
import { defineFields, pick, publicColumns } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { emptyPage, listPage } from '../../codec/list.ts'
import { finderById, loaderById } from '../../codec/load.ts'
import type { Packed } from '../../codec/packed-row.ts'
import { listRecords } from '../record/queries.ts'
import { LEAD_COLUMNS } from './columns.ts'
import { LEAD_KIND } from './kind.ts'

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
const FOLDED_EMAIL = foldedEmail(sql`t.email`)

export const loadLeads = loaderById(LEAD_COLUMNS, LEAD_FIELDS)

/** Only what a search needs. */
const SEARCHED_LEADS = {
  ...LEAD_KIND,
  editable: [],
  fields: defineFields(pick(LEAD_COLUMNS, 'id', 'archivedAt', 'createdAt', 'updatedAt')),
}

/** Ids of the leads with words that begin with these, in a name, email, phone number or company name, newest first. */
export async function searchLeads(
  db: Db,
  companyId: string,
  search: string,
  limit: number,
): Promise<string[]> {
  const query = { search, sort: 'newest', isArchived: undefined } as const
  const { records } = await listRecords(db, companyId, SEARCHED_LEADS, query, {
    limit,
    startingAfter: undefined,
  })
  return records.map(({ id }) => id)
}
