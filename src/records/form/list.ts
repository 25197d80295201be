/** Lists of forms, and of the responses to them, for the application. */
import { literal, sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { loadAnswers } from '../form-response/queries.ts'
import type { FormRow } from './queries.ts'

/** Companies have a few. */
const FORMS_MAX = 500

export interface ListedForm extends Pick<FormRow, 'id' | 'name' | 'slug' | 'publishedAt' | 'archivedAt'> {
  purpose: 'QUOTE' | 'BOOKING'
  /** ISO 8601; null without a response. */
  lastResponseAt: string | null
}

const iso = (time: ReturnType<typeof sql>) => sql`to_json(${time} AT TIME ZONE 'UTC') #>> '{}' || 'Z'`

const LIST = statement(sql`
  SELECT t.id, t.name, t.slug, coalesce(t.purpose, 'BOOKING') AS purpose, ${iso(sql`t.published_at`)} AS "publishedAt",
    ${iso(sql`t.archived_at`)} AS "archivedAt", (
      SELECT ${iso(sql`r.created_at`)} FROM form_responses r WHERE r.company_id = $1 AND r.form_id = t.id
      ORDER BY r.created_at DESC, r.id DESC LIMIT 1) AS "lastResponseAt"
  FROM forms t WHERE t.company_id = $1
  ORDER BY t.archived_at IS NOT NULL, t.created_at DESC, t.id DESC LIMIT ${literal(FORMS_MAX)}`)

/** Newest first, archived ones last. */
export async function listForms(db: Db, companyId: string): Promise<ListedForm[]> {
  return queryRows<ListedForm>(db, LIST, [companyId])
}

export interface ListedResponse {
  id: string
  formId: string
  formName: string
  quoteId: string | null
  quoteNumber: string | null
  bookingId: string | null
  createdAt: string
  updatedAt: string
  answers: { title: string; response: string }[]
}

type ResponseRow = Omit<ListedResponse, 'answers'>

const RESPONSE = sql`
  SELECT t.id, t.form_id AS "formId", coalesce(f.name, t.form_id) AS "formName", t.quote_id AS "quoteId",
    q.number AS "quoteNumber", t.booking_id AS "bookingId", ${iso(sql`t.created_at`)} AS "createdAt",
    ${iso(sql`t.updated_at`)} AS "updatedAt"
  FROM form_responses t
  LEFT JOIN forms f ON f.company_id = $1 AND f.id = t.form_id
  LEFT JOIN quotes q ON q.company_id = $1 AND q.id = t.quote_id`

const RESPONSES_SHOWN = 50

const LIST_OF_QUOTE = statement(sql`${RESPONSE}
  WHERE t.company_id = $1 AND (t.quote_id = $2 OR t.booking_id = $3)
  ORDER BY t.created_at DESC, t.id DESC LIMIT ${literal(RESPONSES_SHOWN)}`)

/** Of a quote and its booking, newest first. */
export async function listResponsesOfQuote(
  db: Db,
  companyId: string,
  quoteId: string,
  bookingId: string | null,
): Promise<ListedResponse[]> {
  return withAnswers(db, companyId, await queryRows(db, LIST_OF_QUOTE, [companyId, quoteId, bookingId]))
}

const LOAD = statement(sql`${RESPONSE}
  WHERE t.company_id = $1 AND t.id = ANY($2) ORDER BY t.created_at DESC, t.id DESC`)

/** Newest first. */
export async function loadResponses(
  db: Db,
  companyId: string,
  ids: readonly string[],
): Promise<ListedResponse[]> {
  return ids.length === 0 ? [] : withAnswers(db, companyId, await queryRows(db, LOAD, [companyId, ids]))
}

async function withAnswers(db: Db, companyId: string, rows: ResponseRow[]): Promise<ListedResponse[]> {
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
