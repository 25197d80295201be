/** Failed sign-ins. They are counted in the database, so that several processes share the counts. */
import { literal, sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db, DbPool } from '../../db/statement.ts'
import { inTransaction } from '../../db/transaction.ts'

/** What attempts are counted by: an account, a network, or both together. */
export interface TrySubject {
  hash: string
  /** Failures without a delay. Each further one doubles the delay. */
  free: number
}

const WAIT_MAX_SECONDS = 900
/** Without a failure for this long, the count restarts. */
const FORGET_AFTER = sql`interval '1 hour'`

/** The delay after the last failure of a row `f`. */
const waitSeconds = (free: Sql) => sql`
  CASE WHEN f.failures < ${free} OR f.last_at < now() - ${FORGET_AFTER} THEN 0
    ELSE least(${literal(WAIT_MAX_SECONDS)}, power(2, least(f.failures - ${free}, 20))) END`

/**
 * Counts an attempt as a failure until it has succeeded, so that concurrent ones are all counted. The row of a subject that has to
 * wait does not change and is not returned. Rows are locked in the order of their hashes, so that two attempts cannot deadlock.
 */
const COUNT_TRY = statement(sql`
  WITH tried AS (SELECT * FROM unnest($1::text[], $2::integer[]) t (hash, free) ORDER BY hash)
  INSERT INTO sign_in_failures AS f (subject_hash, failures, last_at) SELECT hash, 1, clock_timestamp() FROM tried
  ON CONFLICT (subject_hash) DO UPDATE SET
    failures = CASE WHEN f.last_at < now() - ${FORGET_AFTER} THEN 1 ELSE f.failures + 1 END,
    last_at = clock_timestamp()
  WHERE f.last_at + ${waitSeconds(sql`(SELECT free FROM tried WHERE hash = f.subject_hash)`)} * interval '1 second'
    <= clock_timestamp()
  RETURNING f.subject_hash`)

const FIND_WAIT = statement(sql`
  SELECT ceil(max(${waitSeconds(sql`t.free`)} - extract(epoch FROM clock_timestamp() - f.last_at)))::integer AS seconds
  FROM unnest($1::text[], $2::integer[]) t (hash, free) JOIN sign_in_failures f ON f.subject_hash = t.hash`)

/** Counts an attempt by each subject and returns 0. If one of them has to wait, counts none and returns the seconds to wait. */
export async function countTry(pool: DbPool, subjects: readonly TrySubject[]): Promise<number> {
  const values = [subjects.map(({ hash }) => hash), subjects.map(({ free }) => free)]
  return inTransaction(pool, async (client, { rollBack }) => {
    const counted = await queryRows(client, COUNT_TRY, values)
    if (counted.length === subjects.length) return 0
    rollBack()
    const [wait] = await queryRows<{ seconds: number | null }>(client, FIND_WAIT, values)
    return Math.max(1, wait?.seconds ?? 1)
  })
}

const FORGET_FAILURES = statement(sql`
  WITH taken_back AS (
    UPDATE sign_in_failures SET failures = greatest(0, failures - 1) WHERE subject_hash = $2)
  DELETE FROM sign_in_failures
  WHERE subject_hash <> $2 AND (subject_hash = ANY($1) OR last_at < now() - interval '1 day')`)

/** After a success. For `others`, only this attempt is taken back. Also deletes old failures of all subjects. */
export async function forgetFailures(
  db: Db,
  subjects: readonly TrySubject[],
  others: TrySubject,
): Promise<void> {
  await queryRows(db, FORGET_FAILURES, [subjects.map(({ hash }) => hash), others.hash])
}
