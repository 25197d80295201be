/** Tasks: list, get, create, change and delete. */
import { z } from 'zod'
import { createTask as createTaskAction } from '../actions/create-task.ts'
import { deleteTask as deleteTaskAction } from '../actions/delete-task.ts'
import { updateTask as updateTaskAction } from '../actions/update-task.ts'
import { ApiError } from '../core/requests/errors.ts'
import { bodyId, bodyShape } from '../codec/body-schema.ts'
import { TASK_COLUMNS } from '../records/task/columns.ts'
import { TASK } from '../records/task/object.ts'
import { findTask, listTasks as listRows } from '../records/task/queries.ts'
import type { Endpoint } from './endpoint.ts'
import { idFilter, timeFilter, trueOrFalse } from './parameters.ts'
import { getEndpoint, listEndpoint } from './read-endpoints.ts'
import { deleteEndpoint, withId, writeEndpoint } from './write.ts'

const TASKS = { object: 'task', path: '/tasks', tag: 'Tasks', noun: 'task', plural: 'tasks' } as const

export const listTasks = listEndpoint({
  ...TASKS,
  operation: 'listTasks',
  lastId: 'task_0045_2_2',
  filters: {
    eventId: idFilter('event', 'eventId', 'event_0045_2'),
    completed: trueOrFalse('completed', 'Only completed tasks, or only open ones.'),
    dueDate: timeFilter('Due'),
    createdAt: timeFilter('Created'),
    updatedAt: timeFilter('Changed'),
  },
  list: listRows,
})

export const getTask = getEndpoint({ ...TASKS, operation: 'getTask', find: findTask })

const { description, dueDate } = bodyShape(TASK_COLUMNS, 'description', 'dueDate')

export const NewTaskBody = z
  .strictObject({ eventId: bodyId(), description: description.unwrap(), dueDate })
  .meta({ id: 'NewTaskBody' })

const createTask = writeEndpoint({
  operation: 'createTaskOfEvent',
  path: '/api/tasks',
  tag: 'Tasks',
  summary: 'Add a task to an event',
  description: "Adds a task to the event's admin checklist.",
  body: NewTaskBody,
  response: TASK.schema,
  action: createTaskAction,
  isCreation: true,
  input: (body) => ({ ...body, dueDate: body.dueDate ?? null }),
})

/** The event is a reference here: only the record that the path names can be not found. */
const unknownEvent = () =>
  new ApiError('invalid_parameter', { message: 'eventId is not the id of an event', param: 'eventId' })

export const createTaskOfEvent: Endpoint = {
  ...createTask,
  answer: async (call) => {
    try {
      return await createTask.answer(call)
    } catch (error) {
      throw error instanceof ApiError && error.code === 'not_found' ? unknownEvent() : error
    }
  },
}

const TaskChangesBody = z
  .strictObject({ description, dueDate, completed: z.boolean('must be true or false').optional() })
  .meta({ id: 'TaskChangesBody' })

export const updateTask = writeEndpoint({
  operation: 'updateTask',
  path: '/api/tasks/:id',
  tag: 'Tasks',
  summary: 'Change a task',
  description: 'Changes the members that are sent. `completed` sets or clears `completedAt`.',
  idOf: 'task',
  body: TaskChangesBody,
  response: TASK.schema,
  action: updateTaskAction,
  input: withId,
})

export const deleteTask = deleteEndpoint({
  operation: 'deleteTask',
  path: '/api/tasks/:id',
  tag: 'Tasks',
  summary: 'Delete a task',
  description: 'Removes the task from the checklist of its event.',
  idOf: 'task',
  object: 'task',
  action: deleteTaskAction,
})
