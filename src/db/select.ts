/** Statements that read rows of known fields: sent in the form that is cheapest, read again in the one that is always right. */
import { statement } from './connect.ts'
import type { Db, Statement } from './connect.ts'
import { packedList, unlessTooLong } from './fields.ts'
import type { Fields } from './fields.ts'
import type { Packed } from './packed-row.ts'
import { queryTexts } from './text-query.ts'

export interface Select<Row> {
  fields: Fields<Row>
  /** One text with all rows. */
  packed: Statement
  /** One column per field. */
  columns: Statement
}

/** `from` is all after FROM, of a table called `t`. */
export function selectFields<Row>(
  fields: Fields<Row>,
  { from, orderBy }: { from: string; orderBy: string },
): Select<Row> {
  return {
    fields,
    packed: statement(
      `SELECT ${packedList('list.packed')} FROM (SELECT ${fields.packed} AS packed FROM ${from} ORDER BY ${orderBy}) list
      ${unlessTooLong('list.packed')}`,
    ),
    columns: statement(`SELECT ${fields.columns} FROM ${from} ORDER BY ${orderBy}`),
  }
}

/** As plain objects. */
export async function listObjects<Row>(
  db: Db,
  select: Select<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  const { fields } = select
  const list = fields.unpack(await readPacked(db, select, values), undefined)
  return list ?? (await queryTexts(db, select.columns, values)).map((row) => fields.objectOf(row, undefined))
}

export async function listRows<Row>(
  db: Db,
  select: Select<Row>,
  values: readonly unknown[],
): Promise<Packed<Row>[]> {
  const { fields } = select
  const list = fields.unpackRows(await readPacked(db, select, values), undefined)
  return list ?? (await queryTexts(db, select.columns, values)).map((row) => fields.rowOf(row, undefined))
}

async function readPacked(
  db: Db,
  { packed }: Select<unknown>,
  values: readonly unknown[],
): Promise<string | null | undefined> {
  return (await queryTexts(db, packed, values))[0]?.[0]
}

/** One row by its columns, which are right whatever they hold: few are asked for, so that packing them saves nothing. */
export async function findPlainObject<Row>(
  db: Db,
  { fields, columns }: Select<Row>,
  values: readonly unknown[],
): Promise<Row | null> {
  const [row] = await queryTexts(db, columns, values)
  return row === undefined ? null : fields.objectOf(row, undefined)
}

export async function findRow<Row>(
  db: Db,
  { fields, columns }: Select<Row>,
  values: readonly unknown[],
): Promise<Packed<Row> | null> {
  const [row] = await queryTexts(db, columns, values)
  return row === undefined ? null : fields.rowOf(row, undefined)
}
