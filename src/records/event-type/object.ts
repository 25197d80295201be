/** The event type object. */
import { publicObject } from '../../codec/public-object.ts'
import { EVENT_TYPE_COLUMNS } from './columns.ts'
import { EVENT_TYPE_FIELDS } from './queries.ts'

export const EVENT_TYPE = publicObject(
  EVENT_TYPE_COLUMNS,
  EVENT_TYPE_FIELDS,
  {},
  { id: 'EventType', description: 'The kind of event.' },
)
