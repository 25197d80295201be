/** Statements that read rows: as one packed text, or, if that is not possible, again with one column per field. */
import { sql } from '../db/sql.ts'
import type { Sql } from '../db/sql.ts'
import { statement } from '../db/statement.ts'
import type { Db, Statement } from '../db/statement.ts'
import { cursorColumn, isCursorFound, packedList, unlessTooLong } from './fields.ts'
import type { Fields } from './fields.ts'
import type { Packed } from './packed-row.ts'
import { queryTexts } from './text-query.ts'
import type { TextRow } from './text-query.ts'

export interface Select<Row> {
  fields: Fields<Row>
  /** One text with all rows. */
  packed: () => Statement
  /** One column per field. */
  columns: () => Statement
}

/** `from` is the text after FROM, with a table named `t`; `cursor` is a query of the row that a page starts after. */
export function selectFields<Row>(
  fields: Fields<Row>,
  { from, orderBy, cursor = null }: { from: Sql; orderBy: Sql; cursor?: Sql | null },
): Select<Row> {
  const packed = sql`list.packed`
  return {
    fields,
    packed: once(
      () => sql`
        SELECT ${packedList(packed)}${cursorColumn(cursor)}
        FROM (SELECT ${fields.packed} AS packed FROM ${from} ORDER BY ${orderBy}) list
        ${unlessTooLong(packed)}`,
    ),
    columns: once(() => sql`SELECT ${fields.selectList} FROM ${from} ORDER BY ${orderBy}`),
  }
}

/** Most selects use only one of their two statements. */
function once(build: () => Sql): () => Statement {
  let built: Statement | undefined
  return () => (built ??= statement(build()))
}

/** As plain objects. */
export async function listObjects<Row>(
  db: Db,
  select: Select<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  const { fields } = select
  const list = fields.unpack((await readPacked(db, select, values))[0])
  return list ?? (await queryTexts(db, select.columns(), values)).map(fields.objectOf)
}

export async function listRows<Row>(
  db: Db,
  select: Select<Row>,
  values: readonly unknown[],
): Promise<Packed<Row>[]> {
  return (await listRowsAfter(db, select, values)).rows
}

/** The same, with whether the cursor was found. */
export async function listRowsAfter<Row>(
  db: Db,
  select: Select<Row>,
  values: readonly unknown[],
): Promise<{ rows: Packed<Row>[]; isFound: boolean }> {
  const { fields } = select
  const packed = await readPacked(db, select, values)
  const rows = fields.unpackRows(packed[0], undefined)
  if (rows !== undefined) return { rows, isFound: isCursorFound(packed) }
  const columns = await queryTexts(db, select.columns(), values)
  // There were rows, so the cursor was found.
  return { rows: columns.map((row) => fields.rowOf(row, undefined)), isFound: true }
}

async function readPacked(db: Db, { packed }: Select<unknown>, values: readonly unknown[]): Promise<TextRow> {
  return (await queryTexts(db, packed(), values))[0] ?? []
}

/** One row, read with one column per field: packing a single row saves nothing. */
export async function findPlainObject<Row>(
  db: Db,
  { fields, columns }: Select<Row>,
  values: readonly unknown[],
): Promise<Row | null> {
  const [row] = await queryTexts(db, columns(), values)
  return row === undefined ? null : fields.objectOf(row)
}

export async function findRow<Row>(
  db: Db,
  { fields, columns }: Select<Row>,
  values: readonly unknown[],
): Promise<Packed<Row> | null> {
  const [row] = await queryTexts(db, columns(), values)
  return row === undefined ? null : fields.rowOf(row, undefined)
}

/** The rows of a statement that returns the select list of these fields, as plain objects. */
export async function queryObjects<Row>(
  db: Db,
  fields: Fields<Row>,
  query: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  return (await queryTexts(db, query, values)).map(fields.objectOf)
}

/** The same as packed rows. */
export async function queryPacked<Row>(
  db: Db,
  fields: Fields<Row>,
  query: Statement,
  values: readonly unknown[],
): Promise<Packed<Row>[]> {
  return (await queryTexts(db, query, values)).map((row) => fields.rowOf(row, undefined))
}
