/** Reads records of any kind, one by id or a page of a list. */
import { isPossibleId, isStorableText } from '../../core/ids.ts'
import type { RecordSort } from '../../core/record-kinds.ts'
import { takePage } from '../../core/requests/page.ts'
import type { Page } from '../../core/requests/page.ts'
import { isoOrNull, isoTimes } from '../../codec/schemas.ts'
import { columnOf } from '../../codec/column.ts'
import { queryObjects } from '../../codec/select.ts'
import { allOf, identifier, join, literal, sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import type { RecordKind, StoredRecord } from '../kind.ts'

/** Times are ISO 8601 in UTC with milliseconds, and decimals have no zeros at the end. */
const presenter =
  ({ recordType: { columns }, editable }: RecordKind) =>
  (record: StoredRecord): StoredRecord => {
    const decimals = editable.filter((name) => columns[name]?.facts.type === 'percentage')
    const plain = decimals.map((name) => [name, plainDecimal(record[name] as string | null)])
    const times = { archivedAt: isoOrNull(record.archivedAt), ...isoTimes(record) }
    return { ...record, ...Object.fromEntries(plain), ...times }
  }

/** A percentage has six decimals at most. */
const plainDecimal = (text: string | null) =>
  text?.includes('.') === true ? text.replace(/0{1,6}$/, '').replace(/\.$/, '') : text

/** Null if the company has no such record. */
export async function findRecord(
  db: Db,
  companyId: string,
  kind: RecordKind,
  id: string,
): Promise<StoredRecord | null> {
  if (!isPossibleId(id)) return null
  const { recordType, fields } = kind
  const find = sql`
    SELECT ${fields.selectList} FROM ${identifier(recordType.table)} t WHERE t.company_id = $1 AND t.id = ${id}`
  const [record] = await queryObjects(db, fields, statement(find), [companyId])
  return record === undefined ? null : presenter(kind)(record)
}

export interface RecordQuery {
  /** Words that begin words of the record. */
  search?: string | undefined
  /** Undefined: both. */
  isArchived: boolean | undefined
  sort: RecordSort
  /** By column. */
  filters?: Readonly<Record<string, string>>
}

interface Order {
  column: Sql
  /** Keeps the planner from using the index of the order. */
  outsideIndex: Sql
  direction: Sql
  isAfter: Sql
}

const BY_NAME = { column: sql`t.name_order`, outsideIndex: sql`(t.name_order || '')` }

const ORDERS: Record<RecordSort, Order> = {
  newest: {
    column: sql`t.created_at`,
    outsideIndex: sql`(t.created_at + interval '0')`,
    direction: sql`DESC`,
    isAfter: sql`<`,
  },
  name: { ...BY_NAME, direction: sql`ASC`, isAfter: sql`>` },
  '-name': { ...BY_NAME, direction: sql`DESC`, isAfter: sql`<` },
}

const orderBy = ({ direction }: Order, column: Sql) => sql`${column} ${direction}, t.id ${direction}`

/** A page in this order. A cursor without a record gives an empty page. */
export async function listRecords(
  db: Db,
  companyId: string,
  kind: RecordKind,
  query: RecordQuery,
  { limit, startingAfter }: Page,
): Promise<{ records: StoredRecord[]; hasMore: boolean }> {
  const { recordType, fields } = kind
  const { search = '', sort, filters = {} } = query
  const texts = [...Object.values(filters), startingAfter ?? '']
  if (!isStorableText(search) || !texts.every(isStorableText)) return { records: [], hasMore: false }
  const order = ORDERS[sort]
  const shape = {
    table: identifier(recordType.table),
    order,
    conditions: conditionsOf(recordType.table, order, query, startingAfter),
    size: limit + 1,
  }
  const page = hasWord(search) ? searchedPage(shape, search) : plainPage(shape)
  const select = sql`SELECT ${fields.selectList} FROM (${page}) t ORDER BY ${orderBy(order, order.column)}`
  const rows = await queryObjects(db, fields, statement(select), [companyId])
  const { rows: records, hasMore } = takePage(rows, limit)
  return { records: records.map(presenter(kind)), hasMore }
}

/** A text without a word finds everything. */
export const hasWord = (search: string) => /[\p{L}\p{N}]/u.test(search)

interface Shape {
  table: Sql
  order: Order
  /** All but the company. */
  conditions: readonly Sql[]
  size: number
}

function conditionsOf(
  table: string,
  { column, isAfter }: Order,
  { isArchived, filters = {} }: RecordQuery,
  startingAfter: string | undefined,
): Sql[] {
  const conditions = Object.entries(filters).map(([name, value]) => sql`${columnOf('t', name)} = ${value}`)
  // The same expression as in the index. The planner would turn a constant into `archived_at IS NOT NULL`, which has none.
  if (isArchived !== undefined)
    conditions.unshift(sql`(t.archived_at IS NULL) = (SELECT ${!isArchived}::boolean)`)
  if (startingAfter !== undefined)
    conditions.push(sql`(${column}, t.id) ${isAfter} (
      SELECT ${column}, t.id FROM ${identifier(table)} t WHERE t.company_id = $1 AND t.id = ${startingAfter})`)
  return conditions
}

function plainPage({ table, order, conditions, size }: Shape): Sql {
  return sql`
    SELECT t.* FROM ${table} t WHERE ${allOf([sql`t.company_id = $1`, ...conditions])}
    ORDER BY ${orderBy(order, order.column)} LIMIT ${literal(size)}`
}

/** This many records are compared in the order of the list, before the index of words is used. */
const NEAR = 1_000

/**
 * A frequent word is found soon in the order of the list, and a rare one by the index of words. Either way alone can be slow,
 * and the planner cannot tell: all customers named Rosa stand together in a list by name.
 */
function searchedPage({ table, order, conditions, size }: Shape, search: string): Sql {
  const near = plainPage({ table, order, conditions, size: NEAR })
  const isFull = sql`(SELECT count(*) FROM near) = ${literal(size)}`
  const query = sql`(SELECT query FROM words)`
  // Words contain the company, so the index of words needs no other one.
  const isFound = [
    sql`NOT ${isFull}`,
    sql`(t.company_id || '') = $1`,
    ...conditions,
    sql`t.search @@ ${query}`,
  ]
  return sql`
    WITH words AS MATERIALIZED (SELECT search_query($1, ${search}) AS query),
      near AS MATERIALIZED (
        SELECT t.* FROM (${near}) t WHERE t.search @@ ${query} LIMIT ${literal(size)})
    (SELECT t.* FROM near t WHERE ${isFull})
    UNION ALL
    (SELECT t.* FROM ${table} t WHERE ${allOf(isFound)}
     ORDER BY ${orderBy(order, order.outsideIndex)} LIMIT ${literal(size)})`
}

const EXPORT_PAGE = 1_000

/** All records of the list, page by page. */
export async function* readRecords(
  db: Db,
  companyId: string,
  kind: RecordKind,
  query: RecordQuery,
): AsyncGenerator<StoredRecord[]> {
  for (let startingAfter: string | undefined; ;) {
    const page = await listRecords(db, companyId, kind, query, { limit: EXPORT_PAGE, startingAfter })
    yield page.records
    startingAfter = page.records.at(-1)?.id
    if (!page.hasMore || startingAfter === undefined) return
  }
}

/** Whether a quote or line refers to the record, also a deleted one. */
export async function isRecordUsed(
  db: Db,
  companyId: string,
  { uses }: RecordKind,
  id: string,
): Promise<boolean> {
  if (uses.length === 0) return false
  const used = uses.map(({ table, column, isList }) => {
    const value = identifier(column)
    const refers = isList === true ? listContains(value, id) : sql`company_id = $1 AND ${value} = ${id}`
    return sql`EXISTS (SELECT 1 FROM ${identifier(table)} WHERE ${refers})`
  })
  const find = statement(sql`SELECT ${join(used, sql` OR `)} AS "isUsed"`)
  const [row] = await queryRows<{ isUsed: boolean }>(db, find, [companyId])
  return row?.isUsed === true
}

/** The ids in the index contain the company, so it needs no other one. */
const listContains = (list: Sql, id: string) => sql`(company_id || '') = $1 AND ${list} <> '{}'
  AND ids_of_company(company_id, ${list}) @> ids_of_company($1, ARRAY[${id}::text])`

type CompanyDefault = NonNullable<RecordKind['companyDefault']>

const isDefault = ({ column, isList }: CompanyDefault, id: string) =>
  isList ? sql`${identifier(column)} @> ARRAY[${id}::text]` : sql`${identifier(column)} = ${id}`

/** Whether new quotes of the company get the record. */
export async function isCompanyDefault(
  db: Db,
  companyId: string,
  { companyDefault }: RecordKind,
  id: string,
): Promise<boolean> {
  if (companyDefault === null) return false
  const find = sql`SELECT 1 FROM companies WHERE id = $1 AND ${isDefault(companyDefault, id)}`
  return (await queryRows(db, statement(find), [companyId])).length > 0
}

/** The company's default follows a record to its successor. */
export async function replaceCompanyDefault(
  db: Db,
  companyId: string,
  { companyDefault }: RecordKind,
  id: string,
  successorId: string,
): Promise<void> {
  if (companyDefault === null) return
  const column = identifier(companyDefault.column)
  const replaced = companyDefault.isList
    ? sql`array_replace(${column}, ${id}::text, ${successorId}::text)`
    : sql`${successorId}`
  const update = sql`
    UPDATE companies SET ${column} = ${replaced} WHERE id = $1 AND ${isDefault(companyDefault, id)}`
  await queryRows(db, statement(update), [companyId])
}
