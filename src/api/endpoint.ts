/** What an endpoint is: everything the router, the access check, the answers and the documentation need, said once. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Pool } from 'pg'
import type { z } from 'zod'
import type { Json } from '../codec/json.ts'
import type { ErrorCode, FieldErrors } from '../core/requests/errors.ts'
import type { QueryPairs } from '../core/requests/query.ts'
import type { Db } from '../db/connect.ts'
import type { Presentation } from '../codec/presentation.ts'
import type { Operation } from './access.ts'
import type { ErrorShape } from '../http/error-bodies.ts'
import type { Example } from './examples.ts'
import type { QuerySchema } from './parameters.ts'

/** One authenticated request, as far as an endpoint may see it: the company is known, and there is no way around it. */
export interface Call {
  /** To read from: the primary or a replica, the same one for the whole request. */
  db: Db
  /** To write to. */
  primary: Pool
  companyId: string
  /** The id in the path; empty where there is none. */
  id: string
  query: QueryPairs
  headers: IncomingHttpHeaders
  /** The bytes that were sent, of whatever type they say they are. */
  rawBody: Buffer | undefined
  presentation: Presentation
  /**
   * Does work that takes a lot of memory: one request at a time, outside of the slot of this request, so that requests
   * waiting for it do not hold up others.
   */
  runLarge: <Result>(work: () => Promise<Result>) => Promise<Result>
}

export interface Answer {
  /** An object, or the JSON of one. */
  body: object | Json
  headers?: Record<string, string>
}

export interface Endpoint {
  operation: Operation
  method: 'GET' | 'POST'
  /** As the router writes it: `/api/resources/:id`. */
  path: string
  errorShape: ErrorShape
  tag: string
  summary: string
  description: string
  /** What the path's id is the id of. */
  idOf?: string
  /** What `expand[]` takes; absent where nothing can be expanded. */
  expand?: { prefix: string; paths: readonly string[] }
  query: QuerySchema
  /** Request headers beside the key. */
  headers?: z.ZodObject
  body?: { schema: z.ZodObject; example: object }
  status: 200 | 201
  /** Headers of the answer beside those that every answer has, as OpenAPI describes them. */
  answerHeaders?: Record<string, { description: string; schema: object }>
  response: z.ZodType
  example: Example
  /** What it can answer beside what every endpoint can, each with an example. */
  errors: Partial<Record<ErrorCode, { message?: string; param?: string; details?: FieldErrors }>>
  answer: (call: Call) => Promise<Answer>
}
