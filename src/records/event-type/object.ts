/** Event types. */
import { CHOICES_MAX } from '../../core/quotes/quote-choices.ts'
import { literal, sql } from '../../db/sql.ts'
import type { Db } from '../../db/statement.ts'
import { archivableLister } from '../../codec/list.ts'
import { BY_NAME } from '../../codec/load.ts'
import { listObjects, selectFields } from '../../codec/select.ts'
import { publicRecord } from '../../codec/public-record.ts'
import { EVENT_TYPE_COLUMNS } from './columns.ts'

const EVENT_TYPES = publicRecord(EVENT_TYPE_COLUMNS, {
  documentation: { id: 'EventType', description: 'The kind of event.' },
})

export const { object: EVENT_TYPE, find: findEventType, load: loadEventTypes } = EVENT_TYPES

/** Newest first. */
export const listNewestEventTypes = archivableLister({
  recordType: EVENT_TYPE_COLUMNS,
  fields: EVENT_TYPES.fields,
})

const LIST_EVENT_TYPES = selectFields(EVENT_TYPES.fields, {
  from: sql`event_types t WHERE t.company_id = $1`,
  orderBy: sql`${BY_NAME} LIMIT ${literal(CHOICES_MAX)}`,
})

/** To choose from, by name. */
export async function listEventTypes(db: Db, companyId: string) {
  return listObjects(db, LIST_EVENT_TYPES, [companyId])
}
