/** POST /events/{id} and POST /events/{id}/cancel. */
import { cancelEvent as cancelAction } from '../actions/cancel-event.ts'
import { EventChangesInput } from '../actions/event-input.ts'
import { updateEvent as updateAction } from '../actions/update-event.ts'
import type { Endpoint } from './endpoint.ts'
import { exampleOf } from './examples.ts'
import { expandedSchema } from './expansion/schemas.ts'
import { notFound } from './read-endpoints.ts'
import { EmptyBody, WRITE, answerWrite } from './write.ts'

const EVENTS = {
  ...WRITE,
  tag: 'Events',
  idOf: 'event',
  response: expandedSchema('event'),
  errors: {
    ...WRITE.errors,
    not_found: notFound('event'),
    event_canceled: { message: 'This event is canceled, so it can no longer change.' },
  },
} as const

export const updateEvent: Endpoint = {
  ...EVENTS,
  operation: 'updateEvent',
  path: '/api/events/:id',
  summary: 'Change an event',
  description: `Changes the members that are sent. Null clears a member that can be null. \`staffIds\` and \`resourceIds\` are complete lists.
Send both times of the service or the shift; two nulls clear the shift. No price changes.

If staff or resources are busy at another event, the response is a 409 that names one of them, unless \`allowOverlap\` is true.`,
  body: EventChangesInput,
  example: exampleOf('updateEvent'),
  errors: {
    ...EVENTS.errors,
    schedule_conflict: {
      message:
        'staff_0024 is busy at the event event_0241_2 from 2026-12-05T16:00:00.000Z to 2026-12-05T23:00:00.000Z. Send allowOverlap to save it anyway.',
    },
  },
  answer: (call) =>
    answerWrite(call, {
      action: updateAction,
      body: EventChangesInput,
      input: (body) => ({ ...body, id: call.id }),
    }),
}

export const cancelEvent: Endpoint = {
  ...EVENTS,
  operation: 'cancelEvent',
  path: '/api/events/:id/cancel',
  summary: 'Cancel an event',
  description: 'Sets `canceledAt` to the current time. Staff and resources of the event are available again.',
  body: EmptyBody,
  example: exampleOf('cancelEvent'),
  answer: (call) =>
    answerWrite(call, { action: cancelAction, body: EmptyBody, input: () => ({ id: call.id }) }),
}
