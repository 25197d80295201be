/** The transactions in which a world is imported, and read. */
import { DatabaseError } from 'pg'
import type { Client } from 'pg'

/** Any number, the same in every process: two imports at once would wait for each other's rows, and deadlock. */
const IMPORT_LOCK = 7_230_520

/**
 * Time limits are for requests: an import may wait for its input. Nor does it look for single rows, as they do: it reads
 * tables from end to end. Sorting and hashing get more memory, and statistics of staged rows need not be fine.
 */
export async function beginImport(client: Client): Promise<void> {
  await client.query(`
    BEGIN ISOLATION LEVEL READ COMMITTED;
    SET LOCAL statement_timeout = 0;
    SET LOCAL idle_in_transaction_session_timeout = 0;
    SET LOCAL enable_seqscan = on;
    SET LOCAL enable_bitmapscan = on;
    SET LOCAL work_mem = '16MB';
    SET LOCAL default_statistics_target = 10`)
}

/** One moment of the whole database, however long the reading takes. */
export async function beginSnapshot(client: Client): Promise<void> {
  await client.query(`
    BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
    SET LOCAL statement_timeout = 0;
    SET LOCAL idle_in_transaction_session_timeout = 0;
    SET LOCAL enable_seqscan = on;
    SET LOCAL enable_bitmapscan = on`)
}

/** Waits for an import that came before, until that one's transaction ends. */
export async function lockImports(client: Client): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock($1)', [IMPORT_LOCK])
}

export async function commit(client: Client): Promise<void> {
  await client.query('COMMIT')
}

/** A lost connection has rolled back already. */
export async function rollback(client: Client): Promise<void> {
  await client.query('ROLLBACK').catch(() => undefined)
}

/** In one line what the database has against the data, or the error as it is when that is not what it says. */
export function describeRefusal(error: unknown): unknown {
  // Classes 22 (wrong data), 23 (broken constraint) and 54 (beyond a limit).
  if (!(error instanceof DatabaseError) || !/^(22|23|54)/.test(error.code ?? '')) return error
  const message = error.message.replace(/\s+/g, ' ')
  return new Error(`the database refused the data, nothing was imported: ${message}`, { cause: error })
}
