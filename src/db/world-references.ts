/**
 * Foreign keys of rows that come by the thousand. The server checks them one row after the other, which takes more than
 * half of the time of such an insert; here they are checked as strictly, for all rows at once.
 */
import type { Client } from 'pg'
import { stagedName } from './world-table.ts'
import type { WorldTable } from './world-table.ts'

/** From the catalogue of the database: nobody else makes one. */
interface ForeignKey {
  /** The name of the table that holds the owners. */
  owners: string
  columns: string[]
  /** The owners' columns that these are equal to. */
  keys: string[]
}

/**
 * Inserts staged rows into a table, and fails where one of them refers to a row that is not there. `insert` tells how
 * many rows were new.
 */
export async function insertReferring(
  client: Client,
  table: WorldTable,
  insert: () => Promise<number>,
): Promise<void> {
  if (!(await mayCheckByItself(client, table))) {
    await insert()
    return
  }
  await client.query('SET LOCAL session_replication_role = replica')
  const inserted = await insert()
  await client.query('SET LOCAL session_replication_role TO DEFAULT')
  if (inserted === 0) return
  for (const key of await findForeignKeys(client, table)) await checkForeignKey(client, table, key)
}

/** Not every role may turn the server's checks off. Triggers that an operator added would not run either. */
async function mayCheckByItself(client: Client, { name }: WorldTable): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    `SELECT has_parameter_privilege('session_replication_role', 'SET') AND NOT EXISTS (
       SELECT FROM pg_trigger WHERE tgrelid = $1::regclass AND NOT tgisinternal AND tgtype & 4 <> 0) AS may`,
    [name],
  )
  return rows[0]?.may === true
}

const columnNames = (table: 'conrelid' | 'confrelid', columns: 'conkey' | 'confkey') => `
  (SELECT array_agg(quote_ident(a.attname) ORDER BY k.place)
   FROM unnest(c.${columns}) WITH ORDINALITY k (number, place)
   JOIN pg_attribute a ON a.attrelid = c.${table} AND a.attnum = k.number)`

async function findForeignKeys(client: Client, { name }: WorldTable): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `SELECT c.confrelid::regclass::text AS owners, ${columnNames('conrelid', 'conkey')} AS columns,
       ${columnNames('confrelid', 'confkey')} AS keys
     FROM pg_constraint c WHERE c.conrelid = $1::regclass AND c.contype = 'f'`,
    [name],
  )
  return rows
}

/**
 * Owners count that are locked, as by the server, so that none goes away before the import ends; and those that this
 * transaction made or replaced itself, which nobody else can remove.
 */
async function checkForeignKey(
  client: Client,
  table: WorldTable,
  { owners, columns, keys }: ForeignKey,
): Promise<void> {
  const staged = stagedName(table)
  const isOwner = keys.map((key, i) => `o.${key} = s.${columns[i]}`).join(' AND ')
  const refers = columns.map((column) => `s.${column} IS NOT NULL`).join(' AND ')
  // Counted, not asked whether there is one: for that, the planner would look each of them up.
  const { rows } = await client.query<{ missing: string }>(`
    WITH locked AS MATERIALIZED (
      SELECT ${keys.join(', ')} FROM ${owners} o
      WHERE o.xmin <> pg_current_xact_id()::xid AND EXISTS (SELECT FROM ${staged} s WHERE ${isOwner})
      FOR KEY SHARE OF o)
    SELECT count(*) AS missing FROM ${staged} s
    WHERE ${refers} AND NOT EXISTS (SELECT FROM locked o WHERE ${isOwner}) AND NOT EXISTS (
      SELECT FROM ${owners} o WHERE o.xmin = pg_current_xact_id()::xid AND ${isOwner})`)
  if (rows[0]?.missing !== '0')
    throw new Error(`what rows of ${table.name} belong to was removed meanwhile, nothing was imported`)
}
