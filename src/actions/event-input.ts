/** The members of an event that can be written. Times are changed in pairs. */
import { z } from 'zod'
import { asEmail, bodyShape } from '../codec/body-schema.ts'
import { parseDateTime } from '../core/schedule/datetime.ts'
import { EVENT_COLUMNS } from '../records/event/columns.ts'

const PAIRS = [
  ['serviceStartTime', 'serviceEndTime'],
  ['shiftStartTime', 'shiftEndTime'],
] as const

const isTime = (value: unknown): value is string => typeof value === 'string' && parseDateTime(value) !== null

const members = bodyShape(
  EVENT_COLUMNS,
  'name',
  'clientName',
  'clientEmail',
  'clientPhone',
  'siteContactName',
  'siteContactPhone',
  'eventDescription',
  'eventAddress',
  'additionalLocationInfo',
  'parkingLoadingInfo',
  'specialNotes',
  'staffDressCode',
  'guestCount',
  'staffNumber',
  'resourceNumber',
  'outdoors',
  'tipJarAllowed',
  'locationId',
  'serviceStartTime',
  'serviceEndTime',
  'shiftStartTime',
  'shiftEndTime',
  'staffIds',
  'resourceIds',
)

export const EventChangesInput = z
  .strictObject({
    ...members,
    clientEmail: asEmail(members.clientEmail),
    allowOverlap: z
      .boolean('must be true or false')
      .optional()
      .meta({ description: 'Saves the event even if staff or resources are busy.' }),
  })
  .superRefine(
    (event, context) => {
      const fail = (name: string, message: string) =>
        context.addIssue({ code: 'custom', path: [name], message })
      for (const [startName, endName] of PAIRS) {
        const [start, end] = [event[startName], event[endName]]
        if ((start === undefined) !== (end === undefined)) {
          fail(start === undefined ? startName : endName, 'is required')
        } else if (start === null && isTime(end)) fail(startName, `must be set together with ${endName}`)
        else if (isTime(start) && end === null) fail(endName, `must be set together with ${startName}`)
        else if (isTime(start) && isTime(end) && start >= end) fail(endName, `must be after ${startName}`)
      }
    },
    // Also if another member is invalid, so that the first error of the body is reported.
    { when: ({ value }) => typeof value === 'object' && value !== null },
  )
  .meta({ id: 'EventChangesBody' })

export type EventChangesInput = z.output<typeof EventChangesInput>
