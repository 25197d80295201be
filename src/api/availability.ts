/** GET /availability: when staff and resources are busy. */
import { z } from 'zod'
import { ApiError } from '../core/requests/errors.ts'
import { groupBusy, rangeProblem } from '../core/schedule/busy.ts'
import { cutToMilliseconds } from '../core/schedule/datetime.ts'
import { id } from '../codec/schemas.ts'
import { listAvailability } from '../records/event/busy.ts'
import type { Endpoint } from './endpoint.ts'
import { exampleOf } from './examples.ts'
import { dateTime, readParameters, refuseExpand } from './parameters.ts'

const Time = z.string().meta({ format: 'date-time' })

const Assignees = (what: string) =>
  z.array(
    z.strictObject({
      id: id(what),
      busy: z
        .array(z.strictObject({ eventId: id('event'), from: Time, to: Time }))
        .meta({ description: 'Events that overlap the range, with their full times.' }),
    }),
  )

const Availability = z
  .strictObject({
    object: z.literal('availability'),
    from: Time,
    to: Time,
    staff: Assignees('staff member'),
    resources: Assignees('resource'),
  })
  .meta({ id: 'Availability', description: 'When active staff and resources are busy.' })

const bound = (name: string, description: string, example: string) =>
  dateTime(name, description).unwrap().meta({ description, example })

const Query = z.object({
  from: bound('from', 'Beginning of the range.', '2026-12-01T00:00:00Z'),
  to: bound('to', 'End of the range, at most 31 days later.', '2026-12-31T00:00:00Z'),
})

export const getAvailability: Endpoint = {
  operation: 'getAvailability',
  method: 'GET',
  path: '/api/availability',
  errorShape: 'structured',
  tag: 'Events',
  summary: 'Get availability',
  description: `Active staff and resources by id, each with the events that keep them busy in the range. An event does so from the start
of its shift to the end, or of its service if the shift is not set. Canceled events, and events of canceled bookings, do not count.`,
  query: Query,
  status: 200,
  response: Availability,
  example: exampleOf('getAvailability'),
  errors: { invalid_parameter: { message: 'to must be after from', param: 'to' } },
  answer: async ({ db, companyId, query }) => {
    const { from, to } = readParameters(Query, query, refuseExpand('Availability'))
    const problem = rangeProblem(from, to)
    if (problem !== null) throw new ApiError('invalid_parameter', { message: problem, param: 'to' })
    const rows = await listAvailability(db, companyId, { from, to })
    const range = { from: cutToMilliseconds(from), to: cutToMilliseconds(to) }
    return { body: { object: 'availability', ...range, ...groupBusy(rows) } }
  },
}
