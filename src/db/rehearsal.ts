/** Migrations on a scratch database: what they need, and the earlier schema as statements of this release expect it. */
import { isBackedUp } from './backup-tables.ts'
import { withClient } from './connect.ts'
import type { Connection } from './connect.ts'
import { applyMigration, beginMigrating, listMigrations } from './migrate.ts'
import { identifier, join, sql, trustedSql } from './sql.ts'
import { run } from './statement.ts'
import type { Db } from './statement.ts'

interface Column {
  name: string
  type: string
  /** The default, as an expression. */
  value: string
}

/** The columns of each table. */
export type SchemaColumns = ReadonlyMap<string, readonly Column[]>

export async function describeColumns(client: Db): Promise<SchemaColumns> {
  const { rows } = await run<{ table: string; columns: Column[] }>(
    client,
    // Generated columns follow from others, by functions that an earlier schema can lack.
    sql`SELECT c.relname AS table, json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
        'value', CASE a.attgenerated WHEN '' THEN coalesce(pg_get_expr(d.adbin, d.adrelid), 'NULL') ELSE 'NULL' END)
        ORDER BY a.attnum) AS columns
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' GROUP BY c.relname ORDER BY c.relname`,
  )
  return new Map(rows.map(({ table, columns }) => [table, columns]))
}

/** The columns of this release. Needs an empty database, and leaves it empty. */
export async function describeRelease(connection: Connection): Promise<SchemaColumns> {
  return withClient(connection, async (client) => {
    await beginMigrating(client)
    try {
      for (const name of await listMigrations()) await applyMigration(client, name)
      return await describeColumns(client)
    } finally {
      await run(client, sql`ROLLBACK`)
    }
  })
}

const VIEWS = sql`as_this_release`

/**
 * Adds views with the columns that only this release has, filled with their defaults, and finds them before the tables. So the
 * statements of this release run on an earlier schema. Returns a function that removes them.
 */
export async function addMissingColumns(
  connection: Connection,
  release: SchemaColumns,
): Promise<() => Promise<void>> {
  const database = await withClient(connection, async (client) => {
    const found = await describeColumns(client)
    const { rows } = await run<{ database: string; schema: string }>(
      client,
      sql`SELECT current_database() AS database, current_schema() AS schema`,
    )
    const { database: current = '', schema = '' } = rows[0] ?? {}
    await run(client, sql`CREATE SCHEMA ${VIEWS}`)
    for (const [table, columns] of release) {
      const existing = found.get(table)?.map(({ name }) => name)
      const missing = columns.filter(({ name }) => existing?.includes(name) !== true)
      if (missing.length === 0) continue
      const added = missing.map(
        ({ name, type, value }) => sql`(${trustedSql(value)})::${trustedSql(type)} AS ${identifier(name)}`,
      )
      const source = sql`${identifier(schema)}.${identifier(table)}`
      const select =
        existing === undefined
          ? sql`SELECT ${join(added)} WHERE false`
          : sql`SELECT t.*, ${join(added)} FROM ${source} t`
      await run(client, sql`CREATE VIEW ${VIEWS}.${identifier(table)} AS ${select}`)
    }
    await run(
      client,
      sql`ALTER DATABASE ${identifier(current)} SET search_path = ${VIEWS}, ${identifier(schema)}`,
    )
    return current
  })
  return () =>
    withClient(connection, async (client) => {
      await run(client, sql`ALTER DATABASE ${identifier(database)} RESET search_path`)
      await run(client, sql`DROP SCHEMA ${VIEWS} CASCADE`)
    })
}

export interface MeasuredMigration {
  name: string
  durationMs: number
  /** The strongest lock on each table that existed before, strongest first. */
  locks: { table: string; mode: string }[]
}

/** Weakest first. */
const LOCK_MODES = [
  'AccessShareLock',
  'RowShareLock',
  'RowExclusiveLock',
  'ShareUpdateExclusiveLock',
  'ShareLock',
  'ShareRowExclusiveLock',
  'ExclusiveLock',
  'AccessExclusiveLock',
]

/** A transaction holds its locks until it ends, so they are read right before the commit. */
export async function applyMeasured(client: Db, name: string): Promise<MeasuredMigration> {
  const tables = [...(await describeColumns(client)).keys()].filter((table) => table !== 'schema_migrations')
  await beginMigrating(client)
  const started = performance.now()
  await applyMigration(client, name)
  const { rows } = await run<{ table: string; mode: string }>(
    client,
    sql`SELECT DISTINCT ON (c.relname) c.relname AS table, l.mode FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
      WHERE l.pid = pg_backend_pid() AND l.locktype = 'relation' AND c.relnamespace = current_schema()::regnamespace
        AND c.relname = ANY(${tables}::text[])
      ORDER BY c.relname, array_position(${LOCK_MODES}::text[], l.mode) DESC`,
  )
  await run(client, sql`COMMIT`)
  const durationMs = performance.now() - started
  const strength = ({ mode }: { mode: string }) => LOCK_MODES.indexOf(mode)
  return { name, durationMs, locks: rows.toSorted((a, b) => strength(b) - strength(a)) }
}

/** Of the tables that backups contain. */
export async function countRows(
  client: Db,
  tables: Iterable<string>,
): Promise<{ table: string; rows: number }[]> {
  const counts: { table: string; rows: number }[] = []
  for (const table of tables) {
    if (!isBackedUp(table) || table === 'schema_migrations') continue
    const { rows } = await run<{ count: string }>(client, sql`SELECT count(*) FROM ${identifier(table)}`)
    counts.push({ table, rows: Number(rows[0]?.count) })
  }
  return counts
}

/** The definition of each index, by name. */
export async function listIndexes(client: Db): Promise<Map<string, string>> {
  const { rows } = await run<{ name: string; definition: string }>(
    client,
    sql`SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE schemaname = current_schema()`,
  )
  return new Map(rows.map(({ name, definition }) => [name, definition]))
}
