/** A table of the world format, as the SQL of import, export and doctor needs it. */
import { allOf, identifier, sql } from './sql.ts'
import type { Sql } from './sql.ts'

export interface WorldTable {
  name: string
  /** All columns but the derived ones, which the format does not have. */
  columns: readonly string[]
  /** The primary key. */
  key: readonly string[]
  /** Columns that keep their value if a replaced row has none. */
  keptWhenAbsent: readonly string[]
}

/** Columns of a table with the first and the last time among the rows of another table that belong to the row. */
export interface Span {
  /** That other table, and its column with the id of the row. */
  table: string
  ownerColumn: string
  timeColumn: string
  firstColumn: string
  lastColumn: string
}

/** The temporary table with the rows of an import. */
export function stagedName({ name }: { name: string }): Sql {
  return identifier(`staged_${name}`)
}

/** The column of a table with this alias. */
export const column = (alias: Sql, name: string) => sql`${alias}.${identifier(name)}`

/** `a.x = b.x AND a.y = b.y` */
export function sameColumns(left: Sql, right: Sql, columns: readonly string[]): Sql {
  return allOf(columns.map((name) => sql`${column(left, name)} = ${column(right, name)}`))
}
