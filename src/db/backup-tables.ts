/** The tables of a backup: those that migrations create, as the database catalog describes them. */
import { readMigration } from './migrate.ts'
import { sql } from './sql.ts'
import { run } from './statement.ts'
import type { Db } from './statement.ts'

export interface BackupTable {
  name: string
  columns: string[]
}

/** A restore must not revive ended sessions, used links or old sign-in failures. */
const NOT_BACKED_UP: ReadonlySet<string> = new Set([
  'sessions',
  'sign_in_failures',
  'setup_links',
  'invitations',
  'password_resets',
  'mail_secrets',
  'form_limits',
])

export function isBackedUp(name: string): boolean {
  return !NOT_BACKED_UP.has(name)
}

/** The table with the named columns; null if one of them does not exist. */
export function withColumns(table: BackupTable, named: readonly string[]): BackupTable | null {
  const columns = named.flatMap((column) => table.columns.filter((own) => own === column))
  return columns.length === named.length ? { ...table, columns } : null
}

/** The tables that exist after these migrations. Other tables are not ours. */
export async function listTables(migrations: readonly string[]): Promise<string[]> {
  const tables = new Set(['schema_migrations'])
  for (const migration of migrations) {
    for (const [, verb, name = ''] of (await readMigration(migration)).matchAll(
      /^(CREATE|DROP) TABLE (\w+)/gm,
    )) {
      if (verb === 'CREATE') tables.add(name)
      else tables.delete(name)
    }
  }
  return [...tables]
}

/** With their columns, each table after its owners, so that they can be filled in this order. */
export async function describeTables(client: Db, names: readonly string[]): Promise<BackupTable[]> {
  const { rows } = await run<BackupTable & { owners: string[] }>(
    client,
    sql`SELECT t.relname AS name,
       ARRAY(SELECT a.attname::text FROM pg_attribute a
         WHERE a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
         ORDER BY a.attnum) AS columns,
       ARRAY(SELECT o.relname::text FROM pg_constraint f JOIN pg_class o ON o.oid = f.confrelid
         WHERE f.conrelid = t.oid AND f.contype = 'f' AND f.confrelid <> t.oid) AS owners
     FROM pg_class t WHERE t.oid IN (SELECT to_regclass(name) FROM unnest(${names}::text[]) name)
     ORDER BY t.relname`,
  )
  const found = new Set(rows.map(({ name }) => name))
  const missing = names.find((name) => !found.has(name))
  if (missing !== undefined)
    throw new Error(`the database has no table ${missing}, which its migrations create`)
  return ownersFirst(rows).map(({ name, columns }) => ({ name, columns }))
}

function ownersFirst<Table extends { name: string; owners: string[] }>(tables: Table[]): Table[] {
  const ordered: Table[] = []
  const placed = new Set<string>()
  while (ordered.length < tables.length) {
    const next = tables.find(({ name, owners }) => !placed.has(name) && owners.every((o) => placed.has(o)))
    if (next === undefined) throw new Error('the tables belong to each other in a circle')
    ordered.push(next)
    placed.add(next.name)
  }
  return ordered
}
