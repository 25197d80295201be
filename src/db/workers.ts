/** The workers of a distributed database: whether all of them run, and errors that a lost one causes. */
import { DatabaseError } from 'pg'
import { CompanyLostError } from './lost-companies.ts'
import { sql } from './sql.ts'
import { run } from './statement.ts'
import type { Db } from './statement.ts'

/** Those that do not answer, as host and port. */
export async function findLostWorkers(db: Db): Promise<string[]> {
  const { rows } = await run<{ worker: string }>(
    db,
    sql`SELECT nodename || ':' || nodeport AS worker FROM run_command_on_workers('SELECT 1') WHERE NOT success`,
  )
  return rows.map(({ worker }) => worker)
}

export async function areWorkersUp(db: Db): Promise<boolean> {
  return (await findLostWorkers(db)).length === 0
}

/** The companies whose records are on these workers. */
export async function listCompaniesOn(db: Db, workers: readonly string[]): Promise<string[]> {
  const { rows: companies } = await run<{ id: string }>(db, sql`SELECT id FROM companies`)
  const { rows } = await run<{ id: string }>(
    db,
    sql`SELECT id FROM unnest(${companies.map(({ id }) => id)}::text[]) AS id
        JOIN pg_dist_placement p ON p.shardid = get_shard_id_for_distribution_column('quotes', id)
        JOIN pg_dist_node n USING (groupid)
        WHERE n.nodename || ':' || n.nodeport = ANY (${workers})`,
  )
  return rows.map(({ id }) => id)
}

/**
 * The coordinator reports a failed connection to a worker with 08006 or a similar code, and passes on that a worker shuts down. 08P01 is a
 * protocol error, which a pooler also sends for other reasons.
 */
export function isWorkerLost(error: unknown): boolean {
  if (error instanceof CompanyLostError) return true
  if (!(error instanceof DatabaseError)) return false
  const { code = '', where = '' } = error
  return /^0800\d$/.test(code) || (code.startsWith('57P0') && where.includes('while executing command on'))
}
