/** Writes with the newer conventions: parses the body, and runs the action once per idempotency key. */
import { z } from 'zod'
import { runAction, runActionOnce } from '../actions/action.ts'
import type { Action } from '../actions/action.ts'
import { findAnswer } from '../actions/idempotency.ts'
import { inOrderOf, withoutNulls } from '../codec/body-schema.ts'
import { firstBodyError } from '../core/requests/body-errors.ts'
import { ApiError } from '../core/requests/errors.ts'
import { readJsonObject } from '../http/json-body.ts'
import { actionContext } from './action-context.ts'
import { id } from '../codec/schemas.ts'
import type { Answer, Call, Endpoint } from './endpoint.ts'
import { exampleOf } from './examples.ts'
import { IDEMPOTENT_REPLAY, IdempotencyHeaders, REPLAY_HEADER, readIdempotencyKey } from './idempotency.ts'
import { notFound } from './read-endpoints.ts'

/** Of a write that takes no members. */
export const EmptyBody = z.strictObject({}).meta({ id: 'EmptyBody' })

/** The response of a deletion. */
const Deleted = (object: string) =>
  z
    .strictObject({ object: z.literal(object), id: id(object), deleted: z.literal(true) })
    .meta({ id: `Deleted${object.charAt(0).toUpperCase()}${object.slice(1)}` })

interface Write<Body, Input, Result>
  extends
    Pick<Endpoint, 'operation' | 'path' | 'tag' | 'summary' | 'description' | 'response'>,
    Partial<Pick<Endpoint, 'idOf' | 'errors'>> {
  action: Action<Input, Result>
  body: z.ZodObject & z.ZodType<Body>
  /** Null is the same as absent, and the status is 201. */
  isCreation?: true
  input: (body: Body, call: Call) => Input | Promise<Input>
  /** The result as the response shows it. Absent if it is the response. */
  present?: (result: Result, call: Call) => object
  /** The response from its stored form, if they differ: a secret is not stored as plain text. */
  reveal?: (stored: object, call: Call) => object
}

/** The input of a change: its members and the id in the path. */
export const withId = <Body extends object>(body: Body, call: Call) => ({ ...body, id: call.id })

export function writeEndpoint<Body, Input, Result>(write: Write<Body, Input, Result>): Endpoint {
  const { operation, path, tag, summary, description, idOf, errors, body, response, isCreation } = write
  return {
    operation,
    method: 'POST',
    path,
    errorShape: 'structured',
    tag,
    summary,
    description,
    ...(idOf !== undefined && { idOf }),
    query: z.object({}),
    headers: IdempotencyHeaders,
    body,
    status: isCreation === true ? 201 : 200,
    answerHeaders: REPLAY_HEADER,
    response,
    example: exampleOf(operation),
    errors: {
      invalid_parameter: { message: 'description must be a string', param: 'description' },
      idempotency_key_reused: {},
      body_too_large: {},
      ...(idOf !== undefined && { not_found: notFound(idOf) }),
      ...errors,
    },
    answer: (call) => answerWrite(call, write),
  }
}

interface Deletion extends Pick<Endpoint, 'operation' | 'path' | 'tag' | 'summary' | 'description'> {
  idOf: string
  object: string
  action: Action<{ id: string }, unknown>
}

/** A deletion reads no body. */
export function deleteEndpoint({ object, ...deletion }: Deletion): Endpoint {
  const { body: _, ...endpoint } = writeEndpoint({
    ...deletion,
    body: z.looseObject({}),
    response: Deleted(object),
    input: (_body, { id: deletedId }) => ({ id: deletedId }),
    present: (_result, { id: deletedId }) => ({ object, id: deletedId, deleted: true }),
  })
  return { ...endpoint, method: 'DELETE' }
}

/** Larger bodies are not valid for any write. Depth has no limit: a deep member is reported by its name (W4). */
const LIMITS = { depth: 20_000, values: 20_000 }

async function answerWrite<Body, Input, Result>(
  call: Call,
  write: Write<Body, Input, Result>,
): Promise<Answer> {
  const { action, body: schema, isCreation, input, present, reveal = (shown) => shown } = write
  const key = readIdempotencyKey(call, `${call.method} ${call.path}`)
  // Before the body is parsed: a retry gets its response whatever the rules are by now.
  const stored = key === null ? null : await findAnswer<object>(call.primary, call.companyId, key)
  if (stored !== null) return { body: reveal(stored.answer, call), headers: IDEMPOTENT_REPLAY }
  const parsed = await input(parseBody(call, schema, isCreation === true), call)
  const context = actionContext(call)
  const show = (result: Result) => (present === undefined ? (result as object) : present(result, call))
  if (key === null) return { body: reveal(show(await runAction(context, action, parsed)), call) }
  const { answer, isReplayed } = await runActionOnce(context, action, parsed, key, show)
  return { body: reveal(answer, call), headers: isReplayed ? IDEMPOTENT_REPLAY : {} }
}

/** The body, as the schema describes it. */
export function parseBody<Body>(
  { headers, rawBody }: Call,
  schema: z.ZodObject & z.ZodType<Body>,
  isCreation: boolean,
): Body {
  const json =
    rawBody === undefined || rawBody.length === 0
      ? { object: {} }
      : readJsonObject(headers['content-type'], rawBody, LIMITS)
  if ('reason' in json) throw new ApiError('invalid_parameter', { message: json.reason })
  const body = isCreation ? withoutNulls(json.object, schema) : json.object
  const result = (schema as z.ZodType<Body>).safeParse(body)
  if (result.success) return inOrderOf(body, result.data)
  const error = firstBodyError(body, result.error.issues)
  throw new ApiError('invalid_parameter', {
    message: error?.message ?? 'The body is invalid',
    ...(error?.param === undefined ? {} : { param: error.param }),
  })
}
