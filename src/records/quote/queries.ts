/**
 * Quotes with the inputs of their prices. One statement reads both, so that a total is based on one snapshot, and only within
 * the company, so that a reference to a record of another company finds nothing.
 */
import { isPossibleId } from '../../core/ids.ts'
import { takePage } from '../../core/requests/page.ts'
import type { Page, ReadPage } from '../../core/requests/page.ts'
import { sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import { shapedStatement, statement, unpreparedStatement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import {
  cursorColumn,
  isCursorFound,
  packedList,
  packedListOfOne,
  unlessTooLong,
} from '../../codec/fields.ts'
import {
  ALL_DEFINITIONS,
  readDefinitions,
  someDefinitions,
  someDefinitionsAsJson,
  unpackAllDefinitions,
  unpackDefinitions,
} from './definitions.ts'
import { pageOfQuotes } from './list.ts'
import type { QuotePage } from './list.ts'
import type { QuoteFilters } from './filter.ts'
import { LINES_OF_MANY, LINES_OF_ONE, QUOTE_FIELDS } from './row.ts'
import type { QuoteRow } from './row.ts'
import { NEWEST_FIRST } from '../../codec/list.ts'
import { queryTexts } from '../../codec/text-query.ts'
import type { TextRow } from '../../codec/text-query.ts'

const withLines = (page: Sql, lines: Sql) => sql`SELECT q.*, l.* FROM (${page}) q ${lines}`

const OWN_IDS = {
  discounts: sql`own.discount_ids`,
  service_charges: sql`own.charge_ids`,
  tax_rates: sql`own.tax_rate_ids`,
}

/** Each quote with the ids of its definitions. */
const withOwn = (page: Sql, lines: Sql) => sql`
  (${withLines(page, lines)}) t
  CROSS JOIN LATERAL (
    SELECT t.line_discount_ids || t.discount_id::text AS discount_ids, t.service_charge_ids AS charge_ids,
      ARRAY[t.tax_rate_id::text] AS tax_rate_ids
  ) own`

/** One column per field, then the definitions of that quote. */
const selectEach = (page: Sql, lines: Sql) => sql`
  SELECT ${QUOTE_FIELDS.selectList}, ${someDefinitionsAsJson(OWN_IDS)} FROM ${withOwn(page, lines)}
  ORDER BY ${NEWEST_FIRST}`

const PACKED = sql`list.packed`

const packedQuotes = (from: Sql) => sql`
  FROM (SELECT ${QUOTE_FIELDS.packed} AS packed FROM ${from} t ORDER BY ${NEWEST_FIRST}) list
  ${unlessTooLong(PACKED)}`

/** One text with all quotes, and all definitions of the company: almost no extra work if there are few. */
const selectWithAll = ({ rows, cursor }: QuotePage) => sql`
  SELECT ${packedList(PACKED)}, ${ALL_DEFINITIONS}${cursorColumn(cursor)}
  ${packedQuotes(sql`(${withLines(rows, LINES_OF_MANY)})`)}`

/** Only the definitions that the page refers to. */
const selectWithOwn = ({ rows, cursor }: QuotePage) => sql`
  WITH page AS MATERIALIZED (${withLines(rows, LINES_OF_MANY)})
  SELECT ${packedList(PACKED)}, ${DEFINITIONS_OF_PAGE}${cursorColumn(cursor)}
  ${packedQuotes(sql`page`)}`

const DEFINITIONS_OF_PAGE = someDefinitions({
  discounts: sql`ARRAY(SELECT unnest(line_discount_ids)::text FROM page UNION SELECT discount_id::text FROM page)`,
  service_charges: sql`ARRAY(SELECT DISTINCT unnest(service_charge_ids) FROM page)`,
  tax_rates: sql`ARRAY(SELECT DISTINCT tax_rate_id::text FROM page)`,
})

/** Companies with too many definitions to read all of them. It only affects which statement is tried first. */
const withMany = new Set<string>()
const WITH_MANY_MAX = 10_000

function rememberMany(companyId: string): void {
  if (withMany.size >= WITH_MANY_MAX) withMany.clear()
  withMany.add(companyId)
}

const ONE = sql`SELECT * FROM quotes q WHERE q.company_id = $1 AND q.id = $2 AND q.deleted_at IS NULL`
const FIND_QUOTE = statement(sql`
  SELECT ${packedListOfOne(QUOTE_FIELDS.packed)}, ${someDefinitions(OWN_IDS)} FROM ${withOwn(ONE, LINES_OF_ONE)}`)
const FIND_ANY_QUOTE = statement(selectEach(ONE, LINES_OF_ONE))

export async function findQuote(db: Db, companyId: string, id: string): Promise<QuoteRow | null> {
  if (!isPossibleId(id)) return null
  const [values] = await queryTexts(db, FIND_QUOTE, [companyId, id])
  if (values === undefined) return null
  const [list, ...lists] = values
  const definitions = unpackDefinitions(lists)
  const quotes = definitions === undefined ? undefined : QUOTE_FIELDS.unpackRows(list, definitions)
  if (quotes !== undefined) return quotes[0] ?? null
  const [columns] = await queryTexts(db, FIND_ANY_QUOTE, [companyId, id])
  return columns === undefined ? null : readQuote(columns)
}

/** Newest first. A cursor that is not among the filtered quotes yields an empty page. */
export async function listQuotes(
  db: Db,
  companyId: string,
  filters: QuoteFilters,
  page: Page,
): Promise<ReadPage<QuoteRow>> {
  const ids = [...Object.values(filters.ids), page.startingAfter].filter((id) => id !== undefined)
  if (!ids.every(isPossibleId) || (filters.leadIds?.length === 0 && (filters.quoteIds ?? []).length === 0))
    return { rows: [], hasMore: false, isCursorFound: page.startingAfter === undefined }
  const { quotes, isFound } = await readPage(db, companyId, pageOfQuotes(filters, page))
  return { ...takePage(quotes, page.limit), isCursorFound: isFound }
}

/** Newest first, in a constant number of statements. Ids of deleted quotes are skipped. */
export async function loadQuotes(db: Db, companyId: string, ids: readonly string[]): Promise<QuoteRow[]> {
  const rows = sql`
    SELECT * FROM quotes q WHERE q.company_id = $1 AND q.id = ANY(${ids}::text[]) AND q.deleted_at IS NULL`
  return (await readPage(db, companyId, { shape: 'ids', isCommon: false, rows, cursor: null })).quotes
}

interface QuotesRead {
  quotes: QuoteRow[]
  /** The cursor. */
  isFound: boolean
}

async function readPage(db: Db, companyId: string, page: QuotePage): Promise<QuotesRead> {
  const prepare = (which: string, select: Sql) =>
    page.isCommon ? shapedStatement(`quotes ${which} ${page.shape}`, select) : unpreparedStatement(select)
  for (const which of withMany.has(companyId) ? (['own'] as const) : (['all', 'own'] as const)) {
    const select = which === 'all' ? selectWithAll(page) : selectWithOwn(page)
    const [row] = await queryTexts(db, prepare(which, select), [companyId])
    if (row === undefined) break
    const [list, ...lists] = row
    const definitions = which === 'all' ? unpackAllDefinitions(lists) : unpackDefinitions(lists)
    if (definitions === undefined) {
      rememberMany(companyId)
      continue
    }
    const quotes = QUOTE_FIELDS.unpackRows(list, definitions)
    if (quotes !== undefined) return { quotes, isFound: isCursorFound(row) }
    break
  }
  // Too rare to be prepared. There are quotes, so the cursor was found.
  const each = unpreparedStatement(selectEach(page.rows, LINES_OF_MANY))
  return { quotes: (await queryTexts(db, each, [companyId])).map(readQuote), isFound: true }
}

/** The last three columns are definitions. */
function readQuote(values: TextRow): QuoteRow {
  const fields = values.length - 3
  return QUOTE_FIELDS.rowOf(values.slice(0, fields), readDefinitions(values.slice(fields)))
}
