/** Event types in the application. */
import { defineKind } from '../kind.ts'
import { EVENT_TYPE_COLUMNS } from './columns.ts'

export const EVENT_TYPE_KIND = defineKind(EVENT_TYPE_COLUMNS, {
  path: 'event-types',
  noun: 'event_type',
  label: 'event type',
  idPrefix: 'type',
  editable: ['name'],
})
