/** Runs statements in a transaction. */
import type { ClientBase, Pool, PoolClient } from 'pg'

const BEGIN = {
  /** Each statement sees what was committed before it. */
  write: 'BEGIN ISOLATION LEVEL READ COMMITTED',
  /** All statements see the same snapshot. */
  read: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  /**
   * The same snapshot, and no overwriting of later changes (40001). Gives up waiting for a lock (55P03) before the server's
   * deadlock detection would end one of the two, which could be an import.
   */
  change: 'BEGIN ISOLATION LEVEL REPEATABLE READ; SET LOCAL lock_timeout = 900',
}

type Work<Client, Result> = (client: Client, rollBack: () => void) => Promise<Result>

/** On a connection from the pool. `work` can roll back and still return a result. */
export async function inTransaction<Result>(
  pool: Pool,
  work: Work<PoolClient, Result>,
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
export async function transact<Client extends ClientBase, Result>(
  client: Client,
  work: Work<Client, Result>,
  kind: keyof typeof BEGIN = 'write',
  onUndone: () => void = () => undefined,
): Promise<Result> {
  await client.query(BEGIN[kind])
  try {
    let end: 'COMMIT' | 'ROLLBACK' = 'COMMIT'
    const result = await work(client, () => (end = 'ROLLBACK'))
    await client.query(end)
    return result
  } catch (error) {
    await client.query('ROLLBACK').then(onUndone, () => undefined)
    throw error
  }
}
