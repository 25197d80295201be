/** Brings the schema up to date: the files of migrations/ in the order of their names, each once, forward only. */
import { readFile, readdir } from 'node:fs/promises'
import type { Client } from 'pg'
import { withClient } from './connect.ts'
import type { Connection } from './connect.ts'

const MIGRATIONS = new URL('../../migrations/', import.meta.url)
/** Any number, the same in every process: it lets one of several that start at once migrate while the others wait. */
const MIGRATION_LOCK = 7_230_518

/** Applies what is missing and returns the names of what it applied. */
export async function migrate(connection: Connection): Promise<string[]> {
  const names = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).toSorted()
  return withClient(connection, async (client) => {
    const applied: string[] = []
    for (const name of await unknownTo(client, names)) if (await applyOnce(client, name)) applied.push(name)
    return applied
  })
}

/** The migrations that this database does not have yet. */
async function unknownTo(client: Client, names: string[]): Promise<string[]> {
  const table = await client.query<{ exists: boolean }>(
    `SELECT to_regclass('schema_migrations') IS NOT NULL AS exists`,
  )
  if (table.rows[0]?.exists !== true) return names
  const applied = await client.query<{ name: string }>('SELECT name FROM schema_migrations')
  const known = new Set(applied.rows.map((row) => row.name))
  return names.filter((name) => !known.has(name))
}

/** False where another process did it while this one waited. The lock ends with the transaction: a pooler keeps no more. */
async function applyOnce(client: Client, name: string): Promise<boolean> {
  // Settings of the role that are meant for requests do not hold for this.
  await client.query(`
    BEGIN ISOLATION LEVEL READ COMMITTED;
    SET LOCAL statement_timeout = 0;
    SET LOCAL enable_seqscan = on;
    SET LOCAL enable_bitmapscan = on`)
  await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
  await client.query(
    `CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`,
  )
  const isMissing = (await unknownTo(client, [name])).length === 1
  if (isMissing) await apply(client, name)
  await client.query('COMMIT')
  return isMissing
}

async function apply(client: Client, name: string): Promise<void> {
  const sql = await readFile(new URL(name, MIGRATIONS), 'utf8')
  try {
    await client.query(sql)
    await client.query('INSERT INTO schema_migrations (name) VALUES ($1)', [name])
  } catch (error) {
    throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error })
  }
}
