/** The revisions of a quote with their acceptances, and the questions about it. */
import { literal, sql } from '../../db/sql.ts'
import { statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { isPossibleId } from '../../core/ids.ts'
import { REVISIONS_LISTED } from '../../core/list-limits.ts'
import { isoFromPostgres } from '../../core/schedule/datetime.ts'
import { money, oneOf, text } from '../../codec/column-types.ts'
import { defineFields, pick } from '../../codec/fields.ts'
import { isoOrNull } from '../../codec/schemas.ts'
import { queryObjects } from '../../codec/select.ts'
import { ACCEPTANCE_COLUMNS } from '../acceptance/columns.ts'
import { QUOTE_REVISION_COLUMNS } from './columns.ts'
import { acceptedBooking } from './queries.ts'

const LISTED = defineFields({
  ...pick(QUOTE_REVISION_COLUMNS, 'revision', 'sentAt', 'viewedAt'),
  totalCents: money().sql(sql`(t.content::json #>> '{price,totalCents}')::bigint`),
  currency: text().sql(sql`t.content::json ->> 'currency'`),
  acceptedAt: QUOTE_REVISION_COLUMNS.columns.viewedAt.sql(sql`a.accepted_at`),
  acceptedName: ACCEPTANCE_COLUMNS.columns.name.nullable().sql(sql`a.name`),
  canceledAt: QUOTE_REVISION_COLUMNS.columns.viewedAt.sql(sql`b.canceled_at`),
})

const LIST = statement(sql`
  SELECT ${LISTED.selectList} FROM quote_revisions t
    LEFT JOIN LATERAL (
      SELECT a.accepted_at, a.name FROM acceptances a WHERE a.company_id = $1 AND a.quote_revision_id = t.id
      ORDER BY a.accepted_at DESC, a.id DESC LIMIT 1) a ON true
    LEFT JOIN LATERAL (${acceptedBooking(sql`t`)}) b ON true
  WHERE t.company_id = $1 AND t.quote_id = $2
  ORDER BY t.revision DESC LIMIT ${literal(REVISIONS_LISTED)}`)

export interface ListedRevision {
  revision: number
  sentAt: string
  viewedAt: string | null
  totalCents: number
  currency: string
  acceptedAt: string | null
  acceptedName: string | null
  /** When the booking of the acceptance was canceled or undone. */
  canceledAt: string | null
}

/** Newest first. */
export async function listRevisions(db: Db, companyId: string, quoteId: string): Promise<ListedRevision[]> {
  if (!isPossibleId(quoteId)) return []
  return (await queryObjects(db, LISTED, LIST, [companyId, quoteId])).map((row) => ({
    ...row,
    sentAt: isoFromPostgres(row.sentAt),
    viewedAt: isoOrNull(row.viewedAt),
    acceptedAt: isoOrNull(row.acceptedAt),
    canceledAt: isoOrNull(row.canceledAt),
  }))
}

const QUESTION = defineFields({
  ...pick(QUOTE_REVISION_COLUMNS, 'id', 'revision', 'createdAt'),
  kind: oneOf(['QUESTION', 'DECLINE']),
  name: text().nullable(),
  text: text(),
})

const LIST_QUESTIONS = statement(sql`
  SELECT ${QUESTION.selectList} FROM quote_questions t WHERE t.company_id = $1 AND t.quote_id = $2
  ORDER BY t.created_at DESC, t.id DESC LIMIT ${literal(REVISIONS_LISTED)}`)

export interface ListedQuestion {
  id: string
  revision: number
  createdAt: string
  kind: 'QUESTION' | 'DECLINE'
  name: string | null
  text: string
}

/** Newest first. */
export async function listQuestions(db: Db, companyId: string, quoteId: string): Promise<ListedQuestion[]> {
  if (!isPossibleId(quoteId)) return []
  return (await queryObjects(db, QUESTION, LIST_QUESTIONS, [companyId, quoteId])).map((row) => ({
    ...row,
    createdAt: isoFromPostgres(row.createdAt),
  }))
}
