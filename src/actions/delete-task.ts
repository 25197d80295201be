/** Removes a task from the checklist of its event. */
import { USERS_AND_KEYS } from '../core/callers.ts'
import { ApiError } from '../core/requests/errors.ts'
import { TASK } from '../records/task/object.ts'
import { deleteTaskRow, findTask } from '../records/task/queries.ts'
import { defineAction } from './action.ts'
import { subjectOf } from './subjects.ts'
import { Target } from './targets.ts'

export const deleteTask = defineAction({
  name: 'deleteTask',
  allowed: USERS_AND_KEYS,
  input: Target,
  lock: 'first',
  run: async ({ db, companyId, presentation, record }, { id }) => {
    const row = await findTask(db, companyId, id)
    if (row === null) throw new ApiError('not_found', { message: 'Task not found', param: 'id' })
    await deleteTaskRow(db, companyId, id)
    record('task.deleted', subjectOf(TASK.present(row, presentation)), null)
  },
})
