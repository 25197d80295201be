/** Moves all data of the database to another schema, so that a backup can take its place and nothing is lost. */
import { createMigrationsTable } from './migrate.ts'
import { identifier, identifiers, sql } from './sql.ts'
import { run } from './statement.ts'
import type { Db } from './statement.ts'

/** Inside the transaction of the restore: both happen or none. Throws if other processes use the database. */
export async function putAside(client: Db, aside: string): Promise<void> {
  const others = await countOthers(client)
  if (others > 0)
    throw new Error(`${others} connection(s) of other processes use the database: stop all of them first`)
  const { rows } = await run<{ schema: string; tables: string[] }>(
    client,
    sql`SELECT current_schema() AS schema, array_agg(tablename::text) AS tables FROM pg_tables WHERE schemaname = current_schema()`,
  )
  const { schema = '', tables = [] } = rows[0] ?? {}
  // A process that starts now waits, and then finds the restored tables.
  await run(client, sql`LOCK TABLE ${identifiers(tables)} IN ACCESS EXCLUSIVE MODE NOWAIT`)
  await run(client, sql`ALTER SCHEMA ${identifier(schema)} RENAME TO ${identifier(aside)}`)
  await run(client, sql`CREATE SCHEMA ${identifier(schema)}`)
  await createMigrationsTable(client)
}

/** Connections of other processes of this service to the database. */
export async function countOthers(client: Db): Promise<number> {
  const { rows } = await run<{ count: string }>(
    client,
    sql`SELECT count(*) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'quoting'`,
  )
  return Number(rows[0]?.count)
}
