/**
 * Creates the deliveries of changes. They follow the change log: each company has a cursor, the last change whose deliveries exist. So a
 * write does not wait for them. The company must be locked.
 */
import { literal, sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'

/** `matched` has the columns endpoint_id, sequence and subject. */
const addText = (matched: Sql, { cursor, where }: { cursor: Sql; where: Sql }) => sql`
  matched AS (
    SELECT m.*, row_number() OVER (ORDER BY m.sequence, m.endpoint_id) AS position FROM (${matched}) m
  ), counter AS (
    UPDATE change_counters SET last_delivery = last_delivery + (SELECT count(*) FROM matched), delivery_cursor = ${cursor}
    WHERE company_id = $1 AND ${where}
    RETURNING last_delivery - (SELECT count(*) FROM matched) AS base, delivery_cursor < last_sequence AS has_more
  ), added AS (
    INSERT INTO webhook_deliveries (company_id, number, endpoint_id, change_sequence, subject)
    SELECT $1, counter.base + m.position, m.endpoint_id, m.sequence, m.subject FROM matched m CROSS JOIN counter)
  SELECT has_more AS "hasMore" FROM counter`

const MATCHING = sql`
  SELECT e.id AS endpoint_id, c.sequence, c.subject_object || ' ' || c.subject_id AS subject
  FROM changes c JOIN webhook_endpoints e ON e.company_id = c.company_id
    AND e.types && ARRAY['*', split_part(c.type, '.', 1) || '.*', c.type]
  WHERE c.company_id = $1 AND e.status = 'enabled'`

/** With twenty endpoints, that is four thousand deliveries, for which a write of the company waits. */
const CHANGES_MAX = 200

const OF_SPAN = sql`${MATCHING} AND c.sequence > (SELECT after FROM span) AND c.sequence <= (SELECT until FROM span)`
const ADD_NEXT = statement(sql`
  WITH span AS (
    SELECT delivery_cursor AS after, least(delivery_cursor + ${literal(CHANGES_MAX)}, last_sequence) AS until
    FROM change_counters WHERE company_id = $1 AND has_webhooks
  ), ${addText(OF_SPAN, {
    cursor: sql`(SELECT until FROM span)`,
    where: sql`has_webhooks AND delivery_cursor < last_sequence`,
  })}`)

/** Of the next changes, for each enabled endpoint that subscribes to them. True if there are more. */
export async function addNextDeliveries(db: Db, companyId: string): Promise<boolean> {
  const [progress] = await queryRows<{ hasMore: boolean }>(db, ADD_NEXT, [companyId])
  return progress?.hasMore ?? false
}

/** Before an endpoint changes: what was recorded until now goes to the endpoints as they were. */
export async function addAllDeliveries(db: Db, companyId: string): Promise<void> {
  while (await addNextDeliveries(db, companyId));
}

const FIND_BEHIND = statement(sql`
  SELECT company_id AS id FROM change_counters
  WHERE has_webhooks AND moving_to IS NULL AND delivery_cursor < last_sequence`)

/** Companies with changes whose deliveries are not created yet. */
export async function findCompaniesBehind(db: Db): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(db, FIND_BEHIND, [])
  return rows.map(({ id }) => id)
}

const REPLAY = statement(sql`
  WITH ${addText(sql`${MATCHING} AND e.id = $2 AND c.created_at >= $3`, { cursor: sql`delivery_cursor`, where: sql`true` })}`)

/** Of all kept changes since a time (ISO 8601), for one endpoint. */
export async function replayChanges(
  db: Db,
  companyId: string,
  endpointId: string,
  since: string,
): Promise<void> {
  await addAllDeliveries(db, companyId)
  await queryRows(db, REPLAY, [companyId, endpointId, since])
}
