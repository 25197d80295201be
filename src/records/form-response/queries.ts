/** Form responses with their answers and the questions of these. */
import { sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { defineFields, ofTable, publicColumns, withIsoTimes } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { lister } from '../../codec/list.ts'
import { finderById } from '../../codec/load.ts'
import { listObjects, selectFields } from '../../codec/select.ts'
import { FORM_QUESTION_COLUMNS } from '../form/columns.ts'
import { FORM_ANSWER_COLUMNS, FORM_RESPONSE_COLUMNS } from './columns.ts'

const RESPONSE = defineFields(withIsoTimes(publicColumns(FORM_RESPONSE_COLUMNS)))

const { id: questionId, ...question } = ofTable('q', publicColumns(FORM_QUESTION_COLUMNS))

const ANSWER = defineFields({
  formResponseId: FORM_RESPONSE_COLUMNS.columns.id.sql(sql`t.form_response_id`),
  ...withIsoTimes(publicColumns(FORM_ANSWER_COLUMNS)),
  questionId,
  ...question,
})

export type FormResponseRow = RowIn<typeof RESPONSE>
export type FormAnswerRow = Omit<RowIn<typeof ANSWER>, 'formResponseId'>

export const findFormResponse = finderById(FORM_RESPONSE_COLUMNS, RESPONSE)

/** Newest first. */
export const listFormResponses = lister({ recordType: FORM_RESPONSE_COLUMNS, fields: RESPONSE })

const FIND_OF_BOOKING = statement(sql`
  SELECT t.id FROM form_responses t WHERE t.company_id = $1 AND t.booking_id = $3 AND t.form_id = $2
  ORDER BY t.created_at DESC, t.id DESC LIMIT 1`)

/** The id of the newest response of a booking to a form; null without one. */
export async function findResponseOfBooking(
  db: Db,
  companyId: string,
  formId: string,
  bookingId: string,
): Promise<string | null> {
  const [row] = await queryRows<{ id: string }>(db, FIND_OF_BOOKING, [companyId, formId, bookingId])
  return row?.id ?? null
}

/** An answer whose question is not found is left out. */
const LOAD_ANSWERS = selectFields(ANSWER, {
  from: sql`form_answers t
    JOIN form_questions q ON q.company_id = t.company_id AND q.id = t.question_id
    WHERE t.company_id = $1 AND t.form_response_id = ANY($2)`,
  orderBy: sql`q.position, q.id, t.id`,
})

/** The answers of each form response, in the same order. */
export async function loadAnswers(
  db: Db,
  companyId: string,
  formResponseIds: readonly string[],
): Promise<FormAnswerRow[][]> {
  const answers = new Map<string, FormAnswerRow[]>(formResponseIds.map((id) => [id, []]))
  for (const { formResponseId, ...answer } of await listObjects(db, LOAD_ANSWERS, [
    companyId,
    formResponseIds,
  ]))
    answers.get(formResponseId)?.push(answer)
  return [...answers.values()]
}
