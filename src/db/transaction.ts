/** Runs statements in a transaction. */
import { sql } from './sql.ts'
import { run } from './statement.ts'
import type { Db, DbPool } from './statement.ts'

const BEGIN = {
  /** Each statement sees everything committed before it. */
  write: sql`BEGIN ISOLATION LEVEL READ COMMITTED`,
  /**
   * For actions. Gives up waiting for a row (55P03), which an import may hold for minutes, and so unlocks the company that the
   * import may be waiting for.
   */
  action: sql`BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = 3000`,
  /** All statements see the same snapshot. */
  read: sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`,
  /**
   * The same snapshot, and no overwriting of later changes (40001). Gives up waiting for a lock (55P03) before the server's
   * deadlock detection would end one of the two, which could be an import.
   */
  change: sql`BEGIN ISOLATION LEVEL REPEATABLE READ; SET LOCAL lock_timeout = 900`,
}

const COMMIT = sql`COMMIT`
const ROLLBACK = sql`ROLLBACK`

type Work<Result> = (client: Db, rollBack: () => void) => Promise<Result>

/** On a connection from the pool. `work` can roll back and still return a result. */
export async function inTransaction<Result>(
  pool: DbPool,
  work: Work<Result>,
  kind: keyof typeof BEGIN = 'write',
): Promise<Result> {
  const client = await pool.connect()
  let isUsable = false
  try {
    const result = await transact(client, work, kind, () => (isUsable = true))
    isUsable = true
    return result
  } finally {
    client.release(!isUsable)
  }
}

/** On a given connection. After a failure it can be reused only if `onUndone` was called. */
export async function transact<Result>(
  client: Db,
  work: Work<Result>,
  kind: keyof typeof BEGIN = 'write',
  onUndone: () => void = () => undefined,
): Promise<Result> {
  await run(client, BEGIN[kind])
  try {
    let end = COMMIT
    const result = await work(client, () => (end = ROLLBACK))
    await run(client, end)
    return result
  } catch (error) {
    await run(client, ROLLBACK).then(onUndone, () => undefined)
    throw error
  }
}
