/** Runs statements in a transaction. */
import { isDistributed } from './distributed.ts'
import { literal, sql } from './sql.ts'
import type { Sql } from './sql.ts'
import { run, statement } from './statement.ts'
import type { Db, DbPool, Statement } from './statement.ts'

const waitAtMost = (ms: number) => sql`SET LOCAL lock_timeout = ${literal(ms)}`

const BEGIN = {
  /** Each statement sees everything committed before it. */
  write: sql`BEGIN ISOLATION LEVEL READ COMMITTED`,
  /**
   * For actions. Gives up waiting for a row (55P03), which an import may hold for minutes, and so unlocks the company that the
   * import may be waiting for.
   */
  action: sql`BEGIN ISOLATION LEVEL READ COMMITTED; ${waitAtMost(3_000)}`,
  /** For workers, which do not let others wait for a company that is busy. */
  background: sql`BEGIN ISOLATION LEVEL READ COMMITTED; ${waitAtMost(250)}`,
  /** All statements see the same snapshot. */
  read: sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`,
  /**
   * The same snapshot, and no overwriting of later changes (40001). Gives up waiting for a lock (55P03) before the server's
   * deadlock detection would end one of the two, which could be an import.
   */
  change: sql`BEGIN ISOLATION LEVEL REPEATABLE READ; ${waitAtMost(900)}`,
}

/**
 * The same for a distributed database, one statement per message: Citus sends the whole message to the workers when it passes a setting on.
 * Then a transaction that writes uses two-phase commit: otherwise a crash of the coordinator could lose the rows
 * that it stores itself, although a worker has committed its own. Citus does so from the first write to a table that it manages on
 * the coordinator, even if there are no rows (distribute.ts).
 */
const USE_TWO_PHASES = sql`DELETE FROM two_phase_commit`
const BEGIN_DISTRIBUTED: Record<keyof typeof BEGIN, Sql[]> = {
  write: [BEGIN.write, USE_TWO_PHASES],
  action: [BEGIN.write, waitAtMost(3_000), USE_TWO_PHASES],
  background: [BEGIN.write, waitAtMost(250), USE_TWO_PHASES],
  read: [BEGIN.read],
  change: [sql`BEGIN ISOLATION LEVEL REPEATABLE READ`, waitAtMost(900), USE_TWO_PHASES],
}

const COMMIT = sql`COMMIT`
const COMMIT_IN_GROUP = statement(COMMIT)
const ROLLBACK = sql`ROLLBACK`

interface TransactionEnd {
  /** Rolls back, although the work returns a result. */
  rollBack: () => void
  /** `send` commits, together with the last statement of the work. */
  commitBy: (send: (commit: Statement) => Promise<void>) => void
}

type Work<Result> = (client: Db, end: TransactionEnd) => Promise<Result>

/** On a connection from the pool. */
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
  const [begin, ...settings] = isDistributed(client) ? BEGIN_DISTRIBUTED[kind] : [BEGIN[kind]]
  await run(client, begin ?? BEGIN[kind])
  try {
    for (const setting of settings) await run(client, setting)
    let end = async (): Promise<unknown> => run(client, COMMIT)
    const result = await work(client, {
      rollBack: () => (end = async () => run(client, ROLLBACK)),
      commitBy: (send) => (end = async () => send(COMMIT_IN_GROUP)),
    })
    await end()
    return result
  } catch (error) {
    await run(client, ROLLBACK).then(onUndone, () => undefined)
    throw error
  }
}
