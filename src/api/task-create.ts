/** POST /task/create. */
import { z } from 'zod'
import { ApiError } from '../core/requests/errors.ts'
import type { FieldErrors } from '../core/requests/errors.ts'
import { runAction, runActionOnce } from '../actions/action.ts'
import { createTask as createTaskAction } from '../actions/create-task.ts'
import type { NewTask } from '../actions/create-task.ts'
import type { IdempotencyKey } from '../actions/idempotency.ts'
import { TaskCreation, presentTaskCreation } from '../records/task/object.ts'
import { actionContext } from './action-context.ts'
import type { Call, Endpoint } from './endpoint.ts'
import { IDEMPOTENT_REPLAY, IdempotencyHeaders, REPLAY_HEADER, idempotencyKey } from './idempotency.ts'
import { exampleOf } from './examples.ts'
import { readJsonObject } from '../http/json-body.ts'
import { DUE_DATE_MESSAGE, TaskDescription, TaskDueDate, readDueDate } from '../actions/task-fields.ts'

const KEY_MESSAGE = 'The idempotency-key header is invalid. See details for what to change.'
const NOT_FOUND = { message: 'Event not found' }

const TaskBody = z
  .looseObject({
    eventId: z
      .string('eventId must be a string')
      .min(1, 'eventId must not be empty')
      .meta({ description: 'Id of the event to add the task to.' }),
    description: TaskDescription,
    dueDate: TaskDueDate.nullish().meta({
      description: 'When the task is due. Omit it or send null if it has no due date.',
      format: 'date-time',
    }),
  })
  .meta({ id: 'TaskBody' })

export const createTask: Endpoint = {
  operation: 'createTask',
  method: 'POST',
  path: '/api/task/create',
  errorShape: 'error',
  tag: 'Tasks',
  summary: 'Create a task',
  description: "Adds a task to the event's admin checklist. The body is JSON of at most 256 KiB.",
  query: z.object({}),
  headers: IdempotencyHeaders,
  body: TaskBody,
  status: 201,
  answerHeaders: REPLAY_HEADER,
  response: TaskCreation,
  example: exampleOf('createTask'),
  errors: {
    invalid_body: { details: { dueDate: { _errors: [DUE_DATE_MESSAGE] } } },
    not_found: NOT_FOUND,
    idempotency_key_reused: {},
    body_too_large: {},
  },
  answer: async (call) => {
    const { task, key } = readRequest(call)
    const context = actionContext(call)
    if (key === null) {
      return { body: presentTaskCreation(await runAction(context, createTaskAction, task)) }
    }
    const outcome = await runActionOnce(context, createTaskAction, task, key, presentTaskCreation)
    return { body: outcome.answer, headers: outcome.isReplayed ? IDEMPOTENT_REPLAY : {} }
  },
}

/** Reports all errors of the request at once, so that a caller can fix them in one step. */
function readRequest({ headers, rawBody }: Call): { task: NewTask; key: IdempotencyKey | null } {
  const json = readJsonObject(headers['content-type'], rawBody)
  const body = 'object' in json ? TaskBody.safeParse(knownMembers(json.object)) : null
  const header = IdempotencyHeaders.safeParse(headers)
  const details: FieldErrors = {
    ...('reason' in json ? { body: { _errors: [json.reason] } } : {}),
    ...fieldErrors(body?.error),
    ...fieldErrors(header.error),
  }
  if (body?.success !== true) throw new ApiError('invalid_body', { details })
  if (!header.success) throw new ApiError('invalid_body', { message: KEY_MESSAGE, details })
  const { eventId, description, dueDate } = body.data
  return {
    task: { eventId, description, dueDate: readDueDate(dueDate) },
    key: idempotencyKey(header.data['idempotency-key'], rawBody, ''),
  }
}

/** Unknown members are ignored. Validating thousands of them takes longer than parsing them. */
function knownMembers(body: object): object {
  const known = Object.keys(TaskBody.shape).filter((name) => Object.hasOwn(body, name))
  return Object.fromEntries(known.map((name) => [name, Reflect.get(body, name)]))
}

function fieldErrors(error: z.ZodError | undefined): FieldErrors {
  const details: FieldErrors = {}
  for (const { path, message } of error?.issues ?? []) {
    const field = String(path[0])
    details[field] = { _errors: [...(details[field]?._errors ?? []), message] }
  }
  return details
}
