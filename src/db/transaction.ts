/** Several statements that take effect together, or not at all. */
import type { Pool, PoolClient } from 'pg'

const BEGIN = {
  /** Each statement sees what was committed before it. */
  write: 'BEGIN ISOLATION LEVEL READ COMMITTED',
  /** All statements see the same moment. */
  read: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
}

/** `work` may ask to have everything undone and still return something. */
export async function inTransaction<Result>(
  pool: Pool,
  work: (client: PoolClient, rollBack: () => void) => Promise<Result>,
  kind: keyof typeof BEGIN = 'write',
): Promise<Result> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query(BEGIN[kind])
    let end: 'COMMIT' | 'ROLLBACK' = 'COMMIT'
    const result = await work(client, () => (end = 'ROLLBACK'))
    await client.query(end)
    return result
  } catch (error) {
    // A refusal of our own leaves the connection as good as it was; after anything else it is not used again.
    const undone = await client.query('ROLLBACK').then(
      () => true,
      () => false,
    )
    if (!undone) broken = error as Error
    throw error
  } finally {
    client.release(broken)
  }
}
