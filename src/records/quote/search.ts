/** Finds quotes by the text that people see: the number, or the id of a quote without one. */
import { isStorableText } from '../../core/ids.ts'
import { literal, sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { foldedNumber } from '../company/queries.ts'

/** A short beginning can match every quote. */
export const NUMBERS_MAX = 500

const NUMBER = foldedNumber(sql`q.number`)
const WANTED = foldedNumber(sql`$2::text`)

const SEARCH_QUOTES = statement(sql`
  (SELECT q.id FROM quotes q WHERE q.company_id = $1 AND q.id = $2::text)
  UNION ALL
  (SELECT q.id FROM quotes q
   WHERE q.company_id = $1 AND q.number IS NOT NULL AND ${NUMBER} >= ${WANTED} AND ${NUMBER} < ${WANTED} || chr(1114111)
   ORDER BY ${NUMBER}, q.id LIMIT ${literal(NUMBERS_MAX + 1)})`)

/** Ids of the quotes with this id, or a number that begins with the text. At most one more than the limit. */
export async function searchQuotes(db: Db, companyId: string, text: string): Promise<string[]> {
  const wanted = text.trim()
  if (!isStorableText(wanted)) return []
  const rows = await queryRows<{ id: string }>(db, SEARCH_QUOTES, [companyId, wanted])
  return [...new Set(rows.map(({ id }) => id))]
}
