/** Several statements that take effect together, or not at all. */
import type { ClientBase, Pool, PoolClient } from 'pg'

const BEGIN = {
  /** Each statement sees what was committed before it. */
  write: 'BEGIN ISOLATION LEVEL READ COMMITTED',
  /** All statements see the same moment. */
  read: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  /**
   * The same moment, and nothing written over what others wrote after it (40001). Whoever waits longer for a lock gives
   * up (55P03), sooner than the server would end one of two that wait for each other: that one could be an import.
   */
  change: 'BEGIN ISOLATION LEVEL REPEATABLE READ; SET LOCAL lock_timeout = 900',
}

type Work<Client, Result> = (client: Client, rollBack: () => void) => Promise<Result>

/** On a connection from the pool. `work` may ask to have everything undone and still return something. */
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

/** On a connection of one's own. After a failure it can be used again only if `onUndone` was called. */
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
