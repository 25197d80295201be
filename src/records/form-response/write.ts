/** Stores form responses with their answers. */
import { newId } from '../../core/ids.ts'
import { sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { insertRow, updateRow } from '../../codec/write.ts'
import { FORM_RESPONSE_COLUMNS } from './columns.ts'

interface NewResponse {
  id: string
  formId: string
  bookingId: string | null
  quoteId: string | null
}

/** Texts by question, in the order of the form. */
export type AnswerTexts = ReadonlyMap<string, string>

const INSERT_ANSWERS = statement(sql`
  INSERT INTO form_answers (company_id, form_response_id, id, ordinal, question_id, response)
  SELECT $1, $2, a.id, a.ordinal, a.question_id, a.response
  FROM json_to_recordset($3) AS a (id text, ordinal integer, question_id text, response text)`)

async function insertAnswers(db: Db, companyId: string, id: string, answers: AnswerTexts): Promise<void> {
  const rows = [...answers].map(([questionId, response], ordinal) => ({
    id: newId('answer'),
    ordinal,
    question_id: questionId,
    response,
  }))
  if (rows.length > 0) await queryRows(db, INSERT_ANSWERS, [companyId, id, JSON.stringify(rows)])
}

export async function insertResponse(
  db: Db,
  companyId: string,
  response: NewResponse,
  answers: AnswerTexts,
): Promise<void> {
  await insertRow(db, FORM_RESPONSE_COLUMNS, companyId, response)
  await insertAnswers(db, companyId, response.id, answers)
}

const DELETE_ANSWERS = statement(sql`
  DELETE FROM form_answers WHERE company_id = $1 AND form_response_id = $2`)

export async function replaceAnswers(
  db: Db,
  companyId: string,
  id: string,
  answers: AnswerTexts,
): Promise<void> {
  await queryRows(db, DELETE_ANSWERS, [companyId, id])
  await insertAnswers(db, companyId, id, answers)
  await updateRow(db, FORM_RESPONSE_COLUMNS, companyId, id, {})
}
