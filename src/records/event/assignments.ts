/**
 * The table event_assignments, derived from events: the staff members and resources of each event, and the time for which it
 * keeps them busy. Every statement that inserts or changes events refreshes their rows in the same transaction. Cancellation is
 * not part of it, because bookings are canceled too: queries of busy times check `canceled_at` of the event and its booking.
 */
import { sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import { queryRows, run, statement, unpreparedStatement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { lockRows } from '../../db/work-table.ts'
import { stagedName } from '../../db/world-table.ts'

const COLUMNS = sql`company_id, event_id, kind, assignee_id, event_created_at, busy_from, busy_to`

/** The rows that events `e` must have. A bound of the shift that is not set is that of the service. */
const derivedRows = (events: Sql) => sql`
  SELECT e.company_id, e.id AS event_id, k.kind, x.assignee_id, e.created_at AS event_created_at, b.busy_from, b.busy_to
  FROM ${events}
  CROSS JOIN (VALUES ('staff'), ('resource')) k (kind)
  CROSS JOIN LATERAL unnest(CASE k.kind WHEN 'staff' THEN e.staff_ids ELSE e.resource_ids END) x (assignee_id)
  LEFT JOIN LATERAL (
    SELECT coalesce(e.shift_start_time, e.service_start_time), coalesce(e.shift_end_time, e.service_end_time)
  ) b (busy_from, busy_to) ON b.busy_to > b.busy_from`

/** Some events `e`, and their stored assignments. */
interface Scope {
  events: Sql
  stored: Sql
}

const missingRows = ({ events, stored }: Scope) => sql`${derivedRows(events)} EXCEPT ${stored}`
const extraRows = ({ events, stored }: Scope) => sql`${stored} EXCEPT ${derivedRows(events)}`

/** Two statements: one that deletes and inserts rows with the same key may do so in any order. */
const removeExtra = (scope: Scope) => sql`
  DELETE FROM event_assignments a USING (${extraRows(scope)}) x
  WHERE a.company_id = x.company_id AND a.event_id = x.event_id AND a.kind = x.kind AND a.assignee_id = x.assignee_id`
const addMissing = (scope: Scope) => sql`
  INSERT INTO event_assignments (${COLUMNS}) SELECT * FROM (${missingRows(scope)}) x ORDER BY 1, 2, 3, 4`

const OF_EVENTS: Scope = {
  events: sql`(SELECT * FROM events WHERE company_id = $1 AND id = ANY($2)) e`,
  stored: sql`SELECT ${COLUMNS} FROM event_assignments WHERE company_id = $1 AND event_id = ANY($2)`,
}
const REMOVE_EXTRA = statement(removeExtra(OF_EVENTS))
const ADD_MISSING = statement(addMissing(OF_EVENTS))

/**
 * Derives the assignments of these events again. The transaction must have inserted, changed or locked the events, so that no other
 * one refreshes them at the same time.
 */
export async function refreshEventAssignments(
  db: Db,
  companyId: string,
  eventIds: readonly string[],
): Promise<void> {
  for (const change of [REMOVE_EXTRA, ADD_MISSING]) await queryRows(db, change, [companyId, eventIds])
}

const STAGED_EVENTS = stagedName({ name: 'events' })
const MERGED = sql`${STAGED_EVENTS} s JOIN events e ON e.company_id = s.company_id AND e.id = s.id`
const OF_STAGED: Scope = {
  events: MERGED,
  stored: sql`
    SELECT a.company_id, a.event_id, a.kind, a.assignee_id, a.event_created_at, a.busy_from, a.busy_to
    FROM ${STAGED_EVENTS} s JOIN event_assignments a ON a.company_id = s.company_id AND a.event_id = s.id`,
}

/** The same for all events of an import, after they were merged. It also locks those that the import leaves unchanged. */
export async function refreshStagedAssignments(client: Db): Promise<void> {
  await lockRows(
    client,
    sql`
    WITH locked AS (
      SELECT 1 FROM ${MERGED} WHERE e.xmin <> pg_current_xact_id()::xid
      ORDER BY e.company_id, e.id FOR NO KEY UPDATE OF e)
    SELECT count(*) FROM locked`,
  )
  await run(client, removeExtra(OF_STAGED))
  await run(client, addMissing(OF_STAGED))
}

const OF_COMPANY: Scope = {
  events: sql`(SELECT * FROM events WHERE company_id = $1) e`,
  stored: sql`SELECT ${COLUMNS} FROM event_assignments WHERE company_id = $1`,
}
const WRONG = unpreparedStatement(sql`
  SELECT DISTINCT event_id AS id FROM ((${missingRows(OF_COMPANY)}) UNION ALL (${extraRows(OF_COMPANY)})) wrong ORDER BY 1`)

/** The events of a company whose assignments are wrong. Reads all its events. */
export async function findAssignmentErrors(db: Db, companyId: string): Promise<string[]> {
  return (await queryRows<{ id: string }>(db, WRONG, [companyId])).map(({ id }) => id)
}

const LOCK_EVENTS = unpreparedStatement(sql`
  WITH locked AS (
    SELECT 1 FROM events WHERE company_id = $1 AND id = ANY($2) ORDER BY id FOR NO KEY UPDATE)
  SELECT count(*) FROM locked`)

/** The caller holds the import lock. */
export async function repairAssignments(
  db: Db,
  companyId: string,
  eventIds: readonly string[],
): Promise<void> {
  await queryRows(db, LOCK_EVENTS, [companyId, eventIds])
  await refreshEventAssignments(db, companyId, eventIds)
}
