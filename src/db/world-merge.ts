/** Brings the staged rows of an import into the tables. Takes row locks only: a running server is never kept waiting. */
import type { Client } from 'pg'
import { sameColumns, stagedName } from './world-table.ts'
import type { WorldTable } from './world-table.ts'

/**
 * Inserts or replaces. The stored row is joined for what it keeps, because `excluded` cannot tell "said nothing" from a
 * value; and a row that would not change is left alone.
 */
export async function mergeRows(client: Client, table: WorldTable): Promise<void> {
  const values = table.columns.map((column) =>
    table.keptWhenAbsent.includes(column) ? `coalesce(s.${column}, t.${column}, now())` : `s.${column}`,
  )
  const changes = table.columns
    .filter((column) => !table.key.includes(column))
    .map((column) => `${column} = excluded.${column}`)
  await client.query(`
    INSERT INTO ${table.name} AS stored (${table.columns.join(', ')})
    SELECT ${values.join(', ')}
    FROM ${stagedName(table)} s LEFT JOIN ${table.name} t ON ${sameColumns('t', 's', table.key)}
    ON CONFLICT (${table.key.join(', ')}) DO UPDATE SET ${changes.join(', ')}
    WHERE stored.* IS DISTINCT FROM excluded.*`)
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

/** Fresh statistics, so that the plans are good at once. A table that is being vacuumed gets them from that. */
export async function analyzeTables(client: Client, tables: readonly WorldTable[]): Promise<void> {
  if (tables.length === 0) return
  await client.query(`ANALYZE (SKIP_LOCKED) ${tables.map((table) => table.name).join(', ')}`)
}
