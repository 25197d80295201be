/** Reads a world in bounded memory, in the order of an export, and finds references without a record. */
import { identifier, join, literal, sql } from './sql.ts'
import type { Sql } from './sql.ts'
import { run, runArrays } from './statement.ts'
import type { Db } from './statement.ts'
import { isOnWorkers } from './work-table.ts'
import { column } from './world-table.ts'
import type { WorldTable } from './world-table.ts'

/** Rows as arrays of columns. Fewer than `count` at the end. */
export type Fetch = (count: number) => Promise<unknown[][]>

/** Opens a cursor inside a transaction. */
async function openCursor(client: Db, name: string, query: Sql): Promise<Fetch> {
  const cursor = identifier(name)
  await run(client, sql`DECLARE ${cursor} NO SCROLL CURSOR FOR ${query}`)
  return (count: number) => runArrays(client, sql`FETCH FORWARD ${literal(count)} FROM ${cursor}`)
}

interface ChildTable {
  table: WorldTable
  parentColumn: string
  ordinalColumn: string
  columns: readonly string[]
}

const ROW = sql`t`
const CHILD = sql`c`

/** The rows of a table by key, in byte order. The array of a row's children, if any, follows its columns. */
export async function readTable(
  client: Db,
  table: WorldTable,
  columns: readonly string[],
  children: ChildTable | null,
  /** If null, those of all companies. */
  companyId: string | null,
): Promise<Fetch> {
  const selected = columns.map((name) => column(ROW, name))
  if (children !== null) selected.push(selectChildren(children))
  const key = join(table.key.map((name) => column(ROW, name)))
  // A cursor takes no parameters.
  const condition = companyId === null ? sql`` : sql`WHERE ${companyColumn(table)} = ${literal(companyId)}`
  return openCursor(
    client,
    `read_${table.name}`,
    sql`SELECT ${join(selected)} FROM ${identifier(table.name)} t ${condition} ORDER BY ${key}`,
  )
}

/** A company has no company_id. */
const companyColumn = (table: WorldTable) => (table.key.length === 1 ? sql`t.id` : sql`t.company_id`)

function selectChildren({ table, parentColumn, ordinalColumn, columns }: ChildTable): Sql {
  // As text, like the driver returns columns.
  const values = join(columns.map((name) => sql`${column(CHILD, name)}::text`))
  return sql`(
    SELECT coalesce(json_agg(json_build_array(${values}) ORDER BY ${column(CHILD, ordinalColumn)}), '[]')
    FROM ${identifier(table.name)} c WHERE c.company_id = t.company_id AND ${column(CHILD, parentColumn)} = t.id)`
}

export interface Reference {
  table: WorldTable
  column: string
  /** Whether the column holds an array of ids, or of objects with ids. */
  isList: boolean
  /** The member with the id, if the column holds an object or objects. */
  member: string | null
  /** The column with the id of the record. */
  idColumn: string
  /** The column with its index in an array, if it is in one. */
  ordinalColumn: string | null
  target: WorldTable
}

/** Company, record, index in an array (from 0, or null) and value of each reference without a record. */
export async function readUnresolved(client: Db, reference: Reference): Promise<Fetch> {
  const { table, isList, member, ordinalColumn, target } = reference
  const own = column(ROW, reference.column)
  const id = column(ROW, reference.idColumn)
  const holder = isList ? sql`u.value` : own
  const value = member === null ? holder : sql`(${holder} ->> ${literal(member)})`
  const index = isList ? sql`u.number - 1` : ordinalColumn === null ? sql`NULL` : column(ROW, ordinalColumn)
  const elements = member === null ? sql`unnest(${own})` : sql`jsonb_array_elements(${own})`
  const values = isList ? sql`CROSS JOIN ${elements} WITH ORDINALITY AS u (value, number)` : sql``
  const companyId = companyColumn(table)
  const isTarget = target.key.length === 1 ? sql`r.id =` : sql`r.company_id = ${companyId} AND r.id =`
  const referring = sql`SELECT ${companyId}, ${id}, ${index}, ${value} FROM ${identifier(table.name)} t ${values}
     WHERE ${value} IS NOT NULL`
  const name = `unresolved_${table.name}_${reference.column}_${member ?? ''}`
  if (isOnWorkers(client, table.name) !== isOnWorkers(client, target.name))
    return openCursor(client, name, unresolvedAcross(referring, target))
  return openCursor(
    client,
    name,
    sql`${referring}
       AND NOT EXISTS (SELECT 1 FROM ${identifier(target.name)} r WHERE ${isTarget} ${value})
     ORDER BY ${companyId}, ${id}, 3`,
  )
}

/** If Citus stores only one of the two on its workers, both are collected first: it cannot look up each row. */
function unresolvedAcross(referring: Sql, target: WorldTable): Sql {
  const company = target.key.length === 1 ? sql`NULL` : sql`company_id`
  const isSame = target.key.length === 1 ? sql`true` : sql`r.company_id = t.company_id`
  return sql`
    WITH referring (company_id, id, place, value) AS MATERIALIZED (${referring}),
    records (company_id, id) AS MATERIALIZED (SELECT ${company}, id FROM ${identifier(target.name)})
    SELECT t.* FROM referring t LEFT JOIN records r ON ${isSame} AND r.id = t.value
    WHERE r.id IS NULL ORDER BY 1, 2, 3`
}
