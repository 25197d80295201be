/** Event types. */
import { CHOICES_MAX } from '../../core/quotes/quote-choices.ts'
import { literal, sql } from '../../db/sql.ts'
import type { Db } from '../../db/statement.ts'
import { defineFields, publicColumns } from '../../codec/fields.ts'
import { archivableLister } from '../../codec/list.ts'
import { BY_NAME, finderById, loaderById } from '../../codec/load.ts'
import { listObjects, selectFields } from '../../codec/select.ts'
import { publicObject } from '../../codec/public-object.ts'
import { EVENT_TYPE_COLUMNS } from './columns.ts'

const EVENT_TYPE_FIELDS = defineFields(publicColumns(EVENT_TYPE_COLUMNS))

export const findEventType = finderById(EVENT_TYPE_COLUMNS, EVENT_TYPE_FIELDS)

/** Newest first. */
export const listNewestEventTypes = archivableLister({
  recordType: EVENT_TYPE_COLUMNS,
  fields: EVENT_TYPE_FIELDS,
})

export const loadEventTypes = loaderById(EVENT_TYPE_COLUMNS, EVENT_TYPE_FIELDS)

const LIST_EVENT_TYPES = selectFields(EVENT_TYPE_FIELDS, {
  from: sql`event_types t WHERE t.company_id = $1`,
  orderBy: sql`${BY_NAME} LIMIT ${literal(CHOICES_MAX)}`,
})

/** To choose from, by name. */
export async function listEventTypes(db: Db, companyId: string) {
  return listObjects(db, LIST_EVENT_TYPES, [companyId])
}

export const EVENT_TYPE = publicObject(
  EVENT_TYPE_COLUMNS,
  EVENT_TYPE_FIELDS,
  {},
  { id: 'EventType', description: 'The kind of event.' },
)
