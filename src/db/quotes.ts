/**
 * Quotes, each with everything its price is calculated from. Both are read in one statement, so that a total is true of
 * one moment, and only inside the quote's company, so that a reference to another company's record finds nothing.
 */
import { isPossibleId } from '../core/ids.ts'
import { takePage } from '../core/page.ts'
import type { Page } from '../core/page.ts'
import { statement, unpreparedStatement } from './connect.ts'
import type { Db, Statement } from './connect.ts'
import { pageOfQuotes } from './quote-list.ts'
import type { QuoteFilters, QuotePage } from './quote-list.ts'
import { LINES_OF_MANY, LINES_OF_ONE, QUOTE_FIELDS, definitionColumns, readDefinitions } from './quote-row.ts'
import type { QuoteRow } from './quote-row.ts'
import { queryTexts } from './text-query.ts'

const NEWEST_FIRST = 'ORDER BY t.created_at DESC, t.id DESC'

/** One column per field, then the definitions of that quote. */
const selectEach = (page: string, lines: string) => `
  SELECT ${QUOTE_FIELDS.columns}, ${definitionColumns('true', {
    discounts: 't.line_discount_ids || t.discount_id::text',
    charges: 't.service_charge_ids',
    taxRates: 'ARRAY[t.tax_rate_id::text]',
  })}
  FROM (SELECT q.*, l.* FROM (${page}) q ${lines}) t ${NEWEST_FIRST}`

/** One text per quote, and with the first of them the definitions of all. */
const selectPacked = (page: string) => `
  WITH page AS MATERIALIZED (SELECT q.*, l.* FROM (${page}) q ${LINES_OF_MANY})
  SELECT ${QUOTE_FIELDS.packed}, ${definitionColumns(`row_number() OVER (${NEWEST_FIRST}) = 1`, {
    discounts:
      'ARRAY(SELECT unnest(line_discount_ids)::text FROM page UNION SELECT discount_id::text FROM page)',
    charges: 'ARRAY(SELECT DISTINCT unnest(service_charge_ids) FROM page)',
    taxRates: 'ARRAY(SELECT DISTINCT tax_rate_id::text FROM page)',
  })}
  FROM page t ${NEWEST_FIRST}`

const FIND_QUOTE = statement(
  selectEach(
    'SELECT * FROM quotes q WHERE q.company_id = $1 AND q.id = $2 AND q.deleted_at IS NULL',
    LINES_OF_ONE,
  ),
)

export async function findQuote(db: Db, companyId: string, id: string): Promise<QuoteRow | null> {
  if (!isPossibleId(id)) return null
  const [values] = await queryTexts(db, FIND_QUOTE, [companyId, id])
  return values === undefined ? null : readQuote(values)
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
  return takePage(await readPage(db, pageOfQuotes(companyId, filters, page)), page.limit)
}

const packedPages = new Map<string, Statement>()

function packedPage({ shape, isCommon, text }: QuotePage): Statement {
  if (!isCommon) return unpreparedStatement(selectPacked(text()))
  const known = packedPages.get(shape)
  if (known !== undefined) return known
  const made = statement(selectPacked(text()))
  packedPages.set(shape, made)
  return made
}

async function readPage(db: Db, page: QuotePage): Promise<QuoteRow[]> {
  const { text, values } = page
  const rows = await queryTexts(db, packedPage(page), values)
  const definitions = readDefinitions(rows[0]?.slice(1) ?? [])
  const quotes = QUOTE_FIELDS.unpack(
    rows.map(([quote = null]) => quote),
    definitions,
  )
  if (quotes !== undefined) return quotes
  // Rare enough not to be kept prepared.
  const each = unpreparedStatement(selectEach(text(), LINES_OF_MANY))
  return (await queryTexts(db, each, values)).map(readQuote)
}

function readQuote(values: readonly (string | null)[]): QuoteRow {
  const fields = values.length - 3
  return QUOTE_FIELDS.read(values.slice(0, fields), readDefinitions(values.slice(fields)))
}
