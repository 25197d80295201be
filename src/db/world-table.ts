/** A table that the world format fills: what the SQL of import, export and doctor has to know of it. */
export interface WorldTable {
  name: string
  /** All columns but the derived ones, which the format does not have. */
  columns: readonly string[]
  /** The primary key. */
  key: readonly string[]
  /** Columns that a row being replaced keeps where the new one says nothing. */
  keptWhenAbsent: readonly string[]
}

/** Columns of a table that hold the first and the last of a time that the rows of another table have for each row. */
export interface Span {
  /** That other table, and its column with the id of the row. */
  table: string
  ownerColumn: string
  timeColumn: string
  firstColumn: string
  lastColumn: string
}

/** The temporary table in which the rows of an import wait. */
export function stagedName({ name }: { name: string }): string {
  return `staged_${name}`
}

/** `a.x = b.x AND a.y = b.y` */
export function sameColumns(left: string, right: string, columns: readonly string[]): string {
  return columns.map((column) => `${left}.${column} = ${right}.${column}`).join(' AND ')
}
