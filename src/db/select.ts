/** Statements that read rows of known fields: sent in the form that is cheapest, read again in the one that is always right. */
import { statement } from './connect.ts'
import type { Db, Statement } from './connect.ts'
import type { Fields } from './fields.ts'
import { queryTexts } from './text-query.ts'

export interface Select<Row> {
  fields: Fields<Row>
  /** One text per row. */
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
    packed: statement(`SELECT ${fields.packed} FROM ${from} ORDER BY ${orderBy}`),
    columns: statement(`SELECT ${fields.columns} FROM ${from} ORDER BY ${orderBy}`),
  }
}

export async function listFields<Row>(
  db: Db,
  select: Select<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  const rows = await queryTexts(db, select.packed, values)
  return (
    select.fields.unpack(
      rows.map(([text = null]) => text),
      undefined,
    ) ?? readColumns(db, select, values)
  )
}

/** For one row, the separators cost more than they save. */
export async function findFields<Row>(
  db: Db,
  select: Select<Row>,
  values: readonly unknown[],
): Promise<Row | null> {
  return (await readColumns(db, select, values))[0] ?? null
}

async function readColumns<Row>(db: Db, select: Select<Row>, values: readonly unknown[]): Promise<Row[]> {
  return (await queryTexts(db, select.columns, values)).map((row) => select.fields.read(row, undefined))
}
