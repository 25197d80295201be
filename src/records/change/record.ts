/** Appends to the change log of a company. Numbering locks the company's counter until the transaction ends. */
import { DatabaseError } from 'pg'
import { ApiError } from '../../core/requests/errors.ts'
import { inRecordedOrder } from '../../core/change-log/change-types.ts'
import type { Actor, ChangeType } from '../../core/change-log/change-types.ts'
import { sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db, StatementCall } from '../../db/statement.ts'
import { queryTexts } from '../../codec/text-query.ts'

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

const TRY_LOCK = statement(sql`
  SELECT 1 FROM change_counters WHERE company_id = $1 AND moving_to IS NULL FOR NO KEY UPDATE SKIP LOCKED`)

/** Without waiting. False if the company is locked, or moves. */
export async function tryLockCompany(db: Db, companyId: string): Promise<boolean> {
  return (await queryRows(db, TRY_LOCK, [companyId])).length > 0
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
  if (movingTo !== null) throw movingError()
}

function movingError(cause?: unknown): ApiError {
  const message = 'The company is being moved to another server. Retry in a few seconds.'
  return new ApiError('auth_service_unavailable', { message, cause, headers: { 'retry-after': '1' } })
}

const NOT_NULL_VIOLATION = '23502'

/** If changes were not recorded because the company moves. */
export function movingOf(error: unknown): ApiError | null {
  if (!(error instanceof DatabaseError) || error.code !== NOT_NULL_VIOLATION) return null
  return error.table === 'change_counters' && error.column === 'last_sequence' ? movingError(error) : null
}

/**
 * `clock_timestamp` is evaluated once the counter is locked, and no change is older than the one before it. A company that moves has no
 * next number, so the statement fails (`movingOf`): it can be sent together with the commit.
 */
const numberChanges = (count: Sql) => sql`
  INSERT INTO change_counters AS c (company_id, last_sequence, last_at) VALUES ($1, ${count}, clock_timestamp())
  ON CONFLICT (company_id) DO UPDATE
    SET last_sequence = CASE WHEN c.moving_to IS NULL THEN c.last_sequence + ${count} END,
      last_at = greatest(c.last_at, clock_timestamp())
  RETURNING last_sequence, last_at`
const INSERT_CHANGES = sql`
  INSERT INTO changes (company_id, actor_type, actor_id, actor_name, sequence, type, subject_object, subject_id, data, previous,
    created_at)`

const RECORD_CHANGE = statement(sql`
  WITH counter AS (${numberChanges(sql`1`)})
  ${INSERT_CHANGES}
  SELECT $1, $2, $3, $4, last_sequence, $5, $6, $7, $8::json, $9::json, last_at FROM counter`)

const RECORD_CHANGES = statement(sql`
  WITH counter AS (${numberChanges(sql`$5`)})
  ${INSERT_CHANGES}
  SELECT $1, $2, $3, $4, counter.last_sequence - $5 + c.position, c.type, c.object, c.id, c.data, c.previous, counter.last_at
  FROM counter CROSS JOIN json_to_recordset($6)
    AS c (position bigint, type text, object text, id text, data json, previous json)`)

/** The statement that records changes. */
export function recordingOf(companyId: string, actor: Actor, changes: readonly NewChange[]): StatementCall {
  const values = [companyId, actor.type, actor.id, actor.name]
  const [only, ...others] = inRecordedOrder(changes)
  if (only !== undefined && others.length === 0) {
    const { type, subject, data, previous } = only
    return { statement: RECORD_CHANGE, values: [...values, type, subject.object, subject.id, data, previous] }
  }
  const rows = inRecordedOrder(changes).map(({ type, subject: { object, id }, data, previous }, i) => {
    const facts = JSON.stringify({ position: i + 1, type, object, id })
    return `${facts.slice(0, -1)},"data":${data},"previous":${previous}}`
  })
  return { statement: RECORD_CHANGES, values: [...values, changes.length, `[${rows.join(',')}]`] }
}

export async function recordChanges(
  db: Db,
  companyId: string,
  actor: Actor,
  changes: readonly NewChange[],
): Promise<void> {
  if (changes.length === 0) return
  const { statement: recording, values } = recordingOf(companyId, actor, changes)
  await queryTexts(db, recording, values)
}
