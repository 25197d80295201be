/** The event type object. */
import { z } from 'zod'
import { EVENT_TYPE_FIELDS } from './queries.ts'
import { id } from '../../codec/schemas.ts'
import { publicObject } from '../../codec/public-object.ts'

const EventType = z
  .strictObject({ object: z.literal('eventType'), id: id('event type'), name: z.string() })
  .meta({ id: 'EventType', description: 'What kind of event it is.' })

export const EVENT_TYPE = publicObject(EventType, EVENT_TYPE_FIELDS, {})
