/** Events: what takes place, where, and with whom. */
import { isPossibleId } from '../../core/ids.ts'
import { sql } from '../../db/sql.ts'
import type { Db } from '../../db/statement.ts'
import { defineFields, pick, publicColumns } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { loaderByOwner } from '../../codec/load.ts'
import type { Packed } from '../../codec/packed-row.ts'
import { findRow, selectFields } from '../../codec/select.ts'
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

const FIND_EVENT = selectFields(EVENT_FIELDS, {
  from: sql`events t WHERE t.company_id = $1 AND t.id = $2`,
  orderBy: sql`t.id`,
})

export async function findEvent(db: Db, companyId: string, id: string): Promise<Packed<EventRow> | null> {
  if (!isPossibleId(id)) return null
  return findRow(db, FIND_EVENT, [companyId, id])
}
