/** Form responses with their answers and the questions of these. */
import { isPossibleId } from '../../core/ids.ts'
import { sql } from '../../db/sql.ts'
import { statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { defineFields, ofTable, publicColumns } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { queryObjects } from '../../codec/select.ts'
import { FORM_QUESTION_COLUMNS } from '../form/columns.ts'
import { FORM_ANSWER_COLUMNS, FORM_RESPONSE_COLUMNS } from './columns.ts'

const RESPONSE = defineFields(publicColumns(FORM_RESPONSE_COLUMNS))

const { id: questionId, ...question } = ofTable('q', publicColumns(FORM_QUESTION_COLUMNS))

const ANSWER = defineFields({ ...publicColumns(FORM_ANSWER_COLUMNS), questionId, ...question })

export type FormResponseRow = RowIn<typeof RESPONSE>
export type FormAnswerRow = RowIn<typeof ANSWER>

const FIND_FORM_RESPONSE = statement(sql`
  SELECT ${RESPONSE.selectList} FROM form_responses t WHERE t.company_id = $1 AND t.id = $2`)

/** An answer whose question is not found is left out. */
const LIST_ANSWERS = statement(sql`
  SELECT ${ANSWER.selectList}
  FROM form_answers t
  JOIN form_questions q ON q.company_id = t.company_id AND q.id = t.question_id
  WHERE t.company_id = $1 AND t.form_response_id = $2
  ORDER BY q.position, q.id, t.id`)

export async function findFormResponse(
  db: Db,
  companyId: string,
  id: string,
): Promise<{ formResponse: FormResponseRow; answers: FormAnswerRow[] } | null> {
  if (!isPossibleId(id)) return null
  const [formResponse] = await queryObjects(db, RESPONSE, FIND_FORM_RESPONSE, [companyId, id])
  if (formResponse === undefined) return null
  return { formResponse, answers: await queryObjects(db, ANSWER, LIST_ANSWERS, [companyId, id]) }
}
