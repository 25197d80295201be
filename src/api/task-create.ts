/** POST /task/create. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { ApiError } from '../core/requests/errors.ts'
import type { FieldErrors } from '../core/requests/errors.ts'
import { runOnce } from '../actions/idempotency.ts'
import type { IdempotencyKey } from '../actions/idempotency.ts'
import { createTask as createRow } from '../records/task/queries.ts'
import { TaskCreation, presentTaskCreation } from '../records/task/object.ts'
import type { Answer, Call, Endpoint } from './endpoint.ts'
import { CREATE_TASK_EXAMPLE, TASK_BODY_EXAMPLE } from './examples.ts'
import { readJsonObject } from '../http/json-body.ts'
import { DUE_DATE_MESSAGE, TaskDescription, TaskDueDate, readDueDate } from './task-fields.ts'

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

const Headers = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'idempotency-key must be 1 to 255 visible ASCII characters')
    .optional()
    .meta({
      description:
        'Makes retries safe for 24 hours. A second request with the same key and body returns the first response again, with `idempotent-replayed: true`, and does not create a second task.',
      example: 'loading-dock-0246',
    }),
})

export const createTask: Endpoint = {
  operation: 'createTask',
  method: 'POST',
  path: '/api/task/create',
  errorShape: 'error',
  tag: 'Tasks',
  summary: 'Create a task',
  description: "Adds a task to the event's admin checklist. The body is JSON of at most 256 KiB.",
  query: z.object({}),
  headers: Headers,
  body: { schema: TaskBody, example: TASK_BODY_EXAMPLE },
  status: 201,
  answerHeaders: {
    'idempotent-replayed': {
      description: '`true` if this is the response to an earlier request with the same idempotency key.',
      schema: { type: 'string', const: 'true' },
    },
  },
  response: TaskCreation,
  example: CREATE_TASK_EXAMPLE,
  errors: {
    invalid_body: { details: { dueDate: { _errors: [DUE_DATE_MESSAGE] } } },
    not_found: NOT_FOUND,
    idempotency_key_reused: {},
    body_too_large: {},
  },
  answer: async (call) => {
    const { task, idempotencyKey } = readRequest(call)
    if (idempotencyKey === null) {
      const created = await createRow(call.primary, call.companyId, task)
      if (created === null) throw new ApiError('not_found', NOT_FOUND)
      return { body: presentTaskCreation(created) }
    }
    return createOnce(call, task, idempotencyKey)
  },
}

type Task = Parameters<typeof createRow>[2]

async function createOnce({ primary, companyId }: Call, task: Task, key: IdempotencyKey): Promise<Answer> {
  const outcome = await runOnce(primary, companyId, key, async (client) => {
    const created = await createRow(client, companyId, task)
    return created === null ? null : presentTaskCreation(created)
  })
  if (outcome.kind === 'nothing') throw new ApiError('not_found', NOT_FOUND)
  if (outcome.kind === 'conflict') throw new ApiError('idempotency_key_reused')
  const headers = outcome.kind === 'replayed' ? { 'idempotent-replayed': 'true' } : {}
  return { body: outcome.answer, headers }
}

/** All that is wrong with the request at once, so that a caller mends it in one go. */
function readRequest({ headers, rawBody }: Call): { task: Task; idempotencyKey: IdempotencyKey | null } {
  const json = readJsonObject(headers['content-type'], rawBody)
  const body = 'object' in json ? TaskBody.safeParse(knownMembers(json.object)) : null
  const header = Headers.safeParse(headers)
  const details: FieldErrors = {
    ...('reason' in json ? { body: { _errors: [json.reason] } } : {}),
    ...fieldErrors(body?.error),
    ...fieldErrors(header.error),
  }
  if (body?.success !== true) throw new ApiError('invalid_body', { details })
  if (!header.success) throw new ApiError('invalid_body', { message: KEY_MESSAGE, details })
  const { eventId, description, dueDate } = body.data
  const key = header.data['idempotency-key']
  const bodyHash = createHash('sha256')
    .update(rawBody ?? '')
    .digest('hex')
  return {
    task: { eventId, description, dueDate: readDueDate(dueDate) },
    idempotencyKey: key === undefined ? null : { key, bodyHash },
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
