/** The limits of a task's fields, for the API and the application. */
import { z } from 'zod'
import { cutToMilliseconds, parseDateTime } from '../core/schedule/datetime.ts'
import { hasAtMostCodePoints } from '../core/ids.ts'

const DESCRIPTION_MAX = 10_000
/** Not white space by Unicode (with U+0085) or by JavaScript (with U+FEFF). */
const VISIBLE = /[^\p{White_Space}\ufeff]/u

export const DUE_DATE_MESSAGE =
  'dueDate must be an ISO 8601 date-time with a time zone, such as 2026-05-01T09:30:00Z'

export const TaskDescription = z
  .string('description must be a string')
  .refine((text) => VISIBLE.test(text), 'description must not be empty or blank')
  .refine(
    (text) => hasAtMostCodePoints(text, DESCRIPTION_MAX),
    `description must have at most ${DESCRIPTION_MAX} characters`,
  )
  .refine((text) => !text.includes('\0'), 'description must not contain a NUL character')
  .meta({ description: `Text of the task, at most ${DESCRIPTION_MAX} characters.` })

export const TaskDueDate = z
  .string('dueDate must be a string')
  .refine((text) => parseDateTime(text) !== null, DUE_DATE_MESSAGE)

/** ISO 8601 in UTC with milliseconds. */
export const StoredTime = z
  .string()
  .refine((text) => readDueDate(text) === text, 'must be an ISO 8601 date-time in UTC with milliseconds')

/** As it is stored. */
export function readDueDate(dueDate: string | null | undefined): string | null {
  const instant = typeof dueDate === 'string' ? parseDateTime(dueDate) : null
  return instant === null ? null : cutToMilliseconds(instant)
}
