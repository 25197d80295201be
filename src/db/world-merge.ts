/** Brings the staged rows of an import into the tables. Takes row locks only: a running server is never kept waiting. */
import type { Client } from 'pg'
import { sameColumns, stagedName } from './world-table.ts'
import type { WorldTable } from './world-table.ts'

/**
 * Replaces the rows that are there already, leaving alone those that would not change, and inserts the others. Two
 * statements take three quarters of the time of one with ON CONFLICT, and the first can tell a column that is absent
 * from one that is not. Nobody else makes rows with ids of their choice, but imports, which wait for each other.
 */
export async function mergeRows(client: Client, table: WorldTable): Promise<void> {
  const staged = stagedName(table)
  const isSame = sameColumns('t', 's', table.key)
  const isKept = (column: string) => table.keptWhenAbsent.includes(column)
  const others = table.columns.filter((column) => !table.key.includes(column))
  const replacements = others.map((column) =>
    isKept(column) ? `coalesce(s.${column}, t.${column})` : `s.${column}`,
  )
  await client.query(`
    UPDATE ${table.name} t SET (${others.join(', ')}) = ROW (${replacements.join(', ')})
    FROM ${staged} s
    WHERE ${isSame} AND (${others.map((column) => `t.${column}`).join(', ')})
      IS DISTINCT FROM (${replacements.join(', ')})`)
  const values = table.columns.map((column) =>
    isKept(column) ? `coalesce(s.${column}, now())` : `s.${column}`,
  )
  await client.query(`
    INSERT INTO ${table.name} (${table.columns.join(', ')})
    SELECT ${values.join(', ')} FROM ${staged} s
    WHERE NOT EXISTS (SELECT FROM ${table.name} t WHERE ${isSame})`)
}

/** Removes the stored children of the staged parents that are not staged themselves. */
export async function removeLeftChildren(
  client: Client,
  parent: WorldTable,
  children: { table: WorldTable; parentColumn: string; areStaged: boolean },
): Promise<void> {
  const { table, parentColumn, areStaged } = children
  const stays = areStaged
    ? `EXISTS (SELECT FROM ${stagedName(table)} s WHERE ${sameColumns('s', 'c', table.key)})`
    : 'false'
  await client.query(`
    DELETE FROM ${table.name} c USING ${stagedName(parent)} p
    WHERE c.company_id = p.company_id AND c.${parentColumn} = p.id AND NOT ${stays}`)
}

/**
 * Frees the hashes of keys that get another one, so that two records may change theirs with each other: the index on
 * them is checked row by row.
 */
export async function setHashesAside(client: Client, table: WorldTable, column: string): Promise<void> {
  await client.query(`
    UPDATE ${table.name} t SET ${column} = replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
    FROM ${stagedName(table)} s
    WHERE ${sameColumns('t', 's', table.key)} AND t.${column} <> s.${column}`)
}

/**
 * Rough statistics of the columns that queries look for, so that the plans are good at once; the server makes fine ones
 * of all columns in its own time. A table that is being vacuumed gets them from that.
 */
export async function analyzeTables(
  client: Client,
  tables: readonly { table: WorldTable; columns: readonly string[] }[],
): Promise<void> {
  if (tables.length === 0) return
  const lists = tables.map(({ table, columns }) => `${table.name} (${columns.join(', ')})`)
  await client.query('SET default_statistics_target = 30')
  await client.query(`ANALYZE (SKIP_LOCKED) ${lists.join(', ')}`)
}
