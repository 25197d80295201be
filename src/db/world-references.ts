/**
 * Foreign keys of many rows. The server checks them row by row, which takes more than half of the time of a large insert.
 * Here they are checked just as strictly, for all rows at once.
 */
import { allOf, identifier, identifiers, sql } from './sql.ts'
import type { Sql } from './sql.ts'
import { run } from './statement.ts'
import type { Db } from './statement.ts'
import { isOnWorkers } from './work-table.ts'
import { column, stagedName } from './world-table.ts'
import type { WorldTable } from './world-table.ts'

/** From the catalog of the database. */
interface ForeignKey {
  /** The table of the owners. */
  owners: string
  columns: string[]
  /** The owners' columns that these refer to. */
  keys: string[]
}

/**
 * Inserts staged rows into a table, and fails if one of them refers to a row that does not exist. `insert` returns the number
 * of new rows.
 */
export async function insertReferring(
  client: Db,
  table: WorldTable,
  insert: () => Promise<number>,
): Promise<void> {
  if (isOnWorkers(client, table.name) || !(await canCheckAtOnce(client, table))) {
    await insert()
    return
  }
  await run(client, sql`SET LOCAL session_replication_role = replica`)
  const inserted = await insert()
  await run(client, sql`SET LOCAL session_replication_role TO DEFAULT`)
  if (inserted === 0) return
  for (const key of await findForeignKeys(client, table)) await checkForeignKey(client, table, key)
}

/** Not every role may turn the server's checks off. Triggers that an operator added would not run either. */
async function canCheckAtOnce(client: Db, { name }: WorldTable): Promise<boolean> {
  const { rows } = await run<{ can: boolean }>(
    client,
    sql`SELECT has_parameter_privilege('session_replication_role', 'SET') AND NOT EXISTS (
       SELECT 1 FROM pg_trigger WHERE tgrelid = ${name}::regclass AND NOT tgisinternal AND tgtype & 4 <> 0) AS can`,
  )
  return rows[0]?.can === true
}

const columnNames = (table: Sql, columns: Sql) => sql`
  (SELECT array_agg(a.attname::text ORDER BY k.ordinal)
   FROM unnest(c.${columns}) WITH ORDINALITY k (number, ordinal)
   JOIN pg_attribute a ON a.attrelid = c.${table} AND a.attnum = k.number)`

async function findForeignKeys(client: Db, { name }: WorldTable): Promise<ForeignKey[]> {
  const { rows } = await run<ForeignKey>(
    client,
    sql`SELECT o.relname AS owners, ${columnNames(sql`conrelid`, sql`conkey`)} AS columns,
       ${columnNames(sql`confrelid`, sql`confkey`)} AS keys
     FROM pg_constraint c JOIN pg_class o ON o.oid = c.confrelid
     WHERE c.conrelid = ${name}::regclass AND c.contype = 'f'`,
  )
  return rows
}

/**
 * Valid owners are those that can be locked, as the server does, so that they stay until the import ends; and those that this
 * transaction itself inserted or replaced, which no other transaction can delete.
 */
async function checkForeignKey(
  client: Db,
  table: WorldTable,
  { owners, columns, keys }: ForeignKey,
): Promise<void> {
  const staged = stagedName(table)
  const owner = identifier(owners)
  const isOwner = allOf(
    keys.map((key, i) => sql`${column(sql`o`, key)} = ${column(sql`s`, columns[i] ?? '')}`),
  )
  const refers = allOf(columns.map((name) => sql`${column(sql`s`, name)} IS NOT NULL`))
  // Counted: for EXISTS, the planner would look up each of them.
  const { rows } = await run<{ missing: string }>(
    client,
    sql`
    WITH locked AS MATERIALIZED (
      SELECT ${identifiers(keys)} FROM ${owner} o
      WHERE o.xmin <> pg_current_xact_id()::xid AND EXISTS (SELECT 1 FROM ${staged} s WHERE ${isOwner})
      FOR KEY SHARE OF o)
    SELECT count(*) AS missing FROM ${staged} s
    WHERE ${refers} AND NOT EXISTS (SELECT 1 FROM locked o WHERE ${isOwner}) AND NOT EXISTS (
      SELECT 1 FROM ${owner} o WHERE o.xmin = pg_current_xact_id()::xid AND ${isOwner})`,
  )
  if (rows[0]?.missing !== '0')
    throw new Error(`an owner of rows in ${table.name} was removed meanwhile, nothing was imported`)
}
