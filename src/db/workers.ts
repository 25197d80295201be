/** The workers of a distributed database: whether all of them run, and errors that a lost one causes. */
import { DatabaseError } from 'pg'
import { sql } from './sql.ts'
import { run } from './statement.ts'
import type { Db } from './statement.ts'

export async function areWorkersUp(db: Db): Promise<boolean> {
  const { rows } = await run<{ up: boolean }>(
    db,
    sql`SELECT bool_and(success) AS up FROM run_command_on_workers('SELECT 1')`,
  )
  return rows[0]?.up === true
}

/**
 * The coordinator reports a failed connection to a worker with 08006 or a similar code, and passes on that a worker shuts down. 08P01 is a
 * protocol error, which a pooler also sends for other reasons.
 */
export function isWorkerLost(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false
  const { code = '', where = '' } = error
  return /^0800\d$/.test(code) || (code.startsWith('57P0') && where.includes('while executing command on'))
}
