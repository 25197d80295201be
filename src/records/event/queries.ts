/** Events: what takes place, where, and with whom. */
import { sql } from '../../db/sql.ts'
import { defineFields, pick, publicColumns } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { finderById, loaderByOwner } from '../../codec/load.ts'
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
