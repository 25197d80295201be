/** Questions of customers about a quote, and their words when they decline. */
import { newId } from '../../core/ids.ts'
import { sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import type { RowOf } from '../../codec/column.ts'
import { insertRow } from '../../codec/write.ts'
import { QUOTE_QUESTION_COLUMNS } from './columns.ts'

type NewQuestion = Omit<RowOf<typeof QUOTE_QUESTION_COLUMNS.columns>, 'id' | 'companyId' | 'createdAt'>

export async function insertQuestion(db: Db, companyId: string, question: NewQuestion): Promise<void> {
  await insertRow(db, QUOTE_QUESTION_COLUMNS, companyId, { id: newId('question'), ...question })
}

const COUNT = statement(sql`
  SELECT count(*)::integer AS count FROM quote_questions WHERE company_id = $1 AND quote_id = $2`)

export async function countQuestions(db: Db, companyId: string, quoteId: string): Promise<number> {
  return (await queryRows<{ count: number }>(db, COUNT, [companyId, quoteId]))[0]?.count ?? 0
}
