/** Reads a world in bounded memory, in the order of an export, and finds the references in it that lead nowhere. */
import type { Client } from 'pg'
import type { WorldTable } from './world-table.ts'

/** Rows as arrays of columns; fewer than asked for when there are no more. */
export type Fetch = (count: number) => Promise<unknown[][]>

/** Opens a query inside a transaction. The name tells cursors apart. */
async function openCursor(client: Client, name: string, query: string): Promise<Fetch> {
  await client.query(`DECLARE ${name} NO SCROLL CURSOR FOR ${query}`)
  return async (count: number) => {
    const { rows } = await client.query<unknown[]>({
      text: `FETCH FORWARD ${count} FROM ${name}`,
      rowMode: 'array',
    })
    return rows
  }
}

/** The rows of a table by its key, in byte order; after the columns comes the array of the row's children, if any. */
export async function readTable(
  client: Client,
  table: WorldTable,
  columns: readonly string[],
  children: {
    table: WorldTable
    parentColumn: string
    ordinalColumn: string
    columns: readonly string[]
  } | null,
): Promise<Fetch> {
  const selected = columns.map((column) => `t.${column}`)
  if (children !== null) selected.push(selectChildren(children))
  return openCursor(
    client,
    `read_${table.name}`,
    `SELECT ${selected.join(', ')} FROM ${table.name} t ORDER BY ${table.key.map((key) => `t.${key}`).join(', ')}`,
  )
}

function selectChildren(children: {
  table: WorldTable
  parentColumn: string
  ordinalColumn: string
  columns: readonly string[]
}): string {
  const { table, parentColumn, ordinalColumn, columns } = children
  // As text each, which is how the driver gives a column, too.
  const values = columns.map((column) => `c.${column}::text`).join(', ')
  return `(SELECT coalesce(json_agg(json_build_array(${values}) ORDER BY c.${ordinalColumn}), '[]')
    FROM ${table.name} c WHERE c.company_id = t.company_id AND c.${parentColumn} = t.id)`
}

export interface Reference {
  table: WorldTable
  column: string
  /** The column that holds an array of ids, or the place of the row among its siblings. */
  isList: boolean
  /** The column with the id of the record, and with its place in an array, if it has one. */
  idColumn: string
  ordinalColumn: string | null
  target: WorldTable
}

/** Company, record, place in an array (from 0, or null) and value of each reference that resolves to nothing. */
export async function readUnresolved(client: Client, reference: Reference): Promise<Fetch> {
  const { table, column, isList, idColumn, ordinalColumn, target } = reference
  const value = isList ? 'u.value' : `t.${column}`
  const place = isList ? 'u.place - 1' : ordinalColumn === null ? 'NULL' : `t.${ordinalColumn}`
  const values = isList ? `CROSS JOIN unnest(t.${column}) WITH ORDINALITY AS u (value, place)` : ''
  const isTarget = target.key.length === 1 ? 'r.id =' : 'r.company_id = t.company_id AND r.id ='
  return openCursor(
    client,
    `unresolved_${table.name}_${column}`,
    `SELECT t.company_id, t.${idColumn}, ${place}, ${value} FROM ${table.name} t ${values}
     WHERE ${value} IS NOT NULL AND NOT EXISTS (SELECT FROM ${target.name} r WHERE ${isTarget} ${value})
     ORDER BY t.company_id, t.${idColumn}, 3`,
  )
}
