/** The event object, without its relations. */
import { publicObject } from '../../codec/public-object.ts'
import { EVENT_COLUMNS } from './columns.ts'
import { EVENT_FIELDS } from './queries.ts'

export const EVENT = publicObject(EVENT_COLUMNS, EVENT_FIELDS, {})
