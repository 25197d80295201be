/** The agenda: the events in a time range with everything that a list of them shows, in one statement. */
import { isPossibleId } from '../../core/ids.ts'
import { CHOICES_MAX } from '../../core/quotes/quote-choices.ts'
import { EMPTY, literal, sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import type { Db } from '../../db/statement.ts'
import { boolean, integer } from '../../codec/column-types.ts'
import { defineFields, pick } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { BY_NAME } from '../../codec/load.ts'
import { listObjects, selectFields } from '../../codec/select.ts'
import { LOCATION_COLUMNS } from '../location/columns.ts'
import { EVENT_COLUMNS } from './columns.ts'

/** The maximum number of events on the page. */
export const AGENDA_MAX = 2_000

const { id, name, timeZone } = LOCATION_COLUMNS.columns

const AGENDA = defineFields({
  ...pick(EVENT_COLUMNS, 'id', 'name', 'clientName', 'serviceStartTime', 'serviceEndTime'),
  /** Null if the company has no such location. */
  locationId: id.nullable().sql(sql`l.id`),
  locationName: name.nullable().sql(sql`l.name`),
  timeZone: timeZone.nullable().sql(sql`l.time_zone`),
  /** Whether its booking was canceled. No EXISTS: the planner would read all bookings of the company at once. */
  canceled: boolean().sql(sql`coalesce((
      SELECT b.canceled_at IS NOT NULL FROM bookings b WHERE b.company_id = $1 AND b.id = t.booking_id), false)`),
  guestCount: EVENT_COLUMNS.columns.guestCount,
  /** Assigned staff members that exist, and the number needed. */
  staffCount: integer().sql(
    sql`(SELECT count(*) FROM staff s WHERE s.company_id = $1 AND s.id = ANY(t.staff_ids))`,
  ),
  staffNumber: EVENT_COLUMNS.columns.staffNumber,
  taskCount: integer().sql(sql`k.task_count`),
  openTaskCount: integer().sql(sql`k.open_task_count`),
})

export type AgendaRow = RowIn<typeof AGENDA>

/**
 * The index is by start time, so events that started earlier are found up to a month back. One extra row tells whether there
 * are more.
 */
const selectAgenda = (filter: Sql) =>
  selectFields(AGENDA, {
    from: sql`(
      SELECT * FROM events e
      WHERE e.company_id = $1 AND e.service_start_time >= $2::timestamptz - interval '31 days'
        AND e.service_start_time < $3 AND (e.service_start_time >= $2 OR e.service_end_time > $2)${filter}
      ORDER BY e.service_start_time, e.id
      LIMIT ${literal(AGENDA_MAX + 1)}
    ) t
    LEFT JOIN LATERAL (
      SELECT l.id, l.name, l.time_zone FROM locations l WHERE l.company_id = $1 AND l.id = t.location_id LIMIT 1
    ) l ON true
    CROSS JOIN LATERAL (
      SELECT count(*) AS task_count, count(*) FILTER (WHERE k.completed_at IS NULL) AS open_task_count
      FROM tasks k WHERE k.company_id = $1 AND k.event_id = t.id
    ) k`,
    orderBy: sql`t.service_start_time, t.id`,
  })

const LIST_AGENDA = selectAgenda(EMPTY)
const LIST_AGENDA_OF_LOCATION = selectAgenda(sql` AND e.location_id = $4`)

/** Events that overlap the range from `from` to before `before`, by start, then id. */
export async function listAgenda(
  db: Db,
  companyId: string,
  from: string,
  before: string,
  { locationId }: { locationId?: string | undefined } = {},
): Promise<{ rows: AgendaRow[]; hasMore: boolean }> {
  if (locationId !== undefined && !isPossibleId(locationId)) return { rows: [], hasMore: false }
  const rows =
    locationId === undefined
      ? await listObjects(db, LIST_AGENDA, [companyId, from, before])
      : await listObjects(db, LIST_AGENDA_OF_LOCATION, [companyId, from, before, locationId])
  return { rows: rows.slice(0, AGENDA_MAX), hasMore: rows.length > AGENDA_MAX }
}

const PLACE = defineFields(pick(LOCATION_COLUMNS, 'id', 'name', 'timeZone'))

export type PlaceRow = RowIn<typeof PLACE>

const LIST_PLACES = selectFields(PLACE, {
  from: sql`(SELECT * FROM locations l WHERE l.company_id = $1 ORDER BY l.id LIMIT ${literal(CHOICES_MAX)}) t`,
  orderBy: BY_NAME,
})

/** Locations to choose from, by name. */
export async function listPlaces(db: Db, companyId: string): Promise<PlaceRow[]> {
  return listObjects(db, LIST_PLACES, [companyId])
}
