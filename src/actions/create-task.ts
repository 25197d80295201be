/** Adds a task to the checklist of an event. */
import { z } from 'zod'
import { USERS_AND_KEYS } from '../core/callers.ts'
import { newId } from '../core/ids.ts'
import { ApiError } from '../core/requests/errors.ts'
import { TASK } from '../records/task/object.ts'
import { insertTask } from '../records/task/queries.ts'
import { defineAction } from './action.ts'
import { subjectOf } from './subjects.ts'
import { StoredTime, TaskDescription } from './task-fields.ts'

const NewTask = z.strictObject({
  eventId: z.string(),
  description: TaskDescription,
  dueDate: StoredTime.nullable(),
})
export type NewTask = z.output<typeof NewTask>

export const createTask = defineAction({
  name: 'createTask',
  allowed: USERS_AND_KEYS,
  input: NewTask,
  lock: 'last',
  run: async ({ db, companyId, presentation, record }, task) => {
    const row = await insertTask(db, companyId, { ...task, id: newId('task') })
    if (row === null) throw new ApiError('not_found', { message: 'Event not found' })
    const created = TASK.present(row, presentation)
    record('task.created', null, subjectOf(created))
    return created
  },
})
