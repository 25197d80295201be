/** Events: what takes place, where, and with whom. */
import type { Page, ReadPage } from '../../core/requests/page.ts'
import type { TimeRange } from '../../core/schedule/time-range.ts'
import { isPossibleId } from '../../core/ids.ts'
import { identifiers, sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import type { Db } from '../../db/statement.ts'
import { columnName } from '../../codec/column.ts'
import { defineFields, pick, publicColumns } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { emptyPage, listPage } from '../../codec/list.ts'
import { finderById, loaderByOwner, lockerById } from '../../codec/load.ts'
import type { Packed } from '../../codec/packed-row.ts'
import { EVENT_COLUMNS } from './columns.ts'

export const EVENT_FIELDS = defineFields({
  ...publicColumns(EVENT_COLUMNS),
  ...pick(EVENT_COLUMNS, 'serviceIds', 'addonIds', 'staffIds', 'resourceIds'),
})

export type EventRow = RowIn<typeof EVENT_FIELDS>

export const loadEventsOfBookings = loaderByOwner(
  EVENT_COLUMNS,
  EVENT_FIELDS,
  sql`booking_id`,
  sql`t.service_start_time, t.id`,
)

export const findEvent = finderById(EVENT_COLUMNS, EVENT_FIELDS)

export const lockEvent = lockerById(EVENT_COLUMNS, EVENT_FIELDS)

interface EventFilters {
  locationId: string | undefined
  bookingId: string | undefined
  staffId: string | undefined
  resourceId: string | undefined
  createdAt: TimeRange | null
  updatedAt: TimeRange | null
  serviceStartTime: TimeRange | null
}

/** Newest first. */
export async function listEvents(
  db: Db,
  companyId: string,
  { staffId, resourceId, ...filters }: EventFilters,
  page: Page,
): Promise<ReadPage<Packed<EventRow>>> {
  const assigned = [
    { kind: sql`'staff'`, column: sql`t.staff_ids`, id: staffId },
    { kind: sql`'resource'`, column: sql`t.resource_ids`, id: resourceId },
  ].flatMap(({ id, ...assignee }) => (id === undefined ? [] : [{ ...assignee, id }]))
  if (!assigned.every(({ id }) => isPossibleId(id))) return emptyPage(page.startingAfter)
  const listed = {
    recordType: EVENT_COLUMNS,
    fields: EVENT_FIELDS,
    where: assigned.map(({ column, id }) => sql`${id} = ANY(${column})`),
    inListOrder: assigned.map(({ kind, id }) => eventsOf(kind, id))[0],
  }
  return listPage(db, companyId, listed, filters, page)
}

const OTHER_COLUMNS = identifiers(
  Object.keys(EVENT_COLUMNS.columns)
    .map(columnName)
    .filter((name) => !['company_id', 'id', 'created_at'].includes(name)),
)

/** The events of an assignee, by an index in the order of the list. LIMIT makes it one lookup per event in any plan. */
const eventsOf = (kind: Sql, assigneeId: string) => sql`(
  SELECT a.company_id, a.event_id AS id, a.event_created_at AS created_at, ${OTHER_COLUMNS}
  FROM event_assignments a
  CROSS JOIN LATERAL (
    SELECT ${OTHER_COLUMNS} FROM events WHERE company_id = a.company_id AND id = a.event_id LIMIT 1) e
  WHERE a.company_id = $1 AND a.kind = ${kind} AND a.assignee_id = ${assigneeId})`
