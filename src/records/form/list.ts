/** Lists of forms, and of the responses to them, for the application. */
import { literal, sql } from '../../db/sql.ts'
import { statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { FORM_PURPOSES } from '../../core/enumerations.ts'
import { oneOf, text, time } from '../../codec/column-types.ts'
import { defineFields, pick, withIsoTimes } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { queryObjects } from '../../codec/select.ts'
import { FORM_RESPONSE_COLUMNS } from '../form-response/columns.ts'
import { loadAnswers } from '../form-response/queries.ts'
import { QUOTE_COLUMNS } from '../quote/columns.ts'
import { FORM_COLUMNS } from './columns.ts'

/** Companies have a few. */
const FORMS_MAX = 500

const LISTED = defineFields({
  ...withIsoTimes(pick(FORM_COLUMNS, 'id', 'name', 'slug', 'publishedAt', 'archivedAt')),
  purpose: oneOf(FORM_PURPOSES).sql(sql`coalesce(t.purpose, 'BOOKING')`),
  lastResponseAt: time()
    .nullable()
    .iso()
    .sql(
      sql`(SELECT r.created_at FROM form_responses r WHERE r.company_id = $1 AND r.form_id = t.id
        ORDER BY r.created_at DESC, r.id DESC LIMIT 1)`,
    ),
})

export type ListedForm = RowIn<typeof LISTED>

const LIST = statement(sql`
  SELECT ${LISTED.selectList} FROM forms t WHERE t.company_id = $1
  ORDER BY t.archived_at IS NOT NULL, t.created_at DESC, t.id DESC LIMIT ${literal(FORMS_MAX)}`)

/** Newest first, archived ones last. */
export async function listForms(db: Db, companyId: string): Promise<ListedForm[]> {
  return queryObjects(db, LISTED, LIST, [companyId])
}

const RESPONSE = defineFields({
  ...withIsoTimes(
    pick(FORM_RESPONSE_COLUMNS, 'id', 'formId', 'quoteId', 'bookingId', 'createdAt', 'updatedAt'),
  ),
  formName: text().sql(sql`coalesce(f.name, t.form_id)`),
  quoteNumber: QUOTE_COLUMNS.columns.number.nullable().sql(sql`q.number`),
})

export interface ListedResponse extends RowIn<typeof RESPONSE> {
  answers: { title: string; response: string }[]
}

const SELECT = sql`
  SELECT ${RESPONSE.selectList} FROM form_responses t
  LEFT JOIN forms f ON f.company_id = $1 AND f.id = t.form_id
  LEFT JOIN quotes q ON q.company_id = $1 AND q.id = t.quote_id`

const RESPONSES_SHOWN = 50

const LIST_OF_QUOTE = statement(sql`${SELECT}
  WHERE t.company_id = $1 AND (t.quote_id = $2 OR t.booking_id = $3)
  ORDER BY t.created_at DESC, t.id DESC LIMIT ${literal(RESPONSES_SHOWN)}`)

/** Of a quote and its booking, newest first. */
export async function listResponsesOfQuote(
  db: Db,
  companyId: string,
  quoteId: string,
  bookingId: string | null,
): Promise<ListedResponse[]> {
  return withAnswers(
    db,
    companyId,
    await queryObjects(db, RESPONSE, LIST_OF_QUOTE, [companyId, quoteId, bookingId]),
  )
}

const LOAD = statement(sql`${SELECT}
  WHERE t.company_id = $1 AND t.id = ANY($2) ORDER BY t.created_at DESC, t.id DESC`)

/** Newest first. */
export async function loadResponses(
  db: Db,
  companyId: string,
  ids: readonly string[],
): Promise<ListedResponse[]> {
  return ids.length === 0
    ? []
    : withAnswers(db, companyId, await queryObjects(db, RESPONSE, LOAD, [companyId, ids]))
}

async function withAnswers(
  db: Db,
  companyId: string,
  rows: RowIn<typeof RESPONSE>[],
): Promise<ListedResponse[]> {
  if (rows.length === 0) return []
  const answers = await loadAnswers(
    db,
    companyId,
    rows.map(({ id }) => id),
  )
  return rows.map((row, i) => ({
    ...row,
    answers: (answers[i] ?? []).map(({ title, response }) => ({ title, response })),
  }))
}
