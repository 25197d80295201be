/** Event types. */
import type { Db } from '../../db/connect.ts'
import { defineFields } from '../../codec/fields.ts'
import { BY_NAME, CHOICES_MAX, loaderById } from '../../codec/load.ts'
import { listObjects, selectFields } from '../../codec/select.ts'

export interface EventTypeRow {
  id: string
  name: string
}

export const EVENT_TYPE_FIELDS = defineFields<EventTypeRow>('id name')

export const loadEventTypes = loaderById<EventTypeRow>('event_types', EVENT_TYPE_FIELDS, 't.id')

const LIST_EVENT_TYPES = selectFields(EVENT_TYPE_FIELDS, {
  from: 'event_types t WHERE t.company_id = $1',
  orderBy: `${BY_NAME} LIMIT ${CHOICES_MAX}`,
})

/** Those to choose from, by name. */
export async function listEventTypes(db: Db, companyId: string): Promise<EventTypeRow[]> {
  return listObjects(db, LIST_EVENT_TYPES, [companyId])
}
