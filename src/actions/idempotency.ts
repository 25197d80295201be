/** Idempotency keys: a request that is sent twice takes effect once. */
import { ApiError } from '../core/requests/errors.ts'
import { sql } from '../db/sql.ts'
import { queryRows, statement } from '../db/statement.ts'
import type { Db, DbPool } from '../db/statement.ts'
import { inTransaction } from '../db/transaction.ts'

export interface IdempotencyKey {
  key: string
  /** SHA-256 of the body: the same key with a different body is an error. */
  bodyHash: string
}

const EXPIRED = sql`created_at < now() - interval '24 hours'`
const REMOVE_EXPIRED = statement(sql`DELETE FROM idempotency_records WHERE company_id = $1 AND ${EXPIRED}`)
const REMOVE_ALL_EXPIRED = statement(sql`DELETE FROM idempotency_records WHERE ${EXPIRED}`)

/** For all companies, at startup. A company that uses keys also removes its own. */
export async function removeAllExpired(db: Db): Promise<void> {
  await queryRows(db, REMOVE_ALL_EXPIRED, [])
}

/** Waits for a transaction with the same key, so that one of two equal requests works and the other one replays. */
const CLAIM_KEY = statement(sql`
  INSERT INTO idempotency_records (company_id, key, body_hash) VALUES ($1, $2, $3)
  ON CONFLICT (company_id, key) DO NOTHING
  RETURNING key`)

const FIND_RECORD = statement(sql`
  SELECT body_hash AS "bodyHash", answer FROM idempotency_records
  WHERE company_id = $1 AND key = $2 AND NOT (${EXPIRED})`)

const KEEP_ANSWER = statement(sql`
  UPDATE idempotency_records SET answer = $3 WHERE company_id = $1 AND key = $2`)

/** The answer to a request, and whether it is that of an earlier request. */
export interface Outcome<Answer> {
  answer: Answer
  isReplayed: boolean
}

type Work<Answer> = (db: Db) => Promise<Answer>

/** Does the work once per key, in the transaction that also stores its answer. If the work fails, the key stays free. */
export async function runOnce<Answer>(
  pool: DbPool,
  companyId: string,
  key: IdempotencyKey,
  work: Work<Answer>,
): Promise<Outcome<Answer>> {
  for (;;) {
    const outcome = await inTransaction(pool, (db) => tryOnce(db, companyId, key, work), 'action')
    if (outcome !== null) return outcome
  }
}

/** Null if the key was taken and expired before its answer was read. */
async function tryOnce<Answer>(
  db: Db,
  companyId: string,
  key: IdempotencyKey,
  work: Work<Answer>,
): Promise<Outcome<Answer> | null> {
  await queryRows(db, REMOVE_EXPIRED, [companyId])
  const claimed = await queryRows(db, CLAIM_KEY, [companyId, key.key, key.bodyHash])
  if (claimed.length === 0) return findAnswer(db, companyId, key)
  const answer = await work(db)
  await queryRows(db, KEEP_ANSWER, [companyId, key.key, JSON.stringify(answer)])
  return { answer, isReplayed: false }
}

/** The answer to an earlier request with the key; null if no answer is stored. A different body is an error. */
export async function findAnswer<Answer>(
  db: Db,
  companyId: string,
  { key, bodyHash }: IdempotencyKey,
): Promise<Outcome<Answer> | null> {
  const [record] = await queryRows<{ bodyHash: string; answer: Answer }>(db, FIND_RECORD, [companyId, key])
  if (record === undefined) return null
  if (record.bodyHash !== bodyHash) throw new ApiError('idempotency_key_reused')
  return { answer: record.answer, isReplayed: true }
}
