/** Idempotency keys: a request that is sent twice takes effect once. */
import { sql } from '../db/sql.ts'
import { queryRows, statement } from '../db/statement.ts'
import type { Db, DbPool } from '../db/statement.ts'
import { inTransaction } from '../db/transaction.ts'

export interface IdempotencyKey {
  key: string
  /** The same key with another body is a conflict. */
  bodyHash: string
}

export type Outcome<Answer> =
  | { kind: 'done'; answer: Answer }
  | { kind: 'replayed'; answer: Answer }
  /** The work was rolled back; the key can be used again. */
  | { kind: 'nothing' }
  | { kind: 'conflict' }

const EXPIRED = sql`created_at < now() - interval '24 hours'`
const REMOVE_EXPIRED = statement(sql`DELETE FROM idempotency_records WHERE company_id = $1 AND ${EXPIRED}`)
const REMOVE_ALL_EXPIRED = statement(sql`DELETE FROM idempotency_records WHERE ${EXPIRED}`)

/** For every company. A company that uses keys removes its own expired ones; the server removes the rest when it starts. */
export async function removeAllExpired(db: Db): Promise<void> {
  await queryRows(db, REMOVE_ALL_EXPIRED, [])
}

/** Waits for another transaction with the same key: of two equal requests, one does the work and the other replays it. */
const CLAIM_KEY = statement(sql`
  INSERT INTO idempotency_records (company_id, key, body_hash) VALUES ($1, $2, $3)
  ON CONFLICT (company_id, key) DO NOTHING
  RETURNING key`)

const FIND_RECORD = statement(sql`
  SELECT body_hash AS "bodyHash", answer FROM idempotency_records WHERE company_id = $1 AND key = $2`)

const KEEP_ANSWER = statement(sql`
  UPDATE idempotency_records SET answer = $3 WHERE company_id = $1 AND key = $2`)

interface Stored<Answer> {
  bodyHash: string
  answer: Answer
}

type Work<Answer> = (client: Db) => Promise<Answer | null>

/** Does the work once per key, in the transaction that also stores its response. */
export async function runOnce<Answer>(
  pool: DbPool,
  companyId: string,
  key: IdempotencyKey,
  work: Work<Answer>,
): Promise<Outcome<Answer>> {
  for (;;) {
    const outcome = await tryOnce(pool, companyId, key, work)
    if (outcome !== null) return outcome
  }
}

/** Null if the key was taken and expired before its response was read. */
async function tryOnce<Answer>(
  pool: DbPool,
  companyId: string,
  { key, bodyHash }: IdempotencyKey,
  work: Work<Answer>,
): Promise<Outcome<Answer> | null> {
  return inTransaction(pool, async (client, rollBack) => {
    await queryRows(client, REMOVE_EXPIRED, [companyId])
    const claimed = await queryRows(client, CLAIM_KEY, [companyId, key, bodyHash])
    if (claimed.length === 0) {
      const [record] = await queryRows<Stored<Answer>>(client, FIND_RECORD, [companyId, key])
      if (record === undefined) return null
      return record.bodyHash === bodyHash ? { kind: 'replayed', answer: record.answer } : { kind: 'conflict' }
    }
    const answer = await work(client)
    if (answer === null) {
      rollBack()
      return { kind: 'nothing' }
    }
    await queryRows(client, KEEP_ANSWER, [companyId, key, JSON.stringify(answer)])
    return { kind: 'done', answer }
  })
}
