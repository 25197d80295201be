/** The transactions of backups: one reads everything in one snapshot, one fills an empty database or does nothing. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { describeTables, isBackedUp, listTables } from './backup-tables.ts'
import type { BackupTable } from './backup-tables.ts'
import { applyMigration, beginMigrating, listApplied, listMigrations } from './migrate.ts'

export interface Snapshot {
  migrations: string[]
  tables: BackupTable[]
}

/** One snapshot of the whole database, including the schema. */
export async function beginBackup(client: Client): Promise<Snapshot> {
  const before = await listApplied(client)
  if (before === null) throw new Error('there is nothing to back up: the database has never been migrated')
  // The lock only excludes migrations. It comes before the first query, which takes the snapshot.
  await client.query(`
    BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
    SET LOCAL statement_timeout = 0;
    SET LOCAL lock_timeout = 0;
    SET LOCAL idle_in_transaction_session_timeout = 0;
    SET LOCAL enable_seqscan = on;
    LOCK TABLE schema_migrations IN SHARE MODE`)
  const migrations = (await listApplied(client)) ?? []
  await refuseUnknown(migrations, 'the database')
  const tables = await describeTables(client, await listTables(migrations))
  return { migrations, tables: tables.filter(isBackedUp) }
}

/** A later release may have tables and columns that this one does not know. */
async function refuseUnknown(migrations: readonly string[], what: string): Promise<void> {
  const known = new Set(await listMigrations())
  const unknown = migrations.find((name) => !known.has(name))
  if (unknown === undefined) return
  throw new Error(`${what} has migration ${unknown}, which this release does not know: use a newer release`)
}

/** The rows in COPY's text format, one per line. */
export function copyOut(client: Client, { name, columns }: BackupTable): Readable {
  return client.query(copyTo(`COPY ${name} (${quoteAll(columns)}) TO STDOUT`))
}

/** Prepares an empty database: the schema after these migrations, without rows. */
export async function beginRestore(client: Client, migrations: readonly string[]): Promise<BackupTable[]> {
  await refuseUnknown(migrations, 'the backup')
  const names = await listTables(migrations)
  await beginMigrating(client)
  const applied = (await listApplied(client)) ?? []
  if (applied.length === 0) for (const migration of migrations) await applyMigration(client, migration)
  else await refuseFull(client, applied, migrations)
  await client.query('SET LOCAL lock_timeout = 0')
  const tables = await describeTables(client, names)
  await empty(client, tables)
  return tables
}

async function empty(client: Client, tables: readonly BackupTable[]): Promise<void> {
  const names: string[] = []
  for (const { name } of tables) {
    names.push(name)
    // Schemas before 0006 have triggers. The rows that they would add are in the backup.
    await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`)
  }
  await client.query(`TRUNCATE ${names.join(', ')}`)
}

/** A server that was started on an empty database has already created the schema, which is fine. */
async function refuseFull(client: Client, applied: string[], migrations: readonly string[]): Promise<void> {
  const tables = await listTables(applied.filter((name) => migrations.includes(name)))
  const data = tables.filter((name) => name !== 'schema_migrations')
  // No rows may be added between this check and the end.
  await client.query(`LOCK TABLE ${data.join(', ')} IN ACCESS EXCLUSIVE MODE`)
  for (const name of data) {
    const { rowCount } = await client.query(`SELECT FROM ${name} LIMIT 1`)
    if (rowCount !== 0)
      throw new Error(`the database is not empty: there are rows in ${name}; restore into an empty one`)
  }
  if (applied.join() !== migrations.join()) {
    throw new Error(
      'the database is empty, but its schema is not that of the backup: restore into a database that has never been migrated',
    )
  }
}

/** Frozen: the table was invisible before, so all rows are visible to everyone without a vacuum. */
export async function copyIn(
  client: Client,
  { name, columns }: BackupTable,
  rows: AsyncIterable<Buffer>,
): Promise<number> {
  const target = client.query(copyFrom(`COPY ${name} (${quoteAll(columns)}) FROM STDIN (FREEZE)`))
  await pipeline(Readable.from(rows), target)
  return target.rowCount
}

/** Migrates the restored data to this release and updates the planner's statistics. */
export async function finishRestore(client: Client, tables: readonly BackupTable[]): Promise<void> {
  for (const { name } of tables) await client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`)
  const applied = new Set(await listApplied(client))
  const missing = (await listMigrations()).filter((name) => !applied.has(name))
  for (const name of missing) await applyMigration(client, name)
  await client.query(`ANALYZE ${(await listTables(await listMigrations())).join(', ')}`)
}

function quoteAll(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ')
}
