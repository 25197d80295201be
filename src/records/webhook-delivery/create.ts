/**
 * Creates the deliveries of changes. They follow the change log: each company has a cursor, the last change whose deliveries exist. So a
 * write does not wait for them. An endpoint with a replay has its own cursor, behind the company's, until it has caught up. The company
 * must be locked.
 */
import { literal, sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'

/** `span` has the changes `after` and `until`, and `receivers` the enabled endpoints. */
const addText = ({ cursor, hasMore }: { cursor: Sql; hasMore: Sql }) => sql`
  matched AS (
    SELECT e.id AS endpoint_id, c.sequence, c.subject_object || ' ' || c.subject_id AS subject,
      row_number() OVER (ORDER BY c.sequence, e.id) AS position
    FROM changes c JOIN receivers e ON e.types && ARRAY['*', split_part(c.type, '.', 1) || '.*', c.type]
    WHERE c.company_id = $1 AND c.sequence > (SELECT after FROM span) AND c.sequence <= (SELECT until FROM span)
  ), counter AS (
    UPDATE change_counters SET last_delivery = last_delivery + (SELECT count(*) FROM matched), delivery_cursor = ${cursor}
    WHERE company_id = $1 AND EXISTS (SELECT 1 FROM span)
    RETURNING last_delivery - (SELECT count(*) FROM matched) AS base, ${hasMore} AS has_more
  ), added AS (
    INSERT INTO webhook_deliveries (company_id, number, endpoint_id, change_sequence, subject)
    SELECT $1, counter.base + m.position, m.endpoint_id, m.sequence, m.subject FROM matched m CROSS JOIN counter)`

/** With twenty endpoints, that is four thousand deliveries, for which a write of the company waits. */
const CHANGES_MAX = 200

const IS_REPLAYING = sql`replay_cursor IS NOT NULL AND status = 'enabled'`

const ADD_NEXT = statement(sql`
  WITH span AS (
    SELECT delivery_cursor AS after, least(delivery_cursor + ${literal(CHANGES_MAX)}, last_sequence) AS until
    FROM change_counters WHERE company_id = $1 AND has_webhooks AND delivery_cursor < last_sequence
  ), receivers AS (
    SELECT id, types FROM webhook_endpoints
    WHERE company_id = $1 AND status = 'enabled' AND replay_cursor IS NULL
  ), ${addText({ cursor: sql`(SELECT until FROM span)`, hasMore: sql`delivery_cursor < last_sequence` })}
  SELECT coalesce((SELECT has_more FROM counter), false) AS "hasMore",
    EXISTS (SELECT 1 FROM webhook_endpoints WHERE company_id = $1 AND ${IS_REPLAYING}) AS "isReplaying"`)

interface Progress {
  hasMore: boolean
  isReplaying: boolean
}

async function addNext(db: Db, companyId: string): Promise<Progress> {
  const [progress] = await queryRows<Progress>(db, ADD_NEXT, [companyId])
  return progress ?? { hasMore: false, isReplaying: false }
}

/** Call it before an endpoint changes: earlier changes are delivered with its previous settings. */
export async function addAllDeliveries(db: Db, companyId: string): Promise<void> {
  while ((await addNext(db, companyId)).hasMore);
}

/** Of one endpoint, so as many deliveries as those of the company at most. */
const REPLAYED_MAX = 4_000

const ADD_REPLAYED = statement(sql`
  WITH receivers AS (
    SELECT id, types, replay_cursor FROM webhook_endpoints
    WHERE company_id = $1 AND ${IS_REPLAYING} ORDER BY id LIMIT 1
  ), span AS (
    SELECT e.replay_cursor AS after, least(e.replay_cursor + ${literal(REPLAYED_MAX)}, c.delivery_cursor) AS until,
      e.replay_cursor + ${literal(REPLAYED_MAX)} < c.delivery_cursor AS is_behind
    FROM receivers e JOIN change_counters c ON c.company_id = $1
  ), ${addText({ cursor: sql`delivery_cursor`, hasMore: sql`true` })}, moved AS (
    UPDATE webhook_endpoints e SET replay_cursor = CASE WHEN span.is_behind THEN span.until END
    FROM span WHERE e.company_id = $1 AND e.id = (SELECT id FROM receivers))
  SELECT is_behind AS "isBehind" FROM span`)

/** Of the next changes, for each enabled endpoint that subscribes to them. True if there are more. */
export async function addNextDeliveries(db: Db, companyId: string): Promise<boolean> {
  const { hasMore, isReplaying } = await addNext(db, companyId)
  // Another endpoint may replay, too: the next round finds it.
  if (isReplaying) await queryRows(db, ADD_REPLAYED, [companyId])
  return hasMore || isReplaying
}

const FIND_BEHIND = statement(sql`
  SELECT company_id AS id FROM change_counters
  WHERE has_webhooks AND moving_to IS NULL AND (delivery_cursor < last_sequence
    OR company_id IN (SELECT company_id FROM webhook_endpoints WHERE ${IS_REPLAYING}))`)

/** Companies with changes whose deliveries are not created yet. */
export async function findCompaniesBehind(db: Db): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(db, FIND_BEHIND, [])
  return rows.map(({ id }) => id)
}

const REPLAY = statement(sql`
  UPDATE webhook_endpoints SET replay_cursor = least(replay_cursor, (
    SELECT c.sequence - 1 FROM changes c WHERE c.company_id = $1 AND c.created_at >= $3
    ORDER BY c.created_at, c.sequence LIMIT 1))
  WHERE company_id = $1 AND id = $2`)

/** Of all kept changes since a time (ISO 8601), for one endpoint. A replay that is under way goes back, and ends when this one does. */
export async function replayChanges(
  db: Db,
  companyId: string,
  endpointId: string,
  since: string,
): Promise<void> {
  await addAllDeliveries(db, companyId)
  await queryRows(db, REPLAY, [companyId, endpointId, since])
}
