/** Lists with a cursor: newest first, the rows of one company that match the filters. */
import { isPossibleId } from '../core/ids.ts'
import { readSize, takePage } from '../core/requests/page.ts'
import type { Page, ReadPage } from '../core/requests/page.ts'
import { postgresTime } from '../core/schedule/time-range.ts'
import type { TimeRange } from '../core/schedule/time-range.ts'
import { EMPTY, allOf, identifier, join, literal, sql } from '../db/sql.ts'
import type { Sql } from '../db/sql.ts'
import type { Db } from '../db/statement.ts'
import { columnOf } from './column.ts'
import type { Column, Members, RecordType, StoredOf } from './column.ts'
import type { Fields } from './fields.ts'
import type { Packed } from './packed-row.ts'
import { listRowsAfter, selectFields } from './select.ts'

/** By column of the record type: an exact value or a time range. Undefined and null match every row. */
export type Filters<Table extends Members> = {
  [Name in keyof StoredOf<Table>]?: string | TimeRange | null | undefined
}

/** The two ends of a time range, as SQL. */
export interface RangeSql {
  from: Sql
  before: Sql
}

export const rangeSql = ({ from, before }: TimeRange): RangeSql => ({
  from: sql`${postgresTime(from)}::timestamptz`,
  before: sql`${postgresTime(before)}::timestamptz`,
})

export const isWithin = (value: Sql, { from, before }: RangeSql) =>
  sql`${value} >= ${from} AND ${value} < ${before}`

/** What rows of a table named `t` must satisfy. */
export function filterConditions<Table extends Members>(filters: Filters<Table>): Sql[] {
  return Object.entries<string | TimeRange | null | undefined>(filters).flatMap(([name, filter]) => {
    if (filter === undefined || filter === null) return []
    const column = columnOf('t', name)
    return [typeof filter === 'string' ? sql`${column} = ${filter}` : isWithin(column, rangeSql(filter))]
  })
}

export const NEWEST_FIRST = sql`t.created_at DESC, t.id DESC`

/** The row that a page starts after. It must match the filters, so that an unknown one gives an empty page. */
export const cursorRow = (table: Sql, conditions: readonly Sql[], startingAfter: string) =>
  sql`SELECT t.created_at, t.id FROM ${table} t WHERE ${allOf(conditions)} AND t.id = ${startingAfter}`

/** Comparing (created_at, id) as a row lets the index start at the cursor, at any depth. Without a row it is null. */
export const afterCursor = (cursor: Sql | null) =>
  cursor === null ? EMPTY : sql` AND (t.created_at, t.id) < (${cursor})`

interface Shape {
  table: Sql
  conditions: readonly Sql[]
  cursor: Sql | null
  size: number
}

/** The first rows that satisfy the conditions and come after the cursor. */
export const pageRows = (selected: Sql, { table, conditions, cursor, size }: Shape) => sql`
  SELECT ${selected} FROM ${table} t WHERE ${allOf(conditions)}${afterCursor(cursor)}
  ORDER BY ${NEWEST_FIRST} LIMIT ${literal(size)}`

/** A condition for which there is an index, and the same condition while the rows are read in the order of the list. */
export interface Ranged {
  found: Sql
  inListOrder: Sql
}

interface Listed<Table extends Members, Row> {
  recordType: RecordType<string, Table>
  fields: Fields<Row>
  /** Conditions of every page, such as `t.deleted_at IS NULL`. */
  where?: readonly Sql[]
  /** One of the conditions, if few rows may satisfy it. A filter by a time takes precedence. */
  ranged?: Ranged | null
  /** The rows that satisfy the conditions, if another table has them in the order of the list. It has all columns. */
  inListOrder?: Sql | undefined
}

/** Up to this many rows of a time range are sorted. More are found in the order of the list. */
const FEW = 1_000

/** The sum keeps the planner from using the index of the range. */
export const outsideIndex = (column: Sql) => sql`(${column} + interval '0')`

function rangedBy(column: Sql, range: RangeSql): Ranged {
  return { found: isWithin(column, range), inListOrder: isWithin(outsideIndex(column), range) }
}

/**
 * Either way alone can be slow: a range with few rows among many, or with many rows of which the page needs few. So the
 * statement finds out how many there are.
 */
