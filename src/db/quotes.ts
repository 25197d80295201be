/**
 * Quotes, each with everything its price is calculated from. Both are read in one statement, so that a total is true of
 * one moment, and only inside the quote's company, so that a reference to another company's record finds nothing.
 */
import { isPossibleId } from '../core/ids.ts'
import { takePage } from '../core/page.ts'
import type { Page } from '../core/page.ts'
import { queryRows, statement } from './connect.ts'
import type { Db } from './connect.ts'
import { listStatement } from './quote-list.ts'
import type { QuoteFilters } from './quote-list.ts'
import { QUOTE_COLUMNS } from './quote-row.ts'
import type { QuoteRow } from './quote-row.ts'

const FIND_QUOTE = statement(`
  SELECT ${QUOTE_COLUMNS} FROM quotes q
  WHERE q.company_id = $1 AND q.id = $2 AND q.deleted_at IS NULL`)

export async function findQuote(db: Db, companyId: string, id: string): Promise<QuoteRow | null> {
  if (!isPossibleId(id)) return null
  return (await queryRows<QuoteRow>(db, FIND_QUOTE, [companyId, id]))[0] ?? null
}

/** Newest first. A cursor that is not among the filtered quotes yields an empty page. */
export async function listQuotes(
  db: Db,
  companyId: string,
  filters: QuoteFilters,
  page: Page,
): Promise<{ rows: QuoteRow[]; hasMore: boolean }> {
  const ids = [...Object.values(filters.ids), page.startingAfter].filter((id) => id !== undefined)
  if (!ids.every(isPossibleId)) return { rows: [], hasMore: false }
  const { list, values } = listStatement(companyId, filters, page)
  return takePage(await queryRows<QuoteRow>(db, list, values), page.limit)
}
