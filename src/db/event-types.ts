/** Event types. */
import { loaderById } from './load.ts'

export interface EventTypeRow {
  id: string
  name: string
}

export const loadEventTypes = loaderById<EventTypeRow>('event_types', 'id name', 't.id')
