/** Parses the input of a call of the application by its schema. */
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { ApiError } from '../core/requests/errors.ts'
import type { FieldErrors } from '../core/requests/errors.ts'
import type { QueryPairs } from '../core/requests/query.ts'
import { readJsonObject } from '../http/json-body.ts'
import type { BodyLimits } from '../http/json-body.ts'

/** The largest quote has 1,000 lines of fourteen members and 100 days, in four levels. */
const BODY_LIMITS: BodyLimits = { depth: 16, values: 24_000 }
/** More are of no use, and make a large answer of a large body. */
const ERRORS_MAX = 100
const MESSAGE_MAX_CHARACTERS = 500

/** Of a GET the parameters, otherwise the body; one without a body may be sent without a type. */
export function readInput<Input>(schema: z.ZodType<Input>, request: FastifyRequest): Input {
  const result = schema.safeParse(request.method === 'GET' ? readQuery(request) : readBody(request))
  if (result.success) return result.data
  const details: FieldErrors = {}
  const issues = result.error.issues.slice(0, ERRORS_MAX)
  for (const { path, message } of issues) {
    const field = path.length === 0 ? 'body' : path.join('.')
    ;(details[field] ??= { _errors: [] })._errors.push(shorten(message))
  }
  throw new ApiError('invalid_body', {
    message: shorten(issues[0]?.message ?? 'Check the fields and try again.'),
    details,
  })
}

/** A message repeats the names of unknown members, however long they are. */
function shorten(message: string): string {
  return message.length > MESSAGE_MAX_CHARACTERS ? `${message.slice(0, MESSAGE_MAX_CHARACTERS)}…` : message
}

function readQuery(request: FastifyRequest): object {
  const pairs = request.query as QueryPairs
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''))
}

function readBody(request: FastifyRequest): object {
  const bytes = request.body as Buffer | undefined
  if (bytes === undefined || bytes.length === 0) return {}
  const read = readJsonObject(request.raw.headers['content-type'], bytes, BODY_LIMITS)
  if ('object' in read) return read.object
  throw new ApiError('invalid_body', { message: read.reason, details: { body: { _errors: [read.reason] } } })
}
