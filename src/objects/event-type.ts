/** The event type object. */
import { z } from 'zod'
import type { EventTypeRow } from '../db/event-types.ts'
import { id } from './fields.ts'

export const EventType = z
  .strictObject({ object: z.literal('eventType'), id: id('event type'), name: z.string() })
  .meta({ id: 'EventType', description: 'What kind of event it is.' })

export function presentEventType(row: EventTypeRow): z.output<typeof EventType> {
  return { object: 'eventType', ...row }
}
