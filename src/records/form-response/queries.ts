/** Form responses with their answers and the questions these belong to. */
import type { QuestionType } from '../../core/enumerations.ts'
import { isPossibleId } from '../../core/ids.ts'
import { columns, queryRows, statement } from '../../db/connect.ts'
import type { Db } from '../../db/connect.ts'

export interface FormAnswerRow {
  id: string
  response: string
  createdAt: string
  updatedAt: string
  questionId: string
  title: string
  type: QuestionType
  subtitle: string | null
  position: number
  systemRequired: boolean
  userRequired: boolean
  linkedSystemField: string | null
}

export interface FormResponseRow {
  id: string
  createdAt: string
  updatedAt: string
  formId: string
  bookingId: string | null
  quoteId: string | null
  companyId: string
}

const FIND_FORM_RESPONSE = statement(`
  SELECT ${columns('id createdAt updatedAt formId bookingId quoteId companyId')}
  FROM form_responses WHERE company_id = $1 AND id = $2`)

/** An answer whose question is not found is left out. */
const LIST_ANSWERS = statement(`
  SELECT ${columns('id response createdAt updatedAt questionId', 'a')},
    ${columns('title type subtitle position systemRequired userRequired linkedSystemField', 'q')}
  FROM form_answers a
  JOIN form_questions q ON q.company_id = a.company_id AND q.id = a.question_id
  WHERE a.company_id = $1 AND a.form_response_id = $2
  ORDER BY q.position, q.id, a.id`)

export async function findFormResponse(
  db: Db,
  companyId: string,
  id: string,
): Promise<{ formResponse: FormResponseRow; answers: FormAnswerRow[] } | null> {
  if (!isPossibleId(id)) return null
  const [formResponse] = await queryRows<FormResponseRow>(db, FIND_FORM_RESPONSE, [companyId, id])
  if (formResponse === undefined) return null
  return { formResponse, answers: await queryRows<FormAnswerRow>(db, LIST_ANSWERS, [companyId, id]) }
}
