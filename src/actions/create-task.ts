/** Adds a task to the checklist of an event. */
import { newId } from '../core/ids.ts'
import { ApiError } from '../core/requests/errors.ts'
import { TASK } from '../records/task/object.ts'
import { insertTask } from '../records/task/queries.ts'
import { defineAction } from './action.ts'
import { subjectOf } from './subjects.ts'

export interface NewTask {
  eventId: string
  description: string
  /** ISO 8601 in UTC with milliseconds. */
  dueDate: string | null
}

export const createTask = defineAction({
  name: 'createTask',
  lock: 'last',
  run: async ({ db, companyId, presentation, record }, task: NewTask) => {
    const row = await insertTask(db, companyId, { ...task, id: newId('task') })
    if (row === null) throw new ApiError('not_found', { message: 'Event not found' })
    const created = TASK.present(row, presentation)
    record('task.created', null, subjectOf(created))
    return created
  },
})
