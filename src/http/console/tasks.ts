/** The admin checklist of an event. */
import { z } from 'zod'
import { cutToMilliseconds, isoFromPostgres, parseDateTime } from '../../core/datetime.ts'
import { ApiError } from '../../core/errors.ts'
import { completeTask, createTask, deleteTask, listTasks, updateTask } from '../../db/tasks.ts'
import type { TaskRow } from '../../db/tasks.ts'
import { isoOrNull, isoTimes } from '../../objects/fields.ts'
import { TaskDescription, TaskDueDate, readDueDate } from '../task-fields.ts'
import { consoleRoute } from './route.ts'

/** Times are ISO 8601 in UTC with milliseconds. */
export interface Task {
  id: string
  description: string
  dueDate: string | null
  /** Null: still to be done. */
  completedAt: string | null
  createdAt: string
  /** What an edit begins from. */
  updatedAt: string
}

export interface ChecklistAnswer {
  tasks: Task[]
  /** There are more than are shown. */
  hasMore: boolean
}

export interface TaskAnswer {
  task: Task
}

const noEvent = () => new ApiError('not_found', { message: 'There is no such event.', param: 'id' })
const noTask = () =>
  new ApiError('not_found', { message: 'This task was removed in the meantime.', param: 'id' })

function presentTask({ id, description, dueDate, completedAt, ...times }: TaskRow): Task {
  const { createdAt, updatedAt } = isoTimes(times)
  return {
    id,
    description,
    dueDate: isoOrNull(dueDate),
    completedAt: isoOrNull(completedAt),
    createdAt,
    updatedAt,
  }
}

const showChecklist = consoleRoute({
  method: 'GET',
  path: '/console/events/:id/tasks',
  input: z.object({}),
  answer: async ({ db, companyId, id }) => {
    const checklist = await listTasks(db, companyId, id)
    if (checklist === null) throw noEvent()
    const { rows, hasMore } = checklist
    return { tasks: rows.map(presentTask), hasMore } satisfies ChecklistAnswer
  },
})

const addTask = consoleRoute({
  method: 'POST',
  path: '/console/events/:id/tasks',
  input: z.strictObject({ description: TaskDescription, dueDate: TaskDueDate.nullish() }),
  answer: async ({ db, companyId, id: eventId, input: { description, dueDate } }) => {
    const task = { eventId, description, dueDate: readDueDate(dueDate) }
    const created = await createTask(db, companyId, task)
    if (created === null) throw noEvent()
    const { id, createdAt } = created
    // Both times are those of the one statement.
    const made = {
      id,
      description,
      dueDate: task.dueDate,
      completedAt: null,
      createdAt,
      updatedAt: createdAt,
    }
    return { task: made } satisfies TaskAnswer
  },
})

const TaskChange = z
  .strictObject({
    completed: z.boolean('completed must be true or false').optional(),
    description: TaskDescription.optional(),
    dueDate: TaskDueDate.nullish(),
    updatedAt: z
      .string()
      .refine((text) => parseDateTime(text) !== null, 'updatedAt must be that of the task as it was read')
      .optional(),
  })
  .refine(
    ({ completed, description, dueDate }) =>
      (completed === undefined) !== (description === undefined && dueDate === undefined),
    'Send completed alone, or description or dueDate, or both of these.',
  )
  .refine(({ completed, updatedAt }) => completed !== undefined || updatedAt !== undefined, {
    path: ['updatedAt'],
    message: 'updatedAt must be that of the task as it was read',
  })

const changeTask = consoleRoute({
  method: 'PATCH',
  path: '/console/tasks/:id',
  input: TaskChange,
  answer: async ({ db, companyId, id, input: { completed, description, dueDate, updatedAt = '' } }) => {
    if (completed !== undefined) {
      const row = await completeTask(db, companyId, id, completed)
      if (row === null) throw noTask()
      return { task: presentTask(row) } satisfies TaskAnswer
    }
    const changes = { description, dueDate: dueDate === undefined ? undefined : readDueDate(dueDate) }
    const from = cutToMilliseconds(parseDateTime(updatedAt) ?? '')
    const update = await updateTask(db, companyId, id, changes, from)
    if (update === null) throw noTask()
    if (update.kind === 'changed') throw new ApiError('conflict', { message: conflictMessage(update.row) })
    return { task: presentTask(update.row) } satisfies TaskAnswer
  },
})

function conflictMessage({ updatedAt }: TaskRow): string {
  const at = isoFromPostgres(updatedAt).slice(11, 16)
  return `Somebody changed this task in the meantime (at ${at} UTC). Look at it as it is now, then change it again.`
}

const removeTask = consoleRoute({
  method: 'DELETE',
  path: '/console/tasks/:id',
  input: z.object({}),
  answer: async ({ db, companyId, id }) => {
    if (!(await deleteTask(db, companyId, id))) throw noTask()
    return null
  },
})

export const taskRoutes = [showChecklist, addTask, changeTask, removeTask]
