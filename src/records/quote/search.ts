/** Finds quotes by the text that people see: the number, or the id of a quote without one. */
import { isStorableText } from '../../core/ids.ts'
import { literal, sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { findQuotePrefix, foldedNumber } from '../company/queries.ts'

/** A short beginning can match every quote. */
export const NUMBERS_MAX = 500

const NUMBER = foldedNumber(sql`q.number`)

const numbersFrom = (beginning: Sql) => sql`
  (SELECT q.id FROM quotes q
   WHERE q.company_id = $1 AND q.number IS NOT NULL
     AND ${NUMBER} >= ${foldedNumber(beginning)} AND ${NUMBER} < ${foldedNumber(beginning)} || chr(1114111)
   ORDER BY ${NUMBER}, q.id LIMIT ${literal(NUMBERS_MAX + 1)})`

const SEARCH_QUOTES = statement(sql`
  (SELECT q.id FROM quotes q WHERE q.company_id = $1 AND q.id = $2::text)
  UNION ALL ${numbersFrom(sql`$2::text`)}
  UNION ALL ${numbersFrom(sql`$3::text`)}`)

/**
 * Ids of the quotes with this id, or a number that begins with the text. People read out only the digits of `Q-1042`, so the
 * prefix of new quotes can be missing. More than the limit if there are others.
 */
export async function searchQuotes(db: Db, companyId: string, text: string): Promise<string[]> {
  const wanted = text.trim()
  if (!isStorableText(wanted)) return []
  const prefix = await findQuotePrefix(db, companyId)
  const rows = await queryRows<{ id: string }>(db, SEARCH_QUOTES, [companyId, wanted, prefix + wanted])
  return [...new Set(rows.map(({ id }) => id))]
}
