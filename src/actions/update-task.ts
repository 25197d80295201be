/** Changes a task, and completes or reopens it. */
import { previousOf, splitPrevious } from '../core/change-log/previous.ts'
import { ApiError } from '../core/requests/errors.ts'
import { TASK } from '../records/task/object.ts'
import { findTask, updateTaskRow } from '../records/task/queries.ts'
import { defineAction } from './action.ts'
import { subjectOf } from './subjects.ts'

export interface TaskChanges {
  id: string
  description?: string | undefined
  /** ISO 8601 in UTC with milliseconds, or null for none. */
  dueDate?: string | null | undefined
  completed?: boolean | undefined
  /** Refuses the change if the task was changed since. */
  ifUpdatedAt?: string | undefined
}

const COMPLETION = ['completed', 'completedAt']

export const updateTask = defineAction({
  name: 'updateTask',
  lock: 'first',
  run: async ({ db, companyId, presentation, record }, { id, ifUpdatedAt, ...changes }: TaskChanges) => {
    const row = await findTask(db, companyId, id)
    if (row === null) throw new ApiError('not_found', { message: 'Task not found', param: 'id' })
    const before = TASK.present(row, presentation)
    if (ifUpdatedAt !== undefined && ifUpdatedAt !== before.updatedAt) {
      throw new ApiError('conflict', { message: conflictMessage(before.updatedAt) })
    }
    const {
      description = before.description,
      dueDate = before.dueDate,
      completed = before.completed,
    } = changes
    const isSame =
      description === before.description && dueDate === before.dueDate && completed === before.completed
    if (isSame) return before
    const values = { description, dueDate, completed }
    const after = TASK.present(await updateTaskRow(db, companyId, id, values), presentation)
    const [old, current] = [subjectOf(before), subjectOf(after)]
    const previous = previousOf(before, after)
    if (completed && !before.completed) {
      const { named, rest } = splitPrevious(previous, COMPLETION)
      record('task.completed', old, current, { previous: named })
      if (Object.keys(rest).length > 0) record('task.updated', old, current, { previous: rest })
    } else record('task.updated', old, current)
    return after
  },
})

function conflictMessage(updatedAt: string): string {
  return `Someone else changed this task at ${updatedAt.slice(11, 16)} UTC. Review the change and try again.`
}
