/** Busy times of staff and resources. Events that are canceled, or whose booking is canceled, do not count. */
import type { BusyRange } from '../../core/schedule/busy.ts'
import { id, oneOf, time } from '../../codec/column-types.ts'
import { defineFields } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { queryObjects } from '../../codec/select.ts'
import { sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'

/** Of an assignment `a`. One lookup each, for the few that overlap. */
const COUNTS = sql`EXISTS (
  SELECT 1 FROM events e
  WHERE e.company_id = $1 AND e.id = a.event_id AND e.canceled_at IS NULL AND NOT EXISTS (
    SELECT 1 FROM bookings b WHERE b.company_id = $1 AND b.id = e.booking_id AND b.canceled_at IS NOT NULL))`

const OVERLAP = defineFields({
  assigneeId: id('assignee').sql(sql`a.assignee_id`),
  eventId: id('event').sql(sql`a.event_id`),
  from: time()
    .sql(sql`a.busy_from`)
    .iso(),
  to: time()
    .sql(sql`a.busy_to`)
    .iso(),
})

type Overlap = RowIn<typeof OVERLAP>

const FIND_OVERLAP = statement(sql`
  SELECT ${OVERLAP.selectList} FROM event_assignments a
  WHERE a.company_id = $1
    AND (a.kind = 'staff' AND a.assignee_id = ANY($2) OR a.kind = 'resource' AND a.assignee_id = ANY($3))
    AND a.busy_to > $4 AND a.busy_from < $5 AND a.event_id <> $6 AND ${COUNTS}
  ORDER BY a.busy_from, a.event_id, a.kind DESC, a.assignee_id LIMIT 1`)

/** The first assignment of one of them to another event in the range; null if all are available. */
export async function findOverlap(
  db: Db,
  companyId: string,
  assignees: { staffIds: readonly string[]; resourceIds: readonly string[] },
  { from, to }: BusyRange,
  exceptEventId: string,
): Promise<Overlap | null> {
  const { staffIds, resourceIds } = assignees
  if (staffIds.length === 0 && resourceIds.length === 0) return null
  const values = [companyId, staffIds, resourceIds, from, to, exceptEventId]
  const [overlap] = await queryObjects(db, OVERLAP, FIND_OVERLAP, values)
  return overlap ?? null
}

const IS_BOOKING_CANCELED = statement(sql`
  SELECT 1 FROM bookings WHERE company_id = $1 AND id = $2 AND canceled_at IS NOT NULL`)

export async function isBookingCanceled(db: Db, companyId: string, bookingId: string): Promise<boolean> {
  return (await queryRows(db, IS_BOOKING_CANCELED, [companyId, bookingId])).length > 0
}

const AVAILABILITY = defineFields({
  kind: oneOf(['staff', 'resource']).sql(sql`x.kind`),
  id: id('assignee').sql(sql`x.id`),
  eventId: id('event')
    .nullable()
    .sql(sql`a.event_id`),
  from: time()
    .nullable()
    .iso()
    .sql(sql`a.busy_from`),
  to: time()
    .nullable()
    .iso()
    .sql(sql`a.busy_to`),
})

const LIST_AVAILABILITY = statement(sql`
  SELECT ${AVAILABILITY.selectList}
  FROM (
    SELECT 'staff' AS kind, id FROM staff WHERE company_id = $1 AND status = 'active' AND archived_at IS NULL
    UNION ALL SELECT 'resource', id FROM resources WHERE company_id = $1 AND status = 'Active' AND archived_at IS NULL
  ) x
  LEFT JOIN LATERAL (
    SELECT a.event_id, a.busy_from, a.busy_to FROM event_assignments a
    WHERE a.company_id = $1 AND a.kind = x.kind AND a.assignee_id = x.id AND a.busy_to > $2 AND a.busy_from < $3
      AND ${COUNTS}
  ) a ON true
  ORDER BY x.kind, x.id COLLATE "C", a.busy_from, a.event_id`)

/** Active staff and resources that are not archived, by id, each with its assignments in the range, or once without. */
export async function listAvailability(
  db: Db,
  companyId: string,
  { from, to }: BusyRange,
): Promise<RowIn<typeof AVAILABILITY>[]> {
  return queryObjects(db, AVAILABILITY, LIST_AVAILABILITY, [companyId, from, to])
}
