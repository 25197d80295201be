/** The transactions in which a world is imported, and read. */
import { DatabaseError } from 'pg'
import { isDistributed } from './distributed.ts'
import { sql } from './sql.ts'
import { run } from './statement.ts'
import type { Db } from './statement.ts'

/** An arbitrary lock number: two concurrent imports could deadlock on each other's rows. */
const IMPORT_LOCK = 7_230_520

/**
 * Without the settings for requests: an import may wait for its input, and it reads whole tables. Sorting and hashing get more
 * memory, and rough statistics of staged rows are enough.
 */
export async function beginImport(client: Db): Promise<void> {
  await run(
    client,
    sql`
    BEGIN ISOLATION LEVEL READ COMMITTED;
    SET LOCAL statement_timeout = 0;
    SET LOCAL idle_in_transaction_session_timeout = 0;
    SET LOCAL enable_seqscan = on;
    SET LOCAL enable_bitmapscan = on;
    SET LOCAL work_mem = '16MB';
    SET LOCAL default_statistics_target = 10`,
  )
  if (!isDistributed(client)) return
  // Work tables are visible to other imports. Sequential: the tables are created, filled and read in one transaction.
  await lockImports(client)
  await run(
    client,
    sql`
    SET LOCAL client_min_messages = warning;
    SET LOCAL citus.multi_shard_modify_mode = 'sequential'`,
  )
}

/** A snapshot of the whole database. */
export async function beginSnapshot(client: Db): Promise<void> {
  await run(
    client,
    sql`
    BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
    SET LOCAL statement_timeout = 0;
    SET LOCAL idle_in_transaction_session_timeout = 0;
    SET LOCAL enable_seqscan = on;
    SET LOCAL enable_bitmapscan = on`,
  )
}

/** Waits for the transaction of another import. */
export async function lockImports(client: Db): Promise<void> {
  await run(client, sql`SELECT pg_advisory_xact_lock(${IMPORT_LOCK})`)
}

export async function commit(client: Db): Promise<void> {
  await run(client, sql`COMMIT`)
}

/** A lost connection has rolled back already. */
export async function rollback(client: Db): Promise<void> {
  await run(client, sql`ROLLBACK`).catch(() => undefined)
}

/** Describes an error about the data in one line. Returns other errors unchanged. */
export function describeRefusal(error: unknown): unknown {
  // Classes 22 (wrong data), 23 (broken constraint) and 54 (beyond a limit).
  if (!(error instanceof DatabaseError) || !/^(22|23|54)/.test(error.code ?? '')) return error
  const message = error.message.replace(/\s+/g, ' ')
  return new Error(`the database refused the data, nothing was imported: ${message}`, { cause: error })
}
