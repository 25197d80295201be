/** Removes a task from the checklist of its event. */
import { ApiError } from '../core/requests/errors.ts'
import { TASK } from '../records/task/object.ts'
import { deleteTaskRow, findTask } from '../records/task/queries.ts'
import { defineAction } from './action.ts'
import { subjectOf } from './subjects.ts'

export const deleteTask = defineAction({
  name: 'deleteTask',
  lock: 'first',
  run: async ({ db, companyId, presentation, record }, { id }: { id: string }) => {
    const row = await findTask(db, companyId, id)
    if (row === null) throw new ApiError('not_found', { message: 'Task not found', param: 'id' })
    await deleteTaskRow(db, companyId, id)
    record('task.deleted', subjectOf(TASK.present(row, presentation)), null)
  },
})
