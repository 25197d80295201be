/** The transactions of backups: one reads everything in one snapshot, one fills an empty database or does nothing. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { describeTables, isBackedUp, listTables } from './backup-tables.ts'
import type { BackupTable } from './backup-tables.ts'
import { applyMigration, beginMigrating, listApplied, listMigrations } from './migrate.ts'
import { putAside } from './put-aside.ts'
import { identifier, identifiers, sql } from './sql.ts'
import { copy, run } from './statement.ts'
import type { Db } from './statement.ts'

export interface Snapshot {
  migrations: string[]
  tables: BackupTable[]
}

/** One snapshot of the whole database, including the schema. */
export async function beginBackup(client: Db): Promise<Snapshot> {
  const before = await listApplied(client)
  if (before === null) throw new Error('there is nothing to back up: the database has never been migrated')
  // The lock only excludes migrations. It comes before the first query, which takes the snapshot.
  await run(
    client,
    sql`
    BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
    SET LOCAL statement_timeout = 0;
    SET LOCAL lock_timeout = 0;
    SET LOCAL idle_in_transaction_session_timeout = 0;
    SET LOCAL enable_seqscan = on;
    LOCK TABLE schema_migrations IN SHARE MODE`,
  )
  const migrations = (await listApplied(client)) ?? []
  await refuseUnknown(migrations, 'the database')
  const tables = await describeTables(client, await listTables(migrations))
  return { migrations, tables: tables.filter(({ name }) => isBackedUp(name)) }
}

/** A later release may have tables and columns that this one does not know. */
export async function refuseUnknown(migrations: readonly string[], what: string): Promise<void> {
  const known = new Set(await listMigrations())
  const unknown = migrations.find((name) => !known.has(name))
  if (unknown === undefined) return
  throw new Error(`${what} has migration ${unknown}, which this release does not know: use a newer release`)
}

/** The rows in COPY's text format, one per line. */
export function copyOut(client: Db, { name, columns }: BackupTable): Readable {
  return copy(client, copyTo, sql`COPY ${identifier(name)} (${identifiers(columns)}) TO STDOUT`)
}

/** Prepares an empty database: the schema after these migrations, without rows. With `aside`, existing data is kept there. */
export async function beginRestore(
  client: Db,
  migrations: readonly string[],
  aside: string | undefined,
): Promise<BackupTable[]> {
  await refuseUnknown(migrations, 'the backup')
  const names = await listTables(migrations)
  await beginMigrating(client)
  if (aside !== undefined) await putAside(client, aside)
  const applied = (await listApplied(client)) ?? []
  if (applied.length === 0) for (const migration of migrations) await applyMigration(client, migration)
  else await refuseFull(client, applied, migrations)
  await run(client, sql`SET LOCAL lock_timeout = 0`)
  const tables = await describeTables(client, names)
  await empty(client, tables)
  return tables
}

async function empty(client: Db, tables: readonly BackupTable[]): Promise<void> {
  const names: string[] = []
  for (const { name } of tables) {
    names.push(name)
    // Schemas before 0006 have triggers. The rows that they would add are in the backup.
    await run(client, sql`ALTER TABLE ${identifier(name)} DISABLE TRIGGER USER`)
  }
  await run(client, sql`TRUNCATE ${identifiers(names)}`)
}

/** A server that was started on an empty database has already created the schema, which is fine. */
async function refuseFull(client: Db, applied: string[], migrations: readonly string[]): Promise<void> {
  const tables = await listTables(applied.filter((name) => migrations.includes(name)))
  const data = tables.filter((name) => name !== 'schema_migrations')
  // No rows may be added between this check and the end.
  await run(client, sql`LOCK TABLE ${identifiers(data)} IN ACCESS EXCLUSIVE MODE`)
  // A server that runs on the empty database has printed one. It ends with the restore.
  if (data.includes('setup_links')) await run(client, sql`DELETE FROM setup_links`)
  for (const name of data) {
    const { rowCount } = await run(client, sql`SELECT 1 FROM ${identifier(name)} LIMIT 1`)
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
  client: Db,
  { name, columns }: BackupTable,
  rows: AsyncIterable<Buffer>,
): Promise<number> {
  const target = copy(
    client,
    copyFrom,
    sql`COPY ${identifier(name)} (${identifiers(columns)}) FROM STDIN (FREEZE)`,
  )
  await pipeline(Readable.from(rows), target)
  return target.rowCount
}

/** Migrates the restored data to this release, unless it keeps its schema, and updates the planner's statistics. */
export async function finishRestore(
  client: Db,
  tables: readonly BackupTable[],
  keepSchema: boolean,
): Promise<void> {
  for (const { name } of tables) await run(client, sql`ALTER TABLE ${identifier(name)} ENABLE TRIGGER USER`)
  const applied = (await listApplied(client)) ?? []
  const missing = keepSchema ? [] : (await listMigrations()).filter((name) => !applied.includes(name))
  for (const name of missing) await applyMigration(client, name)
  await run(client, sql`ANALYZE ${identifiers(await listTables([...applied, ...missing]))}`)
}
