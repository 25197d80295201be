/** The admin checklist of an event. */
import { hash } from 'node:crypto'
import { z } from 'zod'
import { CHECKLIST_MAX, CHECKLIST_PAGE, TASKS_READ_MAX } from '../core/checklist.ts'
import { cutToMilliseconds, parseDateTime } from '../core/schedule/datetime.ts'
import { ApiError } from '../core/requests/errors.ts'
import { runAction } from '../actions/action.ts'
import type { Action, ActionContext } from '../actions/action.ts'
import { createTask } from '../actions/create-task.ts'
import { deleteTask } from '../actions/delete-task.ts'
import { updateTask } from '../actions/update-task.ts'
import { loadTasks, outlineChecklist } from '../records/task/queries.ts'
import type { ChecklistOutline, TaskMark, TaskRow } from '../records/task/queries.ts'
import { isoOrNull, isoTimes } from '../codec/schemas.ts'
import { TaskDescription, TaskDueDate, readDueDate } from '../actions/task-fields.ts'
import { consoleRoute } from './route.ts'

/** Times are ISO 8601 in UTC with milliseconds. */
export interface Task {
  id: string
  description: string
  dueDate: string | null
  /** Null: still to be done. */
  completedAt: string | null
  createdAt: string
  /** Edits send it back, to detect concurrent changes. */
  updatedAt: string
}

/** 204 instead where the version that was sent is still the current one. */
export interface ChecklistAnswer {
  /** Changes with everything that can be seen of the first `limit` tasks, and with how many more there are. */
  version: string
  /** The first `limit` tasks, in order. Another mark means that the task was changed. */
  marks: TaskMark[]
  /** How many more there are. */
  hidden: { open: number; done: number }
  /** When the newest of all tasks was added; null where there are none. */
  newestAt: string | null
  /** The first page of them; empty if the caller sent a version, because it has most of them. */
  tasks: Task[]
}

export interface TasksAnswer {
  tasks: Task[]
}

export interface TaskAnswer {
  task: Task
}

const noEvent = () => new ApiError('not_found', { message: 'Event not found.', param: 'id' })
const noTask = () => new ApiError('not_found', { message: 'This task was deleted.', param: 'id' })

/** The record was shown on a page, so its absence is explained in the words of the page. */
async function runOn<Input, Result>(
  context: ActionContext,
  action: Action<Input, Result>,
  input: Input,
  missing: () => ApiError,
): Promise<Result> {
  try {
    return await runAction(context, action, input)
  } catch (error) {
    throw error instanceof ApiError && error.code === 'not_found' ? missing() : error
  }
}

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

/** The members of a public object that the page shows. */
function shownTask({ id, description, dueDate, completedAt, createdAt, updatedAt }: Task): Task {
  return { id, description, dueDate, completedAt, createdAt, updatedAt }
}

const LIMIT_MESSAGE = `limit must be a number from 1 to ${CHECKLIST_MAX}`
const Limit = z
  .string()
  .regex(/^\d{1,4}$/, LIMIT_MESSAGE)
  .transform(Number)
  .refine((limit) => limit >= 1 && limit <= CHECKLIST_MAX, LIMIT_MESSAGE)

const showChecklist = consoleRoute({
  method: 'GET',
  path: '/console/events/:id/tasks',
  input: z.object({ limit: Limit.default(CHECKLIST_PAGE), version: z.string().optional() }),
  answer: async ({ db, companyId, id, input: { limit, version: known } }) => {
    const outline = await outlineChecklist(db, companyId, id, limit)
    if (outline === null) throw noEvent()
    const { marks, hidden, newestAt } = outline
    const version = versionOf(outline)
    if (version === known) return null
    const first = marks.slice(0, CHECKLIST_PAGE).map((mark) => mark.id)
    const rows = known === undefined ? await loadTasks(db, companyId, id, first) : []
    const tasks = (rows ?? []).map(presentTask)
    return { version, marks, hidden, newestAt: isoOrNull(newestAt), tasks } satisfies ChecklistAnswer
  },
})

function versionOf(outline: ChecklistOutline): string {
  return hash('sha256', JSON.stringify(outline))
}

/** In the body, since ids may be longer than a URL. */
const readTasks = consoleRoute({
  method: 'POST',
  path: '/console/events/:id/tasks/read',
  input: z.strictObject({
    ids: z.array(z.string()).max(TASKS_READ_MAX, `Send at most ${TASKS_READ_MAX} ids at once.`),
  }),
  answer: async ({ db, companyId, id, input: { ids } }) => {
    const rows = await loadTasks(db, companyId, id, ids)
    if (rows === null) throw noEvent()
    return { tasks: rows.map(presentTask) } satisfies TasksAnswer
  },
})

const addTask = consoleRoute({
  method: 'POST',
  path: '/console/events/:id/tasks',
  isCreation: true,
  input: z.strictObject({ description: TaskDescription, dueDate: TaskDueDate.nullish() }),
  answer: async ({ action, id: eventId, input: { description, dueDate } }) => {
    const values = { eventId, description, dueDate: readDueDate(dueDate) }
    const task = await runOn(action, createTask, values, noEvent)
    return { task: shownTask(task) } satisfies TaskAnswer
  },
})

const TaskChange = z
  .strictObject({
    completed: z.boolean('completed must be true or false').optional(),
    description: TaskDescription.optional(),
    dueDate: TaskDueDate.nullish(),
    updatedAt: z
      .string()
      .refine(
        (text) => parseDateTime(text) !== null,
        'updatedAt must be the value that was read with the task',
      )
      .optional(),
  })
  .refine(
    ({ completed, description, dueDate }) =>
      (completed === undefined) !== (description === undefined && dueDate === undefined),
    'Send either completed, or description and dueDate.',
  )
  .refine(({ completed, updatedAt }) => completed !== undefined || updatedAt !== undefined, {
    path: ['updatedAt'],
    message: 'updatedAt must be the value that was read with the task',
  })

const changeTask = consoleRoute({
  method: 'PATCH',
  path: '/console/tasks/:id',
  input: TaskChange,
  answer: async ({ action, id, input: { completed, description, dueDate, updatedAt } }) => {
    const changes = {
      id,
      completed,
      description,
      dueDate: dueDate === undefined ? undefined : readDueDate(dueDate),
      ifUpdatedAt: updatedAt === undefined ? undefined : cutToMilliseconds(parseDateTime(updatedAt) ?? ''),
    }
    const task = await runOn(action, updateTask, changes, noTask)
    return { task: shownTask(task) } satisfies TaskAnswer
  },
})

const removeTask = consoleRoute({
  method: 'DELETE',
  path: '/console/tasks/:id',
  input: z.object({}),
  answer: async ({ action, id }) => {
    await runOn(action, deleteTask, { id }, noTask)
    return null
  },
})

export const taskRoutes = [showChecklist, readTasks, addTask, changeTask, removeTask]
