/** Questions of customers about a quote, and their words when they decline. */
import { newId } from '../../core/ids.ts'
import { sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'

export interface NewQuestion {
  quoteId: string
  revision: number
  kind: 'QUESTION' | 'DECLINE'
  /** Of the customer, if known. */
  name: string | null
  text: string
}

const ADD = statement(sql`
  INSERT INTO quote_questions (company_id, id, quote_id, revision, kind, name, text) VALUES ($1, $2, $3, $4, $5, $6, $7)`)

export async function insertQuestion(db: Db, companyId: string, question: NewQuestion): Promise<void> {
  const { quoteId, revision, kind, name, text } = question
  await queryRows(db, ADD, [companyId, newId('question'), quoteId, revision, kind, name, text])
}

const COUNT = statement(sql`
  SELECT count(*)::integer AS count FROM quote_questions WHERE company_id = $1 AND quote_id = $2`)

export async function countQuestions(db: Db, companyId: string, quoteId: string): Promise<number> {
  return (await queryRows<{ count: number }>(db, COUNT, [companyId, quoteId]))[0]?.count ?? 0
}
