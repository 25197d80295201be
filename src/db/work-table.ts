/**
 * Tables that an import fills and joins with stored rows: temporary ones, or on a distributed database real ones beside the rows that they
 * are joined with, because Citus cannot distribute a temporary table. Only one import at a time has them, and they end with it.
 */
import { isDistributed } from './distributed.ts'
import { EMPTY, identifier, identifiers, sql } from './sql.ts'
import type { Sql } from './sql.ts'
import { run } from './statement.ts'
import type { Db } from './statement.ts'
import { FIRST_DISTRIBUTED, PLACEMENTS } from './table-placement.ts'

/** Whether the rows of this table are on the workers. */
export const isOnWorkers = (client: Db, table: string) =>
  isDistributed(client) && PLACEMENTS[table] === 'distributed'

const created = new WeakMap<Db, string[]>()

/** Creates a table for rows that are joined with those of `beside`, with the columns of a query, and without rows. */
export async function createWorkTable(client: Db, name: string, beside: string, query: Sql): Promise<void> {
  const isOnCoordinator = !isOnWorkers(client, beside)
  const kind = isOnCoordinator ? sql`TEMPORARY` : EMPTY
  const end = isOnCoordinator ? sql`ON COMMIT DROP` : EMPTY
  await run(client, sql`CREATE ${kind} TABLE ${identifier(name)} ${end} AS ${query} WITH NO DATA`)
  if (isOnCoordinator) return
  await run(
    client,
    sql`SELECT create_distributed_table(${name}, 'company_id', colocate_with => ${FIRST_DISTRIBUTED})`,
  )
  created.set(client, [...(created.get(client) ?? []), name])
}

/** Creates it with the rows of the query, and returns their number. Without statistics the planner would expect a small table. */
export async function fillWorkTable(client: Db, name: string, beside: string, query: Sql): Promise<number> {
  if (!isOnWorkers(client, beside)) {
    const table = identifier(name)
    const { rowCount } = await run(client, sql`CREATE TEMPORARY TABLE ${table} ON COMMIT DROP AS ${query}`)
    await run(client, sql`ANALYZE ${table}`)
    return rowCount ?? 0
  }
  await createWorkTable(client, name, beside, query)
  const { rowCount } = await run(client, sql`INSERT INTO ${identifier(name)} ${query}`)
  return rowCount ?? 0
}

/** Locks rows on any number of workers, which Citus cannot: there, the import has locked their companies instead (world/import.ts). */
export async function lockRows(client: Db, locking: Sql): Promise<void> {
  if (!isDistributed(client)) await run(client, locking)
}

/** Before the end of the transaction. Temporary tables end with it. */
export async function dropWorkTables(client: Db): Promise<void> {
  const names = created.get(client) ?? []
  if (names.length > 0) await run(client, sql`DROP TABLE ${identifiers(names)}`)
}
