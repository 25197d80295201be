/**
 * Fields: the columns that a statement reads, as SQL and back. All rows of a list are transferred as one text, because
 * decoding each value separately was most of the work of a large page. README.md in this folder explains the format.
 */
import { EMPTY, identifier, join, literal, sql } from '../db/sql.ts'
import type { Sql } from '../db/sql.ts'
import { Column, columnOf } from './column.ts'
import type { Columns, Members, PublicOf, RecordType, RowOf, StoredOf } from './column.ts'
import { Packed, SEPARATOR, indexParts, joinParts } from './packed-row.ts'
import type { Readers } from './packed-row.ts'
import { partOf, partReader, partSql } from './part.ts'

/** Undefined if the list was too long. */
type ListText = string | null | undefined
type Values = readonly (string | null)[]

export interface Fields<Row, Shared = undefined> {
  /** In the order in which they are read. */
  names: readonly string[]
  columns: Columns
  /** A select list of one column per field, from a table named `t`. */
  selectList: Sql
  /** A row as one text, from a table named `t`. */
  packed: Sql
  /** The rows of a list; undefined if it is too long or a text in it contains a separator. */
  unpackRows: (list: ListText, shared: Shared) => Packed<Row, Shared>[] | undefined
  /** The same as plain objects. */
  unpack: (list: ListText) => Row[] | undefined
  /** A row from its columns. */
  rowOf: (values: Values, shared: Shared) => Packed<Row, Shared>
  objectOf: (values: Values) => Row
}

/** The row of these fields. */
export type RowIn<Set> = Set extends { objectOf: (values: Values) => infer Row } ? Row : never

/** The columns that the API shows. */
type PublicColumns<Table extends Members> = Pick<
  StoredOf<Table>,
  keyof StoredOf<Table> & keyof PublicOf<Table>
>

export function publicColumns<Table extends Members>({
  columns,
}: RecordType<string, Table>): PublicColumns<Table> {
  const shown = Object.entries<Column>(columns).filter(([, { facts }]) => facts.isInternal !== true)
  return Object.fromEntries(shown) as unknown as PublicColumns<Table>
}

export function pick<Table extends Members, Name extends keyof StoredOf<Table>>(
  { columns }: RecordType<string, Table>,
  ...names: readonly Name[]
): Pick<StoredOf<Table>, Name> {
  return Object.fromEntries(names.map((name) => [name, columns[name]])) as Pick<StoredOf<Table>, Name>
}

/** Columns of a table with another name than `t`. */
export function ofTable<OwnColumns extends Columns>(table: string, columns: OwnColumns): OwnColumns {
  const named = Object.entries(columns).map(([name, column]) => [name, column.sql(columnOf(table, name))])
  return Object.fromEntries(named) as OwnColumns
}

/** The same columns, with times as ISO 8601: for rows that are shown as they are. */
export function withIsoTimes<OwnColumns extends Columns>(columns: OwnColumns): OwnColumns {
  const all = Object.entries(columns).map(([name, column]) => [
    name,
    column.facts.type === 'time' ? column.iso() : column,
  ])
  return Object.fromEntries(all) as OwnColumns
}

type NullableColumns<OwnColumns extends Columns> = {
  [Name in keyof OwnColumns]: Column<
    OwnColumns[Name]['types']['row'] | null,
    OwnColumns[Name]['types']['shown'] | null
  >
}

/** Columns of a joined table that may have no row. */
export function nullable<OwnColumns extends Columns>(columns: OwnColumns): NullableColumns<OwnColumns> {
  const all = Object.entries(columns).map(([name, column]) => [name, column.nullable()])
  return Object.fromEntries(all) as NullableColumns<OwnColumns>
}

export function defineFields<const OwnColumns extends Columns, Shared = undefined>(
  columns: OwnColumns,
): Fields<RowOf<OwnColumns>, Shared> {
  type Row = RowOf<OwnColumns>
  const entries = Object.entries(columns)
  const names = entries.map(([name]) => name)
  const width = names.length
  const reads = entries.map(([, column]) => partReader(column))
  const readers = readersOf(names, reads)
  const partsOf = (values: Values) => entries.map(([, column], i) => partOf(column, values[i] ?? null))
  const build = (parts: readonly string[], start: number): Row => {
    const object: Record<string, unknown> = {}
    for (let i = 0; i < width; i++) object[names[i] ?? ''] = reads[i]?.(parts[start + i] ?? '')
    return object as Row
  }
  return {
    names,
    columns,
    selectList: join(entries.map(([name, column]) => sql`${valueSql(name, column)} AS ${identifier(name)}`)),
    packed: sql`concat_ws(E'\\x1F', ${join(entries.map(([name, column]) => partSql(column, valueSql(name, column))))})`,
    unpackRows: (list, shared) => {
      if (typeof list !== 'string') return undefined
      const positions = indexParts(list, width)
      if (positions === undefined) return undefined
      const count = (positions.length - 1) / width
      return Array.from({ length: count }, (_, i) => new Packed(readers, list, positions, i * width, shared))
    },
    unpack: (list) => {
      if (typeof list !== 'string') return undefined
      const parts = list.split(SEPARATOR)
      const count = Number(parts[0])
      if (parts.length !== 1 + count * width) return undefined
      return Array.from({ length: count }, (_, i) => build(parts, 1 + i * width))
    },
    rowOf: (values, shared) => {
      const { text, positions } = joinParts(partsOf(values))
      return new Packed(readers, text, positions, 0, shared)
    },
    objectOf: (values) => build(partsOf(values), 0),
  }
}

/** SQL of the value of a column of the table named `t`. */
function valueSql(name: string, { facts }: Column): Sql {
  return facts.sql ?? columnOf('t', name)
}

function readersOf(names: readonly string[], reads: readonly ((part: string) => unknown)[]): Readers {
  return Object.fromEntries(
    names.map((name, i) => {
      const read = reads[i] ?? String
      return [name, (row: Packed<never, never>) => read(row.part(i))]
    }),
  )
}

/** Longer than any response. A text of 512 MiB would be too long for JavaScript. */
const LIST_MAX_BYTES = 64 * 1024 * 1024

/** After the rows of a `packedList`: no list at all if it would be too long. */
export const unlessTooLong = (column: Sql) =>
  sql`HAVING coalesce(sum(octet_length(${column})), 0) <= ${literal(LIST_MAX_BYTES)}`

/** The list that `unpack` reads, from packed rows in a column. */
export const packedList = (column: Sql) => sql`concat_ws(E'\\x1F', count(*), string_agg(${column}, E'\\x1F'))`

export const packedListOfOne = (packed: Sql) => sql`concat_ws(E'\\x1F', 1, ${packed})`

const NO_CURSOR = 'no cursor'

/**
 * A last column after `packedList`: whether the cursor's row exists, in the snapshot of the page. If the page has rows, it
 * does, so PostgreSQL runs the query for an empty page only.
 */
export const cursorColumn = (cursor: Sql | null) =>
  cursor === null
    ? EMPTY
    : sql`, CASE WHEN count(*) > 0 OR EXISTS (${cursor}) THEN '' ELSE ${literal(NO_CURSOR)} END`

/** True for a row without that column, too. */
export const isCursorFound = (row: Values) => row.at(-1) !== NO_CURSOR