function pageInRange(selected: Sql, table: Sql, shape: Shape, ranged: Ranged): Sql {
  const isFew = sql`(SELECT count(*) FROM found) <= ${literal(FEW)}`
  const few = { ...shape, table: sql`found`, conditions: [isFew, ...shape.conditions] }
  const many = { ...shape, conditions: [sql`NOT ${isFew}`, ...shape.conditions, ranged.inListOrder] }
  return sql`
    WITH found AS MATERIALIZED (
      SELECT t.* FROM ${table} t WHERE t.company_id = $1 AND ${ranged.found} LIMIT ${literal(FEW + 1)})
    (${pageRows(selected, few)}) UNION ALL (${pageRows(selected, many)})`
}

/**
 * Reads a page of a record type with the columns `created_at` and `id`. There should be an index on the company, each filter
 * that is common, and these two, and one on the company and each other time that is a filter.
 */
export async function listPage<Table extends Members, Row>(
  db: Db,
  companyId: string,
  { recordType, fields, where = [], ranged: rangedWhere = null, inListOrder }: Listed<Table, Row>,
  filters: Filters<Table>,
  { limit, startingAfter }: Page,
): Promise<ReadPage<Packed<Row>>> {
  const texts = [...Object.values(filters), startingAfter].filter((filter) => typeof filter === 'string')
  if (!texts.every(isPossibleId)) return emptyPage(startingAfter)
  const table = identifier(recordType.table)
  const [time, others] = splitRange(filters)
  const timeRanged = time === null ? null : rangedBy(columnOf('t', time.name), rangeSql(time.range))
  const conditions = [sql`t.company_id = $1`, ...where, ...filterConditions(others)]
  const all = [timeRanged, rangedWhere].flatMap((each) => (each === null ? [] : [each.found]))
  const cursor = startingAfter === undefined ? null : cursorRow(table, [...conditions, ...all], startingAfter)
  const ranged = timeRanged ?? rangedWhere
  const rest = timeRanged === null || rangedWhere === null ? [] : [rangedWhere.inListOrder]
  const shape = {
    table: inListOrder ?? table,
    conditions: [...conditions, ...rest],
    cursor,
    size: readSize(limit),
  }
  const page =
    ranged === null
      ? pageRows(sql`*`, shape)
      : sql`SELECT t.* FROM (${pageInRange(columnsOf(recordType), table, shape, ranged)}) t`
  const select = selectFields(fields, { from: sql`(${page}) t`, orderBy: NEWEST_FIRST, cursor })
  const { rows, isFound } = await listRowsAfter(db, select, [companyId])
  return { ...takePage(rows, limit), isCursorFound: isFound }
}

/** The list of a record type without conditions but the filters. */
export const lister =
  <Table extends Members, Row>(listed: Listed<Table, Row>) =>
  (db: Db, companyId: string, filters: Filters<Table>, page: Page) =>
    listPage(db, companyId, listed, filters, page)

/** The list of a record type that can be archived. */
export const archivableLister =
  <Table extends Members & { archivedAt: Column }, Row>(listed: Listed<Table, Row>) =>
  (db: Db, companyId: string, { archived }: { archived: boolean | undefined }, page: Page) => {
    // The same expression as in the index.
    const where = archived === undefined ? [] : [sql`(t.archived_at IS NULL) = ${!archived}`]
    return listPage(db, companyId, { ...listed, where }, {}, page)
  }

/** All columns of the table `t`. */
const columnsOf = ({ columns }: Pick<RecordType, 'columns'>) =>
  join(Object.keys(columns).map((name) => columnOf('t', name)))

/** For a filter that no row can match. */
export const emptyPage = (startingAfter: string | undefined) => ({
  rows: [],
  hasMore: false,
  isCursorFound: startingAfter === undefined,
})

type Filter = string | TimeRange | null | undefined

/** A filter by a time other than the creation, by which the list is ordered; and the remaining filters. */
function splitRange<Table extends Members>(
  filters: Filters<Table>,
): [{ name: string; range: TimeRange } | null, Filters<Table>] {
  const entries = Object.entries<Filter>(filters as Record<string, Filter>)
  const isRange = ([name, filter]: [string, Filter]) =>
    name !== 'createdAt' && typeof filter === 'object' && filter !== null
  const found = entries.find(isRange)
  if (found === undefined) return [null, filters]
  const [name, range] = found as [string, TimeRange]
  const others = entries.filter((entry) => entry !== found)
  return [{ name, range }, Object.fromEntries(others) as Filters<Table>]
}
