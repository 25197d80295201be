/**
 * Quotes, each with everything its price is calculated from. Both are read in one statement, so that a total is true of
 * one moment, and only inside the quote's company, so that a reference to another company's record finds nothing.
 */
import { isPossibleId } from '../../core/ids.ts'
import { takePage } from '../../core/requests/page.ts'
import type { Page, ReadPage } from '../../core/requests/page.ts'
import { statement, unpreparedStatement } from '../../db/connect.ts'
import type { Db, Statement } from '../../db/connect.ts'
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
import type { QuoteFilters, QuotePage } from './list.ts'
import { LINES_OF_MANY, LINES_OF_ONE, QUOTE_FIELDS } from './row.ts'
import type { QuoteRow } from './row.ts'
import { queryTexts } from '../../codec/text-query.ts'
import type { TextRow } from '../../codec/text-query.ts'

const NEWEST_FIRST = 'ORDER BY t.created_at DESC, t.id DESC'

const withLines = (page: string, lines: string) => `SELECT q.*, l.* FROM (${page}) q ${lines}`

const OWN_IDS = {
  discounts: 'own.discount_ids',
  service_charges: 'own.charge_ids',
  tax_rates: 'own.tax_rate_ids',
}

/** Each quote with the ids of its own definitions. */
const withOwn = (page: string, lines: string) => `
  (${withLines(page, lines)}) t
  CROSS JOIN LATERAL (
    SELECT t.line_discount_ids || t.discount_id::text AS discount_ids, t.service_charge_ids AS charge_ids,
      ARRAY[t.tax_rate_id::text] AS tax_rate_ids
  ) own`

/** One column per field, then the definitions of that quote. */
const selectEach = (page: string, lines: string) => `
  SELECT ${QUOTE_FIELDS.selectList}, ${someDefinitionsAsJson(OWN_IDS)} FROM ${withOwn(page, lines)} ${NEWEST_FIRST}`

const packedQuotes = (from: string) =>
  `FROM (SELECT ${QUOTE_FIELDS.packed} AS packed FROM ${from} t ${NEWEST_FIRST}) list
  ${unlessTooLong('list.packed')}`

/** One text with all quotes, and beside it all definitions of the company: next to no work while they are few. */
const selectWithAll = (page: string, cursor: string | null) => `
  SELECT ${packedList('list.packed')}, ${ALL_DEFINITIONS}${cursorColumn(cursor)}
  ${packedQuotes(`(${withLines(page, LINES_OF_MANY)})`)}`

/** The same with those that the page refers to. */
const selectWithOwn = (page: string, cursor: string | null) => `
  WITH page AS MATERIALIZED (${withLines(page, LINES_OF_MANY)})
  SELECT ${packedList('list.packed')}, ${someDefinitions({
    discounts:
      'ARRAY(SELECT unnest(line_discount_ids)::text FROM page UNION SELECT discount_id::text FROM page)',
    service_charges: 'ARRAY(SELECT DISTINCT unnest(service_charge_ids) FROM page)',
    tax_rates: 'ARRAY(SELECT DISTINCT tax_rate_id::text FROM page)',
  })}${cursorColumn(cursor)}
  ${packedQuotes('page')}`

type WhichDefinitions = 'all' | 'own'

/** Companies that turned out to have too many definitions to read all: a choice of statement, of no effect on answers. */
const withMany = new Set<string>()
const WITH_MANY_MAX = 10_000

function rememberMany(companyId: string): void {
  if (withMany.size >= WITH_MANY_MAX) withMany.clear()
  withMany.add(companyId)
}

const ONE = 'SELECT * FROM quotes q WHERE q.company_id = $1 AND q.id = $2 AND q.deleted_at IS NULL'
const FIND_QUOTE = statement(`
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
  if (!ids.every(isPossibleId) || filters.leadIds?.length === 0)
    return { rows: [], hasMore: false, isCursorFound: page.startingAfter === undefined }
  const { quotes, isFound } = await readPage(db, companyId, pageOfQuotes(companyId, filters, page))
  return { ...takePage(quotes, page.limit), isCursorFound: isFound }
}

interface QuotesRead {
  quotes: QuoteRow[]
  /** The cursor. */
  isFound: boolean
}

async function readPage(db: Db, companyId: string, page: QuotePage): Promise<QuotesRead> {
  const { text, values } = page
  for (const which of withMany.has(companyId) ? (['own'] as const) : (['all', 'own'] as const)) {
    const [row] = await queryTexts(db, packedPage(page, which), values)
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
  // Rare enough not to be kept prepared. There are quotes, so the cursor was found.
  const each = unpreparedStatement(selectEach(text(), LINES_OF_MANY))
  return { quotes: (await queryTexts(db, each, values)).map(readQuote), isFound: true }
}

/** By the shape of the page and which definitions come with it. */
const packedPages = new Map<string, Statement>()

function packedPage({ shape, isCommon, text, cursorText }: QuotePage, which: WhichDefinitions): Statement {
  const key = `${which} ${shape}`
  const known = packedPages.get(key)
  if (known !== undefined) return known
  const page = which === 'all' ? selectWithAll(text(), cursorText()) : selectWithOwn(text(), cursorText())
  if (!isCommon) return unpreparedStatement(page)
  const made = statement(page)
  packedPages.set(key, made)
  return made
}

/** The last three columns are definitions. */
function readQuote(values: TextRow): QuoteRow {
  const fields = values.length - 3
  return QUOTE_FIELDS.rowOf(values.slice(0, fields), readDefinitions(values.slice(fields)))
}
