/** Databases with an earlier schema, and descriptions of schemas as text. */
import type { Pool } from 'pg'
import { withClient } from '../../src/db/connect.ts'
import type { Connection } from '../../src/db/connect.ts'
import { applyMigration, beginMigrating } from '../../src/db/migrate.ts'
import { createDatabase } from './database.ts'
import type { TestDatabase } from './database.ts'

/** An empty database, without any migration. */
export async function createBareDatabase(): Promise<TestDatabase> {
  const database = await createDatabase()
  await database.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  return database
}

/** A database with these migrations only. */
export async function createDatabaseAt(migrations: readonly string[]): Promise<TestDatabase> {
  const database = await createBareDatabase()
  await applyMigrations(database.connection, migrations)
  return database
}

/** Applies these migrations to an empty database. */
export async function applyMigrations(connection: Connection, migrations: readonly string[]): Promise<void> {
  await withClient(connection, async (client) => {
    await beginMigrating(client)
    for (const migration of migrations) await applyMigration(client, migration)
    await client.query('COMMIT')
  })
}

/** One line for each column, index, constraint, function and trigger. Equal lines mean equal schemas. */
export async function describeSchema(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(`
    SELECT format('column %s.%s %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
      pg_get_expr(d.adbin, d.adrelid)) AS line
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'v', 'm', 'S')
    UNION ALL SELECT 'index ' || indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT 'function ' || pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT format('trigger %s %s', t.tgenabled, pg_get_triggerdef(t.oid)) FROM pg_trigger t
      JOIN pg_class c ON c.oid = t.tgrelid
      WHERE NOT t.tgisinternal AND c.relnamespace = 'public'::regnamespace
    ORDER BY 1`)
  return rows.map(({ line }) => line)
}

/** Every row of every table, as text, in a fixed order. With `known`, only these columns of these tables. */
export async function readAllRows(
  pool: Pool,
  known?: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<Record<string, string[]>> {
  const tables = await pool.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
  )
  const all: Record<string, string[]> = {}
  for (const { name } of tables.rows) {
    if (known?.has(name) === false) continue
    const columns = known === undefined ? '*' : [...(known.get(name) ?? [])].join()
    const { rows } = await pool.query<{ line: string }>(
      `SELECT t::text AS line FROM (SELECT ${columns} FROM ${name}) t ORDER BY 1`,
    )
    all[name] = rows.map(({ line }) => line)
  }
  return all
}
