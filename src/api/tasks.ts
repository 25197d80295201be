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
import { exampleOf } from './examples.ts'
import { dateTimeBounds, idFilter, rangeOf, trueOrFalse } from './parameters.ts'
import { getEndpoint, listEndpoint, notFound } from './read-endpoints.ts'
import { Deleted, WRITE, answerWrite } from './write.ts'

const TASKS = { object: 'task', path: '/tasks', tag: 'Tasks', noun: 'task', plural: 'tasks' } as const

export const listTasks = listEndpoint({
  ...TASKS,
  operation: 'listTasks',
  lastId: 'task_0045_2_2',
  filters: {
    event_id: idFilter('event', 'eventId', 'event_0045_2'),
    completed: trueOrFalse('completed', 'Only completed tasks, or only open ones.'),
    ...dateTimeBounds('due_date', 'Due'),
    ...dateTimeBounds('created_at', 'Created'),
    ...dateTimeBounds('updated_at', 'Changed'),
  },
  list: (db, companyId, values, page) =>
    listRows(
      db,
      companyId,
      {
        eventId: values.event_id,
        isCompleted: values.completed,
        dueDate: rangeOf(values, 'due_date'),
        createdAt: rangeOf(values, 'created_at'),
        updatedAt: rangeOf(values, 'updated_at'),
      },
      page,
    ),
})

export const getTask = getEndpoint({ ...TASKS, operation: 'getTask', find: findTask })

const { description, dueDate } = bodyShape(TASK_COLUMNS, 'description', 'dueDate')

export const NewTaskBody = z
  .strictObject({ eventId: bodyId(), description: description.unwrap(), dueDate })
  .meta({ id: 'NewTaskBody' })

export const createTaskOfEvent: Endpoint = {
  ...WRITE,
  operation: 'createTaskOfEvent',
  path: '/api/tasks',
  tag: 'Tasks',
  summary: 'Add a task to an event',
  description: "Adds a task to the event's admin checklist.",
  body: NewTaskBody,
  status: 201,
  response: TASK.schema,
  example: exampleOf('createTaskOfEvent'),
  answer: async (call) => {
    try {
      return await answerWrite(call, {
        action: createTaskAction,
        body: NewTaskBody,
        isCreation: true,
        input: (body) => ({ ...body, dueDate: body.dueDate ?? null }),
      })
    } catch (error) {
      throw error instanceof ApiError && error.code === 'not_found' ? unknownEvent() : error
    }
  },
}

/** The event is a reference here: only the record that the path names can be not found. */
const unknownEvent = () =>
  new ApiError('invalid_parameter', { message: 'eventId is not the id of an event', param: 'eventId' })

const TaskChangesBody = z
  .strictObject({ description, dueDate, completed: z.boolean('must be true or false').optional() })
  .meta({ id: 'TaskChangesBody' })

export const updateTask: Endpoint = {
  ...WRITE,
  operation: 'updateTask',
  path: '/api/tasks/:id',
  tag: 'Tasks',
  summary: 'Change a task',
  description: 'Changes the members that are sent. `completed` sets or clears `completedAt`.',
  idOf: 'task',
  body: TaskChangesBody,
  response: TASK.schema,
  example: exampleOf('updateTask'),
  errors: { ...WRITE.errors, not_found: notFound('task') },
  answer: (call) =>
    answerWrite(call, {
      action: updateTaskAction,
      body: TaskChangesBody,
      input: (body) => ({ ...body, id: call.id }),
    }),
}

export const deleteTask: Endpoint = {
  ...WRITE,
  operation: 'deleteTask',
  method: 'DELETE',
  path: '/api/tasks/:id',
  tag: 'Tasks',
  summary: 'Delete a task',
  description: 'Removes the task from the checklist of its event.',
  idOf: 'task',
  response: Deleted('task'),
  example: exampleOf('deleteTask'),
  errors: { ...WRITE.errors, not_found: notFound('task') },
  answer: (call) =>
    answerWrite(call, {
      action: deleteTaskAction,
      body: z.looseObject({}),
      input: () => ({ id: call.id }),
      present: () => ({ object: 'task', id: call.id, deleted: true }),
    }),
}
