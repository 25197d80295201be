/**
 * The queue of webhook deliveries. A process that holds the lease of an endpoint is the only one that sends to it, and the only
 * one that changes its pending deliveries, except for retries that a user asks for. So nothing is written when a request starts:
 * if the process is killed, the next holder of the lease finds the same deliveries.
 */
import { literal, NOW_ROUNDED, sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import type { ChangeRow } from '../change/list.ts'
import type { RowOf } from '../../codec/column.ts'
import { integer } from '../../codec/column-types.ts'
import { defineFields, nullable, ofTable, pick } from '../../codec/fields.ts'
import { queryObjects } from '../../codec/select.ts'
import { CHANGE_COLUMNS } from '../change/columns.ts'
import { WEBHOOK_ENDPOINT_COLUMNS } from '../webhook-endpoint/columns.ts'
import { WEBHOOK_DELIVERY_COLUMNS } from './columns.ts'
import type { DeliveryStatus, StoredAttempt } from './columns.ts'

export interface EndpointKey {
  companyId: string
  endpointId: string
}

/** Endpoints per search. Those that are leased are not found again, so the next search finds others. */
const FOUND_MAX = 1_000

/**
 * Skips from one endpoint with pending deliveries to the next, so endpoints without any cost nothing. Then takes the leases that
 * are free or expired.
 */
const TAKE_LEASES = statement(sql`
  WITH RECURSIVE waiting AS (
    (SELECT d.company_id, d.endpoint_id FROM webhook_deliveries d WHERE d.status = 'pending'
      ORDER BY d.company_id, d.endpoint_id LIMIT 1)
    UNION ALL
    SELECT n.company_id, n.endpoint_id FROM waiting w CROSS JOIN LATERAL (
      SELECT d.company_id, d.endpoint_id FROM webhook_deliveries d
      WHERE d.status = 'pending' AND (d.company_id, d.endpoint_id) > (w.company_id, w.endpoint_id)
      ORDER BY d.company_id, d.endpoint_id LIMIT 1) n
  ), free AS (
    SELECT e.company_id, e.id FROM waiting w CROSS JOIN LATERAL (
      SELECT e.company_id, e.id FROM webhook_endpoints e
      WHERE e.company_id = w.company_id AND e.id = w.endpoint_id AND e.status = 'enabled'
        AND (e.lease_owner IS NULL OR e.lease_owner = $1 OR e.lease_until < now())
        AND EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.company_id = e.company_id AND d.endpoint_id = e.id
          AND d.status = 'pending' AND d.next_attempt_at <= ${NOW_ROUNDED})
      FOR NO KEY UPDATE SKIP LOCKED) e
    WHERE NOT (w.company_id || ' ' || w.endpoint_id) = ANY($3::text[])
    LIMIT ${literal(FOUND_MAX)}
  )
  UPDATE webhook_endpoints e SET lease_owner = $1, lease_until = now() + make_interval(secs => $2)
  FROM free WHERE e.company_id = free.company_id AND e.id = free.id
  RETURNING e.company_id AS "companyId", e.id AS "endpointId", e.failing_since IS NOT NULL AS "isFailing"`)

export interface Lease extends EndpointKey {
  isFailing: boolean
}

/** Of endpoints with due deliveries, except those that this process already sends to. */
export async function takeLeases(
  db: Db,
  { owner, seconds, held }: { owner: string; seconds: number; held: readonly EndpointKey[] },
): Promise<Lease[]> {
  return queryRows(db, TAKE_LEASES, [owner, seconds, held.map(endpointKeyText)])
}

export const endpointKeyText = ({ companyId, endpointId }: EndpointKey) => `${companyId} ${endpointId}`

const RENEW_LEASES = statement(sql`
  UPDATE webhook_endpoints e SET lease_until = now() + make_interval(secs => $2)
  FROM unnest($3::text[], $4::text[]) AS held (company_id, id)
  WHERE e.company_id = held.company_id AND e.id = held.id AND e.lease_owner = $1
  RETURNING e.company_id AS "companyId", e.id AS "endpointId"`)

/** Those that are still this process's. */
export async function renewLeases(
  db: Db,
  { owner, seconds, held }: { owner: string; seconds: number; held: readonly EndpointKey[] },
): Promise<EndpointKey[]> {
  return queryRows(db, RENEW_LEASES, [owner, seconds, ...columnsOf(held)])
}

const columnsOf = (keys: readonly EndpointKey[]) => [
  keys.map(({ companyId }) => companyId),
  keys.map(({ endpointId }) => endpointId),
]

const RELEASE_LEASE = statement(sql`
  UPDATE webhook_endpoints SET lease_owner = NULL, lease_until = NULL
  WHERE company_id = $1 AND id = $2 AND lease_owner = $3`)

export async function releaseLease(
  db: Db,
  { companyId, endpointId }: EndpointKey,
  owner: string,
): Promise<void> {
  await queryRows(db, RELEASE_LEASE, [companyId, endpointId, owner])
}

const CLAIM_MAX = 32

const HELD = ofTable('held', pick(WEBHOOK_ENDPOINT_COLUMNS, 'url', 'secrets'))
const HELD_FIELDS = defineFields(HELD)

/** Not a condition of the updates: without statistics, PostgreSQL would scan the partial indexes instead of the primary key. */
const IS_WAITING = sql`d.status = 'pending' AND NOT d.is_forced`

const CLAIMED = defineFields({
  ...HELD,
  number: WEBHOOK_DELIVERY_COLUMNS.columns.number.nullable().sql(sql`due.number`),
  attempts: integer().sql(sql`coalesce(due.attempts, 0)`),
  found: integer().sql(sql`(SELECT count(*) FROM due)`),
  ...nullable(ofTable('c', CHANGE_COLUMNS.columns)),
})

/**
 * Due deliveries that are the first pending ones of their subject. Later ones of the subject are parked until the first one is
 * delivered or has failed, so each is looked at once, however many there are.
 */
const CLAIM = statement(sql`
  WITH held AS (
    SELECT e.url, e.secrets FROM webhook_endpoints e
    WHERE e.company_id = $1 AND e.id = $2 AND e.lease_owner = $3 AND e.status = 'enabled'
  ), due AS MATERIALIZED (
    SELECT d.number, d.change_sequence, d.next_attempt_at, jsonb_array_length(d.attempts) AS attempts,
      NOT d.is_forced AND EXISTS (
        SELECT 1 FROM webhook_deliveries b
        WHERE b.company_id = $1 AND b.endpoint_id = $2 AND b.subject = d.subject AND b.status = 'pending'
          AND b.number < d.number) AS is_blocked
    FROM webhook_deliveries d
    WHERE d.company_id = $1 AND d.endpoint_id = $2 AND d.status = 'pending' AND d.next_attempt_at <= ${NOW_ROUNDED}
      AND NOT d.number = ANY($4::bigint[]) AND EXISTS (SELECT 1 FROM held)
    ORDER BY d.next_attempt_at, d.number LIMIT ${literal(CLAIM_MAX)}
  ), parked AS (
    UPDATE webhook_deliveries d SET next_attempt_at = CASE WHEN ${IS_WAITING} THEN 'infinity' ELSE d.next_attempt_at END
    WHERE d.company_id = $1 AND d.number = ANY(ARRAY(SELECT number FROM due WHERE is_blocked))
  )
  SELECT ${CLAIMED.selectList}
  FROM held LEFT JOIN due ON NOT due.is_blocked
    LEFT JOIN changes c ON c.company_id = $1 AND c.sequence = due.change_sequence
  ORDER BY due.next_attempt_at, due.number`)

/** Where to send. */
type Held = RowOf<typeof HELD>

export interface Claimed extends Held {
  number: string
  /** Attempts so far. */
  attempts: number
  /** Null if it is no longer kept. */
  change: ChangeRow | null
}

/** Null if the lease is lost or the endpoint is disabled. `inHand` are deliveries that were claimed before. */
export async function claimDeliveries(
  db: Db,
  { companyId, endpointId }: EndpointKey,
  owner: string,
  inHand: readonly string[],
): Promise<{ claimed: Claimed[]; mayHaveMore: boolean } | null> {
  const rows = await queryObjects(db, CLAIMED, CLAIM, [companyId, endpointId, owner, inHand])
  const [first] = rows
  if (first === undefined) return null
  const claimed = rows.flatMap(({ url, secrets, number, attempts, ...change }) =>
    number === null
      ? []
      : [{ number, attempts, url, secrets, change: change.sequence === null ? null : (change as ChangeRow) }],
  )
  return { claimed, mayHaveMore: first.found === CLAIM_MAX }
}

const FIND_HELD = statement(sql`
  SELECT ${HELD_FIELDS.selectList} FROM webhook_endpoints held
  WHERE held.company_id = $1 AND held.id = $2 AND held.lease_owner = $3 AND held.status = 'enabled'`)

/** Where to send; null if the lease is lost or the endpoint is disabled. */
export async function findHeld(
  db: Db,
  { companyId, endpointId }: EndpointKey,
  owner: string,
): Promise<Held | null> {
  const [row] = await queryObjects(db, HELD_FIELDS, FIND_HELD, [companyId, endpointId, owner])
  return row ?? null
}

export interface Result {
  number: string
  status: DeliveryStatus
  /** Null unless it is pending. */
  nextInSeconds: number | null
  attempt: StoredAttempt
}

/** Retries that users ask for are not limited, so the oldest attempts are dropped. */
const ATTEMPTS_MAX = 50

/**
 * Also makes the next delivery of each subject due, and notes since when every attempt has failed. Locks the endpoint first, as
 * disabling it does, so that no delivery of a disabled endpoint stays pending.
 */
const WRITE_RESULTS = statement(sql`
  WITH held AS (
    SELECT e.status, e.failing_since FROM webhook_endpoints e
    WHERE e.company_id = $1 AND e.id = $2 AND e.lease_owner = $3 FOR NO KEY UPDATE
  ), written AS (
    UPDATE webhook_deliveries d SET is_forced = false,
      status = CASE WHEN r.status = 'pending' AND held.status = 'disabled' THEN 'failed' ELSE r.status END,
      next_attempt_at = CASE WHEN r.status = 'pending' AND held.status = 'enabled'
        THEN now() + make_interval(secs => r."nextInSeconds") END,
      attempts = CASE WHEN jsonb_array_length(d.attempts) >= ${literal(ATTEMPTS_MAX)} THEN d.attempts - 0
        ELSE d.attempts END || r.attempt
    FROM held CROSS JOIN json_to_recordset($4)
      AS r (number bigint, status text, "nextInSeconds" double precision, attempt jsonb)
    WHERE d.company_id = $1 AND d.number = ANY($6::bigint[]) AND d.number = r.number
    RETURNING d.subject, d.status
  ), promoted AS (
    UPDATE webhook_deliveries d SET next_attempt_at = CASE WHEN ${IS_WAITING} THEN now() ELSE d.next_attempt_at END
    WHERE d.company_id = $1 AND d.number = ANY(ARRAY(
      SELECT n.number
      FROM (SELECT DISTINCT subject FROM written WHERE status <> 'pending') w CROSS JOIN LATERAL (
        SELECT n.number FROM webhook_deliveries n
        WHERE n.company_id = $1 AND n.endpoint_id = $2 AND n.subject = w.subject AND n.status = 'pending'
          AND n.next_attempt_at = 'infinity'
        ORDER BY n.number LIMIT 1) n))
  ), health AS (
    UPDATE webhook_endpoints e SET failing_since = CASE WHEN $5 THEN now() END
    WHERE e.company_id = $1 AND e.id = $2 AND e.lease_owner = $3 AND (e.failing_since IS NULL) = $5
  )
  SELECT $5 AND coalesce(held.failing_since < now() - interval '5 days', false) AS "isDead" FROM held`)

/** Null if the lease is lost: then nothing is written, and the next holder sends these deliveries again. */
export async function writeResults(
  db: Db,
  { companyId, endpointId }: EndpointKey,
  owner: string,
  results: readonly Result[],
): Promise<{ isDead: boolean } | null> {
  const isFailing = results.every(({ status }) => status !== 'delivered')
  const [row] = await queryRows<{ isDead: boolean }>(db, WRITE_RESULTS, [
    companyId,
    endpointId,
    owner,
    JSON.stringify(results),
    isFailing,
    results.map(({ number }) => number),
  ])
  return row ?? null
}
