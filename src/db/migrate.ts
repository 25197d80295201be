/** Migrates the schema: applies the files of migrations/ in the order of their names, each once, forward only. */
import { readFile, readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { withClient } from './connect.ts'
import type { Connection } from './connect.ts'
import { isDistributed } from './distributed.ts'
import { splitStatements } from './split-statements.ts'
import { literal, sql, trustedSql } from './sql.ts'
import { run } from './statement.ts'
import type { Db } from './statement.ts'

const MIGRATIONS = new URL('../../migrations/', import.meta.url)
/** An arbitrary lock number: of several processes that start at once, one migrates while the others wait. */
const MIGRATION_LOCK = 7_230_518
/**
 * A statement that waits for a table lock makes all later ones wait too, behind an export for minutes. So the wait is shorter
 * than that of a key lookup (POOLS in connect.ts), and is repeated after a pause.
 */
const LOCK_TIMEOUT_MS = 500
const PAUSE_MS = 2_000
const TRY_FOR_MS = 15 * 60_000
const LOCK_NOT_AVAILABLE = '55P03'

/** Applies the missing migrations and returns their names. */
export async function migrate(
  connection: Connection,
  onWait: (message: string) => void = () => undefined,
): Promise<string[]> {
  const names = await listMigrations()
  return withClient(connection, async (client) => {
    const applied: string[] = []
    for (const name of await unknownTo(client, names))
      if (await applyPatiently(client, name, onWait)) applied.push(name)
    return applied
  })
}

/** The migrations of this release, in order. */
export async function listMigrations(): Promise<string[]> {
  return (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).toSorted()
}

export async function readMigration(name: string): Promise<string> {
  return readFile(new URL(name, MIGRATIONS), 'utf8')
}

/** The applied migrations, or null for a database without any. */
export async function listApplied(client: Db): Promise<string[] | null> {
  const table = await run<{ exists: boolean; isDistributed: boolean }>(
    client,
    sql`SELECT to_regclass('schema_migrations') IS NOT NULL AS exists,
      to_regclass('two_phase_commit') IS NOT NULL AS "isDistributed"`,
  )
  if (table.rows[0]?.isDistributed === true && !isDistributed(client))
    throw new Error('the database is distributed: set DATABASE_DISTRIBUTED=true (docs/citus.md)')
  if (table.rows[0]?.exists !== true) return null
  const applied = await run<{ name: string }>(client, sql`SELECT name FROM schema_migrations`)
  return applied.rows.map((row) => row.name).toSorted()
}

/** Whether the migration was applied in the last 24 hours: processes of the previous release may still run. */
export async function isRecent(client: Db, name: string): Promise<boolean> {
  const { rowCount } = await run(
    client,
    sql`SELECT 1 FROM schema_migrations WHERE name = ${name} AND applied_at > now() - interval '1 day'`,
  )
  return rowCount === 1
}

/** The migrations that this database does not have yet. */
async function unknownTo(client: Db, names: string[]): Promise<string[]> {
  const known = new Set(await listApplied(client))
  return names.filter((name) => !known.has(name))
}

async function applyPatiently(client: Db, name: string, onWait: (message: string) => void): Promise<boolean> {
  const deadline = Date.now() + TRY_FOR_MS
  for (;;) {
    try {
      return await applyOnce(client, name)
    } catch (error) {
      const cause = (error as Error).cause as { code?: string } | undefined
      if (cause?.code !== LOCK_NOT_AVAILABLE || Date.now() > deadline) throw error
      await run(client, sql`ROLLBACK`)
      onWait(`migration ${name} waits for others who use the same tables; trying again`)
      await sleep(PAUSE_MS)
    }
  }
}

/** False if another process applied it meanwhile. */
async function applyOnce(client: Db, name: string): Promise<boolean> {
  await beginMigrating(client)
  const isMissing = (await unknownTo(client, [name])).length === 1
  if (isMissing) await applyMigration(client, name)
  await run(client, sql`COMMIT`)
  return isMissing
}

/** A transaction with the migration lock. The lock ends with it, since a pooler keeps state only within a transaction. */
export async function beginMigrating(client: Db): Promise<void> {
  // Timeouts of the role are meant for requests, not for migrations.
  await run(
    client,
    sql`
    BEGIN ISOLATION LEVEL READ COMMITTED;
    SET LOCAL statement_timeout = 0;
    SET LOCAL lock_timeout = 0;
    SET LOCAL idle_in_transaction_session_timeout = 0;
    SET LOCAL enable_seqscan = on;
    SET LOCAL enable_bitmapscan = on`,
  )
  // A migration reads and changes the same tables. In parallel, Citus would use several connections for that.
  if (isDistributed(client)) await run(client, sql`SET LOCAL citus.multi_shard_modify_mode = 'sequential'`)
  // If this process is killed, the server should notice and release the locks before the statement is done. (Servers on
  // Windows cannot.)
  await run(
    client,
    sql`
    SELECT set_config('client_connection_check_interval', '1s', true) WHERE version() !~* 'visual c|mingw'`,
  )
  await run(client, sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`)
  await createMigrationsTable(client)
}

export async function createMigrationsTable(client: Db): Promise<void> {
  await run(
    client,
    sql`CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`,
  )
}

/** Inside such a transaction. Recording it comes first: that waits for a running backup before any table is locked. */
export async function applyMigration(client: Db, name: string): Promise<void> {
  const text = await readMigration(name)
  try {
    await run(client, sql`SET LOCAL lock_timeout = ${literal(LOCK_TIMEOUT_MS)}`)
    await run(client, sql`INSERT INTO schema_migrations (name) VALUES (${name})`)
    if (!isDistributed(client)) await run(client, trustedSql(text))
    else for (const part of splitStatements(text)) await run(client, trustedSql(part))
  } catch (error) {
    throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error })
  }
}
