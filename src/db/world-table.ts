/** A table that the world format fills: what the SQL of import, export and doctor has to know of it. */
export interface WorldTable {
  name: string
  /** All that the format fills, which is all there are but for those that triggers fill. */
  columns: readonly string[]
  /** The primary key. */
  key: readonly string[]
  /** Columns that a row being replaced keeps where the new one says nothing. */
  keptWhenAbsent: readonly string[]
}

/** The temporary table in which the rows of an import wait. */
export function stagedName(table: WorldTable): string {
  return `staged_${table.name}`
}

/** `a.x = b.x AND a.y = b.y` */
export function sameColumns(left: string, right: string, columns: readonly string[]): string {
  return columns.map((column) => `${left}.${column} = ${right}.${column}`).join(' AND ')
}
