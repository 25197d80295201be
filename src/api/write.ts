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
import { IDEMPOTENT_REPLAY, IdempotencyHeaders, REPLAY_HEADER, readIdempotencyKey } from './idempotency.ts'

/** What all of these endpoints share. */
export const WRITE = {
  method: 'POST',
  errorShape: 'structured',
  query: z.object({}),
  headers: IdempotencyHeaders,
  status: 200,
  answerHeaders: REPLAY_HEADER,
  errors: {
    invalid_parameter: { message: 'description must be a string', param: 'description' },
    idempotency_key_reused: {},
    body_too_large: {},
  },
} as const satisfies Partial<Endpoint>

/** Of a write that takes no members. */
export const EmptyBody = z.strictObject({}).meta({ id: 'EmptyBody' })

/** The response of a deletion. */
export const Deleted = (object: string) =>
  z
    .strictObject({ object: z.literal(object), id: id(object), deleted: z.literal(true) })
    .meta({ id: `Deleted${object.charAt(0).toUpperCase()}${object.slice(1)}` })

interface Write<Body, Input, Result> {
  action: Action<Input, Result>
  body: z.ZodObject & z.ZodType<Body>
  /** Null is the same as absent. */
  isCreation?: true
  input: (body: Body) => Input | Promise<Input>
  /** The result as the response shows it. Absent if it is the response. */
  present?: (result: Result) => object
  /** The response from its stored form, if they differ: a secret is not stored as plain text. */
  reveal?: (stored: object) => object
}

/** Larger bodies are not valid for any write. Depth has no limit: a deep member is reported by its name (W4). */
const LIMITS = { depth: 20_000, values: 20_000 }

export async function answerWrite<Body, Input, Result>(
  call: Call,
  {
    action,
    body: schema,
    isCreation,
    input,
    present = (result) => result as object,
    reveal = (stored) => stored,
  }: Write<Body, Input, Result>,
): Promise<Answer> {
  const key = readIdempotencyKey(call, `${call.method} ${call.path}`)
  // Before the body is parsed: a retry gets its response whatever the rules are by now.
  const stored = key === null ? null : await findAnswer<object>(call.primary, call.companyId, key)
  if (stored !== null) return { body: reveal(stored.answer), headers: IDEMPOTENT_REPLAY }
  const parsed = await input(parseBody(call, schema, isCreation === true))
  const context = actionContext(call)
  if (key === null) return { body: reveal(present(await runAction(context, action, parsed))) }
  const { answer, isReplayed } = await runActionOnce(context, action, parsed, key, present)
  return { body: reveal(answer), headers: isReplayed ? IDEMPOTENT_REPLAY : {} }
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
