/** The agenda: what takes place in a stretch of time, with all that a list of it shows, in one statement. */
import { isPossibleId } from '../../core/ids.ts'
import type { Db } from '../../db/connect.ts'
import { defineFields } from '../../codec/fields.ts'
import { BY_NAME } from '../../codec/load.ts'
import { listObjects, selectFields } from '../../codec/select.ts'

export interface AgendaRow {
  id: string
  name: string | null
  clientName: string | null
  serviceStartTime: string
  serviceEndTime: string
  /** Null where the event names none that the company has. */
  locationId: string | null
  locationName: string | null
  timeZone: string | null
  /** Its booking was canceled. */
  canceled: boolean
  guestCount: number | null
  /** Staff assigned, those that exist, and staff needed. */
  staffCount: number
  staffNumber: number
  taskCount: number
  openTaskCount: number
}

/** More is no longer a page for people. */
export const AGENDA_MAX = 2_000

const AGENDA = defineFields<AgendaRow>(
  `id name? clientName? serviceStartTime:time serviceEndTime:time locationId? locationName? timeZone?
    canceled:boolean guestCount?:number staffCount:number staffNumber:number taskCount:number
    openTaskCount:number`,
  {
    locationId: 'l.id',
    locationName: 'l.name',
    timeZone: 'l.time_zone',
    // No EXISTS: the planner would rather read all bookings of the company at once than look up each.
    canceled: `coalesce((
      SELECT b.canceled_at IS NOT NULL FROM bookings b WHERE b.company_id = $1 AND b.id = t.booking_id), false)`,
    staffCount: '(SELECT count(*) FROM staff s WHERE s.company_id = $1 AND s.id = ANY(t.staff_ids))',
    taskCount: 'k.task_count',
    openTaskCount: 'k.open_task_count',
  },
)

/**
 * The index is by the start, so a long event that has begun before is looked for a month back, not through all the years.
 * One row more than is shown tells that there are more.
 */
const agendaStatement = (filter: string) =>
  selectFields(AGENDA, {
    from: `(
      SELECT * FROM events e
      WHERE e.company_id = $1 AND e.service_start_time >= $2::timestamptz - interval '31 days'
        AND e.service_start_time < $3 AND (e.service_start_time >= $2 OR e.service_end_time > $2)${filter}
      ORDER BY e.service_start_time, e.id
      LIMIT ${AGENDA_MAX + 1}
    ) t
    LEFT JOIN LATERAL (
      SELECT l.id, l.name, l.time_zone FROM locations l WHERE l.company_id = $1 AND l.id = t.location_id LIMIT 1
    ) l ON true
    CROSS JOIN LATERAL (
      SELECT count(*) AS task_count, count(*) FILTER (WHERE k.completed_at IS NULL) AS open_task_count
      FROM tasks k WHERE k.company_id = $1 AND k.event_id = t.id
    ) k`,
    orderBy: 't.service_start_time, t.id',
  })

const LIST_AGENDA = agendaStatement('')
const LIST_AGENDA_OF_LOCATION = agendaStatement(' AND e.location_id = $4')

/** Events that take place at some moment from `from` on and before `before`, by start, then id. */
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

export interface PlaceRow {
  id: string
  name: string
  timeZone: string
}

const LIST_PLACES = selectFields(defineFields<PlaceRow>('id name timeZone'), {
  from: '(SELECT * FROM locations l WHERE l.company_id = $1 ORDER BY l.id LIMIT 1000) t',
  orderBy: BY_NAME,
})

/** Where events can take place, by name: to choose one from, so not more than anybody can look through. */
export async function listPlaces(db: Db, companyId: string): Promise<PlaceRow[]> {
  return listObjects(db, LIST_PLACES, [companyId])
}
