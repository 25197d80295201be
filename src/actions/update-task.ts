/** Changes a task, and completes or reopens it. */
import { z } from 'zod'
import { USERS_AND_KEYS } from '../core/callers.ts'
import { previousOf, splitPrevious } from '../core/change-log/previous.ts'
import { ApiError } from '../core/requests/errors.ts'
import { TASK } from '../records/task/object.ts'
import { findTask, updateTaskRow } from '../records/task/queries.ts'
import { defineAction } from './action.ts'
import { subjectOf } from './subjects.ts'
import { StoredTime, TaskDescription } from './task-fields.ts'

const TaskChanges = z.strictObject({
  id: z.string(),
  description: TaskDescription.optional(),
  dueDate: StoredTime.nullable().optional(),
  completed: z.boolean().optional(),
  /** Refuses the change if the task was changed since. */
  ifUpdatedAt: z.string().optional(),
})
export type TaskChanges = z.output<typeof TaskChanges>

const COMPLETION = ['completed', 'completedAt']

export const updateTask = defineAction({
  name: 'updateTask',
  allowed: USERS_AND_KEYS,
  input: TaskChanges,
  lock: 'first',
  run: async ({ db, companyId, presentation, record }, { id, ifUpdatedAt, ...changes }) => {
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
