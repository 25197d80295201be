/** Appends to the change log of a company. Numbering locks the company's counter until the transaction ends. */
import { ApiError } from '../../core/requests/errors.ts'
import { inRecordedOrder } from '../../core/change-log/change-types.ts'
import type { Actor, ChangeType } from '../../core/change-log/change-types.ts'
import { sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { queryTexts } from '../../codec/text-query.ts'
import { addDeliveries } from '../webhook-delivery/create.ts'

export interface NewChange {
  type: ChangeType
  subject: { object: string; id: string }
  /** JSON texts. */
  data: string
  previous: string
}

/**
 * Until the transaction ends, nothing else of the company can commit a change, so a check that follows cannot be invalidated by
 * another write.
 */
const LOCK_COUNTER = statement(sql`
  SELECT moving_to AS "movingTo" FROM change_counters WHERE company_id = $1 FOR NO KEY UPDATE`)
const ADD_COUNTER = statement(sql`
  INSERT INTO change_counters (company_id) SELECT id FROM companies WHERE id = $1 ON CONFLICT DO NOTHING`)

export async function lockCompany(db: Db, companyId: string): Promise<void> {
  const [locked] = await queryRows<Moving>(db, LOCK_COUNTER, [companyId])
  if (locked !== undefined) {
    refuseMoving(locked.movingTo)
    return
  }
  // The first change of a new company.
  await queryRows(db, ADD_COUNTER, [companyId])
  const [added] = await queryRows<Moving>(db, LOCK_COUNTER, [companyId])
  refuseMoving(added?.movingTo ?? null)
}

interface Moving {
  movingTo: string | null
}

/** Weaker than the lock of actions, so that it waits only for a move that begins. */
const CHECK_COUNTER = statement(sql`
  SELECT moving_to AS "movingTo" FROM change_counters WHERE company_id = $1 FOR KEY SHARE`)

/** For writes that neither lock the company nor record a change. */
export async function checkNotMoving(db: Db, companyId: string): Promise<void> {
  let [counter] = await queryRows<Moving>(db, CHECK_COUNTER, [companyId])
  if (counter === undefined) {
    // Without a row there is nothing to lock.
    await queryRows(db, ADD_COUNTER, [companyId])
    ;[counter] = await queryRows<Moving>(db, CHECK_COUNTER, [companyId])
  }
  refuseMoving(counter?.movingTo ?? null)
}

/** A company that moves to another cell is not written in this one (migrations/0019-cells.sql). */
function refuseMoving(movingTo: string | null): void {
  if (movingTo === null) return
  const message = 'The company is being moved to another server. Retry in a few seconds.'
  throw new ApiError('auth_service_unavailable', { message, headers: { 'retry-after': '1' } })
}

/** `clock_timestamp` is evaluated once the counter is locked, and no change is older than the one before it. */
const RECORD_CHANGES = statement(sql`
  WITH counter AS (
    INSERT INTO change_counters AS c (company_id, last_sequence, last_at) VALUES ($1, $2, clock_timestamp())
    ON CONFLICT (company_id) DO UPDATE
      SET last_sequence = c.last_sequence + $2, last_at = greatest(c.last_at, clock_timestamp())
    RETURNING last_sequence - $2 AS base, last_at, has_webhooks, moving_to
  ), recorded AS (
    INSERT INTO changes (company_id, sequence, type, subject_object, subject_id, actor_type, actor_id, actor_name, data,
      previous, created_at)
    SELECT $1, counter.base + c.position, c.type, c.object, c.id, $4, $5, $6, c.data, c.previous, counter.last_at
    FROM counter CROSS JOIN json_to_recordset($3)
      AS c (position bigint, type text, object text, id text, data json, previous json)
  )
  SELECT base, has_webhooks, moving_to FROM counter`)

export async function recordChanges(
  db: Db,
  companyId: string,
  actor: Actor,
  changes: readonly NewChange[],
): Promise<void> {
  if (changes.length === 0) return
  const rows = inRecordedOrder(changes).map(({ type, subject: { object, id }, data, previous }, i) => {
    const facts = JSON.stringify({ position: i + 1, type, object, id })
    return `${facts.slice(0, -1)},"data":${data},"previous":${previous}}`
  })
  const [recorded] = await queryTexts(db, RECORD_CHANGES, [
    companyId,
    changes.length,
    `[${rows.join(',')}]`,
    actor.type,
    actor.id,
    actor.name,
  ])
  const [base = null, hasWebhooks, movingTo = null] = recorded ?? []
  refuseMoving(movingTo)
  // A separate statement: the snapshot of this one can be older than an endpoint whose creation it waited for.
  if (base !== null && hasWebhooks === 't') await addDeliveries(db, companyId, base)
}
