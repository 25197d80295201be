/** What a call of the application was sent, checked by its schema. */
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { ApiError } from '../../core/errors.ts'
import type { FieldErrors } from '../../core/errors.ts'
import type { QueryPairs } from '../../core/query.ts'
import { readJsonObject } from '../json-body.ts'

/** Of a GET the parameters, otherwise the body; one without a body may be sent without a type. */
export function readInput<Input>(schema: z.ZodType<Input>, request: FastifyRequest): Input {
  const result = schema.safeParse(request.method === 'GET' ? readQuery(request) : readBody(request))
  if (result.success) return result.data
  const details: FieldErrors = {}
  for (const { path, message } of result.error.issues) {
    const field = path.length === 0 ? 'body' : path.join('.')
    ;(details[field] ??= { _errors: [] })._errors.push(message)
  }
  const [first] = result.error.issues
  throw new ApiError('invalid_body', { message: first?.message ?? 'Something is missing.', details })
}

function readQuery(request: FastifyRequest): object {
  const pairs = request.query as QueryPairs
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''))
}

function readBody(request: FastifyRequest): object {
  const bytes = request.body as Buffer | undefined
  if (bytes === undefined || bytes.length === 0) return {}
  const read = readJsonObject(request.raw.headers['content-type'], bytes)
  if ('object' in read) return read.object
  throw new ApiError('invalid_body', { message: read.reason, details: { body: { _errors: [read.reason] } } })
}
