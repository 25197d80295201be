/** POST /events/{id} and POST /events/{id}/cancel. */
import { cancelEvent as cancelAction } from '../actions/cancel-event.ts'
import { EventChangesInput } from '../actions/event-input.ts'
import { updateEvent as updateAction } from '../actions/update-event.ts'
import { expandedSchema } from './expansion/schemas.ts'
import { EmptyBody, withId, writeEndpoint } from './write.ts'

const EVENTS = { tag: 'Events', idOf: 'event', response: expandedSchema('event') } as const

const EVENT_CANCELED = { message: 'This event is canceled, so it can no longer change.' }

export const updateEvent = writeEndpoint({
  ...EVENTS,
  operation: 'updateEvent',
  path: '/api/events/:id',
  summary: 'Change an event',
  description: `Changes the members that are sent. Null clears a member that can be null. \`staffIds\` and \`resourceIds\` are complete lists.
Send both times of the service or the shift; two nulls clear the shift. No price changes.

If staff or resources are busy at another event, the response is a 409 that names one of them, unless \`allowOverlap\` is true.`,
  body: EventChangesInput,
  errors: {
    event_canceled: EVENT_CANCELED,
    schedule_conflict: {
      message:
        'staff_0024 is busy at the event event_0241_2 from 2026-12-05T16:00:00.000Z to 2026-12-05T23:00:00.000Z. Send allowOverlap to save it anyway.',
    },
  },
  action: updateAction,
  input: withId,
})

export const cancelEvent = writeEndpoint({
  ...EVENTS,
  operation: 'cancelEvent',
  path: '/api/events/:id/cancel',
  summary: 'Cancel an event',
  description: 'Sets `canceledAt` to the current time. Staff and resources of the event are available again.',
  errors: { event_canceled: EVENT_CANCELED },
  body: EmptyBody,
  action: cancelAction,
  input: withId,
})
