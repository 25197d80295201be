/** Distributes the tables over the servers of Citus, by company. Tables that are distributed already stay as they are. */
import { describeTables } from './backup-tables.ts'
import { withClient } from './connect.ts'
import type { Connection } from './connect.ts'
import { beginMigrating } from './migrate.ts'
import { identifier, sql } from './sql.ts'
import { run } from './statement.ts'
import type { Db } from './statement.ts'
import { FIRST_DISTRIBUTED, PLACEMENTS } from './table-placement.ts'
import type { Placement } from './table-placement.ts'

export interface Distribution {
  workers: number
  /** The tables that this run distributed. */
  distributed: string[]
  /** The foreign keys that it removed. */
  removed: string[]
  /** All tables that stay on the coordinator. */
  local: string[]
}

/** The tables must be migrated, and nothing else may use them. */
export async function distribute(connection: Connection): Promise<Distribution> {
  return withClient(connection, async (client) => {
    const workers = await countWorkers(client)
    await beginMigrating(client)
    // Not in parallel: a table and those that refer to it are created in one transaction.
    await run(
      client,
      sql`
      SET LOCAL client_min_messages = warning;
      SET LOCAL citus.multi_shard_modify_mode = 'sequential'`,
    )
    await shareFunctions(client)
    const distributed = await findUndistributed(client)
    const removed = await removeForeignKeys(client, distributed)
    for (const name of distributed) await distributeTable(client, name)
    await addTwoPhaseCommit(client)
    await run(client, sql`COMMIT`)
    // Of all of them: an earlier run may have been stopped before this.
    for (const name of tablesOf('distributed')) await removeLocalRows(client, name)
    await setOnWorkers(client)
    return { workers, distributed, removed, local: tablesOf('local') }
  })
}

async function countWorkers(client: Db): Promise<number> {
  const extension = await run(client, sql`SELECT 1 FROM pg_extension WHERE extname = 'citus'`)
  if (extension.rowCount === 0)
    throw new Error(
      'the database does not have the extension citus: install Citus on every server, and run CREATE EXTENSION citus in this database on each of them (docs/citus.md)',
    )
  const { rows } = await run<{ isCoordinator: boolean }>(
    client,
    sql`SELECT groupid = 0 AS "isCoordinator" FROM pg_dist_node WHERE isactive AND (groupid = 0 OR shouldhaveshards)`,
  )
  const workers = rows.filter(({ isCoordinator }) => !isCoordinator).length
  if (workers === 0)
    throw new Error(
      "Citus has no workers: run SELECT citus_add_node('worker-1', 5432) for each of them on the coordinator (docs/citus.md)",
    )
  if (workers === rows.length)
    throw new Error(
      "the workers do not know the coordinator: run SELECT citus_set_coordinator_host('coordinator', 5432) on it (docs/citus.md)",
    )
  return workers
}

const tablesOf = (placement: Placement) =>
  Object.keys(PLACEMENTS).filter((name) => PLACEMENTS[name] === placement)

/** Owners first, but the table that all others are stored beside before them. */
async function findUndistributed(client: Db): Promise<string[]> {
  const tables = await describeTables(client, Object.keys(PLACEMENTS))
  const { rows } = await run<{ name: string }>(
    client,
    sql`SELECT c.relname AS name FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid`,
  )
  const known = new Set(rows.map(({ name }) => name))
  const names = tables
    .map(({ name }) => name)
    .filter((name) => PLACEMENTS[name] === 'distributed' && !known.has(name))
  return names.toSorted((a, b) => Number(b === FIRST_DISTRIBUTED) - Number(a === FIRST_DISTRIBUTED))
}

/** A distributed table cannot have a foreign key to one that is only on the coordinator. Rows of those are never deleted alone. */
async function removeForeignKeys(client: Db, tables: readonly string[]): Promise<string[]> {
  const { rows } = await run<{ table: string; name: string }>(
    client,
    sql`SELECT t.relname AS table, f.conname AS name
     FROM pg_constraint f JOIN pg_class t ON t.oid = f.conrelid JOIN pg_class o ON o.oid = f.confrelid
     WHERE f.contype = 'f' AND t.relname = ANY(${tables}) AND o.relname = ANY(${tablesOf('local')})
     ORDER BY 1, 2`,
  )
  for (const { table, name } of rows)
    await run(client, sql`ALTER TABLE ${identifier(table)} DROP CONSTRAINT ${identifier(name)}`)
  return rows.map(({ name }) => name)
}

async function distributeTable(client: Db, name: string): Promise<void> {
  const beside = name === FIRST_DISTRIBUTED ? 'none' : FIRST_DISTRIBUTED
  await run(client, sql`SELECT create_distributed_table(${name}, 'company_id', colocate_with => ${beside})`)
}

/** An empty table on the coordinator that Citus manages (transaction.ts). */
async function addTwoPhaseCommit(client: Db): Promise<void> {
  await run(client, sql`CREATE TABLE IF NOT EXISTS two_phase_commit (id integer)`)
  await run(
    client,
    sql`
    SELECT citus_add_local_table_to_metadata('two_phase_commit') WHERE NOT EXISTS (
      SELECT 1 FROM pg_dist_partition WHERE logicalrelid = 'two_phase_commit'::regclass)`,
  )
}

/** The functions of the migrations, which statements call on the workers. */
async function shareFunctions(client: Db): Promise<void> {
  await run(
    client,
    sql`
    SELECT create_distributed_function(p.oid::regprocedure) FROM pg_proc p
    WHERE p.pronamespace = current_schema()::regnamespace AND p.prokind = 'f' AND NOT EXISTS (
      SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
    AND NOT EXISTS (
      SELECT 1 FROM pg_dist_object o WHERE o.classid = 'pg_proc'::regclass AND o.objid = p.oid)`,
  )
}

/** The rows that the coordinator had before, which nothing reads any more. */
async function removeLocalRows(client: Db, name: string): Promise<void> {
  await run(client, sql`SELECT truncate_local_data_after_distributing_table(${name})`)
}

/** The settings of the connections of the service (connect.ts), which the workers do not get from it. */
const SETTINGS = [
  "timezone = 'UTC'",
  "datestyle = 'ISO'",
  'jit = off',
  'enable_seqscan = off',
  'enable_bitmapscan = off',
]

async function setOnWorkers(client: Db): Promise<void> {
  for (const setting of SETTINGS) {
    // A worker accepts it from the coordinator only as a statement that is not passed on.
    const { rows } = await run<{ result: string }>(
      client,
      sql`
      SELECT result FROM run_command_on_workers(format(
        'SET citus.enable_ddl_propagation = off; ALTER DATABASE %I SET %s', current_database(), ${setting}::text))
      WHERE NOT success`,
    )
    const [failed] = rows
    if (failed !== undefined)
      throw new Error(`a worker did not take the setting ${setting}: ${failed.result}`)
  }
}
