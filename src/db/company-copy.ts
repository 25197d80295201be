/** Copies the rows of a company to another database, and removes them, table by table as the catalog describes them. */
import { pipeline } from 'node:stream/promises'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { describeTables, listTables } from './backup-tables.ts'
import type { BackupTable } from './backup-tables.ts'
import { listApplied, listMigrations } from './migrate.ts'
import { identifier, identifiers, literal, sql } from './sql.ts'
import type { Sql } from './sql.ts'
import { copy, run } from './statement.ts'
import type { Db } from './statement.ts'

/** People sign in again, as after a restore: a session that was ended meanwhile must not come back. */
const NOT_COPIED = new Set(['sessions'])

/** The tables with rows of companies, each after its owners. The schema must be that of this release. */
export async function listCompanyTables(client: Db): Promise<BackupTable[]> {
  const [applied, known] = [await listApplied(client), await listMigrations()]
  if (applied?.join() !== known.join())
    throw new Error('the schema of a cell is not that of this release; run "quoting migrate" in every cell')
  const tables = await describeTables(client, await listTables(known))
  return tables.filter((table) => companyColumn(table) !== null)
}

function companyColumn({ name, columns }: BackupTable): string | null {
  if (name === 'companies') return 'id'
  return columns.includes('company_id') ? 'company_id' : null
}

function ofCompany(table: BackupTable, companyId: string): Sql {
  // COPY takes no parameters.
  return sql`${identifier(companyColumn(table) ?? '')} = ${literal(companyId)}`
}

/** Returns the number of rows. Both clients are inside a transaction. */
export async function copyCompany(
  source: Db,
  target: Db,
  tables: readonly BackupTable[],
  companyId: string,
): Promise<number> {
  let rows = 0
  for (const table of tables) {
    if (NOT_COPIED.has(table.name)) continue
    const [name, columns] = [identifier(table.name), identifiers(table.columns)]
    const output = copy(
      source,
      copyTo,
      sql`COPY (SELECT ${columns} FROM ${name} WHERE ${ofCompany(table, companyId)}) TO STDOUT`,
    )
    const input = copy(target, copyFrom, sql`COPY ${name} (${columns}) FROM STDIN`)
    await pipeline(output, input)
    rows += input.rowCount
  }
  return rows
}

/** Inside a transaction. Returns the number of rows. */
export async function removeCompany(
  client: Db,
  tables: readonly BackupTable[],
  companyId: string,
): Promise<number> {
  let rows = 0
  for (const table of tables.toReversed()) {
    const removed = await run(
      client,
      sql`DELETE FROM ${identifier(table.name)} WHERE ${ofCompany(table, companyId)}`,
    )
    rows += removed.rowCount ?? 0
  }
  return rows
}
