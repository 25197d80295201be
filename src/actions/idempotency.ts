/** Requests that may be sent twice but take effect once. */
import type { Pool, PoolClient } from 'pg'
import { queryRows, statement } from '../db/connect.ts'
import type { Db } from '../db/connect.ts'

export interface IdempotencyKey {
  key: string
  /** A fingerprint of the body: the same key with another body is a mistake. */
  bodyHash: string
}

export type Outcome<Answer> =
  | { kind: 'done'; answer: Answer }
  | { kind: 'replayed'; answer: Answer }
  /** The work came to nothing; the key stays free. */
  | { kind: 'nothing' }
  | { kind: 'conflict' }

const EXPIRED = `created_at < now() - interval '24 hours'`
const REMOVE_EXPIRED = statement(`DELETE FROM idempotency_records WHERE company_id = $1 AND ${EXPIRED}`)
const REMOVE_ALL_EXPIRED = statement(`DELETE FROM idempotency_records WHERE ${EXPIRED}`)

/** Of every company: those that use keys remove their own, the rest is swept at a start. */
export async function removeAllExpired(db: Db): Promise<void> {
  await queryRows(db, REMOVE_ALL_EXPIRED, [])
}

/** Where another transaction holds the same key, this waits for its end: one of two equal requests works, one replays. */
const CLAIM_KEY = statement(`
  INSERT INTO idempotency_records (company_id, key, body_hash) VALUES ($1, $2, $3)
  ON CONFLICT (company_id, key) DO NOTHING
  RETURNING key`)

const FIND_RECORD = statement(`
  SELECT body_hash AS "bodyHash", answer FROM idempotency_records WHERE company_id = $1 AND key = $2`)

const KEEP_ANSWER = statement(`
  UPDATE idempotency_records SET answer = $3 WHERE company_id = $1 AND key = $2`)

type Work<Answer> = (client: PoolClient) => Promise<Answer | null>

/** Does the work once per key, in the transaction that also remembers its answer: both are kept, or neither. */
export async function runOnce<Answer>(
  pool: Pool,
  companyId: string,
  key: IdempotencyKey,
  work: Work<Answer>,
): Promise<Outcome<Answer>> {
  for (;;) {
    const outcome = await tryOnce(pool, companyId, key, work)
    if (outcome !== null) return outcome
  }
}

/** Null when the key was taken and became free, by age, before its answer was read. */
async function tryOnce<Answer>(
  pool: Pool,
  companyId: string,
  { key, bodyHash }: IdempotencyKey,
  work: Work<Answer>,
): Promise<Outcome<Answer> | null> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('BEGIN')
    await queryRows(client, REMOVE_EXPIRED, [companyId])
    const claimed = await queryRows(client, CLAIM_KEY, [companyId, key, bodyHash])
    if (claimed.length === 0) {
      const [record] = await queryRows<{ bodyHash: string; answer: Answer }>(client, FIND_RECORD, [
        companyId,
        key,
      ])
      await client.query('COMMIT')
      if (record === undefined) return null
      return record.bodyHash === bodyHash ? { kind: 'replayed', answer: record.answer } : { kind: 'conflict' }
    }
    const answer = await work(client)
    if (answer === null) {
      await client.query('ROLLBACK')
      return { kind: 'nothing' }
    }
    await queryRows(client, KEEP_ANSWER, [companyId, key, JSON.stringify(answer)])
    await client.query('COMMIT')
    return { kind: 'done', answer }
  } catch (error) {
    broken = error as Error
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  } finally {
    client.release(broken)
  }
}
