/** Creates deliveries, in the transaction that recorded their changes. The company must be locked. */
import { sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'

/** `matched` has the columns endpoint_id, sequence and subject. */
const addText = (matched: Sql) => sql`
  WITH matched AS (
    SELECT m.*, row_number() OVER (ORDER BY m.sequence, m.endpoint_id) AS position FROM (${matched}) m
  ), counter AS (
    UPDATE change_counters SET last_delivery = last_delivery + (SELECT count(*) FROM matched) WHERE company_id = $1
    RETURNING last_delivery - (SELECT count(*) FROM matched) AS base
  )
  INSERT INTO webhook_deliveries (company_id, number, endpoint_id, change_sequence, subject)
  SELECT $1, counter.base + m.position, m.endpoint_id, m.sequence, m.subject FROM matched m CROSS JOIN counter`

const MATCHING = sql`
  SELECT e.id AS endpoint_id, c.sequence, c.subject_object || ' ' || c.subject_id AS subject
  FROM changes c JOIN webhook_endpoints e ON e.company_id = c.company_id
    AND e.types && ARRAY['*', split_part(c.type, '.', 1) || '.*', c.type]
  WHERE c.company_id = $1 AND e.status = 'enabled'`

const ADD_DELIVERIES = statement(addText(sql`${MATCHING} AND c.sequence > $2`))

/** Of the changes after this number, for each enabled endpoint that subscribes to them. */
export async function addDeliveries(db: Db, companyId: string, afterSequence: string): Promise<void> {
  await queryRows(db, ADD_DELIVERIES, [companyId, afterSequence])
}

const REPLAY = statement(addText(sql`${MATCHING} AND e.id = $2 AND c.created_at >= $3`))

/** Of all kept changes since a time (ISO 8601), for one endpoint. */
export async function replayChanges(
  db: Db,
  companyId: string,
  endpointId: string,
  since: string,
): Promise<void> {
  await queryRows(db, REPLAY, [companyId, endpointId, since])
}
