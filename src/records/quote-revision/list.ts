/** The revisions of a quote with their acceptances, and the questions about it. */
import { literal, sql } from '../../db/sql.ts'
import { statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { isPossibleId } from '../../core/ids.ts'
import { REVISIONS_LISTED } from '../../core/list-limits.ts'
import { money, text } from '../../codec/column-types.ts'
import { defineFields, ofTable, pick, withIsoTimes } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { queryObjects } from '../../codec/select.ts'
import { ACCEPTANCE_COLUMNS } from '../acceptance/columns.ts'
import { BOOKING_COLUMNS } from '../booking/columns.ts'
import { QUOTE_QUESTION_COLUMNS } from '../quote-question/columns.ts'
import { QUOTE_REVISION_COLUMNS } from './columns.ts'
import { acceptedBooking } from './queries.ts'

const LISTED = defineFields(
  withIsoTimes({
    ...pick(QUOTE_REVISION_COLUMNS, 'revision', 'sentAt', 'viewedAt'),
    totalCents: money().sql(sql`(t.content::json #>> '{price,totalCents}')::bigint`),
    currency: text().sql(sql`t.content::json ->> 'currency'`),
    acceptedAt: ACCEPTANCE_COLUMNS.columns.acceptedAt.nullable().sql(sql`a.accepted_at`),
    acceptedName: ACCEPTANCE_COLUMNS.columns.name.nullable().sql(sql`a.name`),
    /** When the booking of the acceptance was canceled or undone. */
    ...ofTable('b', pick(BOOKING_COLUMNS, 'canceledAt')),
  }),
)

export type ListedRevision = RowIn<typeof LISTED>

const LIST = statement(sql`
  SELECT ${LISTED.selectList} FROM quote_revisions t
    LEFT JOIN LATERAL (
      SELECT a.accepted_at, a.name FROM acceptances a WHERE a.company_id = $1 AND a.quote_revision_id = t.id
      ORDER BY a.accepted_at DESC, a.id DESC LIMIT 1) a ON true
    LEFT JOIN LATERAL (${acceptedBooking(sql`t`)}) b ON true
  WHERE t.company_id = $1 AND t.quote_id = $2
  ORDER BY t.revision DESC LIMIT ${literal(REVISIONS_LISTED)}`)

/** Newest first. */
export async function listRevisions(db: Db, companyId: string, quoteId: string): Promise<ListedRevision[]> {
  if (!isPossibleId(quoteId)) return []
  return queryObjects(db, LISTED, LIST, [companyId, quoteId])
}

const QUESTION = defineFields(
  withIsoTimes(pick(QUOTE_QUESTION_COLUMNS, 'id', 'revision', 'createdAt', 'kind', 'name', 'text')),
)

export type ListedQuestion = RowIn<typeof QUESTION>

const LIST_QUESTIONS = statement(sql`
  SELECT ${QUESTION.selectList} FROM quote_questions t WHERE t.company_id = $1 AND t.quote_id = $2
  ORDER BY t.created_at DESC, t.id DESC LIMIT ${literal(REVISIONS_LISTED)}`)

/** Newest first. */
export async function listQuestions(db: Db, companyId: string, quoteId: string): Promise<ListedQuestion[]> {
  if (!isPossibleId(quoteId)) return []
  return queryObjects(db, QUESTION, LIST_QUESTIONS, [companyId, quoteId])
}
