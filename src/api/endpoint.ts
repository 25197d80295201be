/** The definition of an endpoint, used by the router, the access check, the responses and the documentation. */
import type { IncomingHttpHeaders } from 'node:http'
import type { z } from 'zod'
import type { Json } from '../codec/json.ts'
import type { ErrorCode, FieldErrors } from '../core/requests/errors.ts'
import type { QueryPairs } from '../core/requests/query.ts'
import type { Db, DbPool } from '../db/statement.ts'
import type { Presentation } from '../codec/presentation.ts'
import type { WebhookSecrets } from '../core/security/webhook-secret.ts'
import type { Outbox } from '../records/mail/queue.ts'
import type { KeyHolder } from '../records/api-key/queries.ts'
import type { Operation } from './access.ts'
import type { ErrorShape } from '../http/error-bodies.ts'
import type { Example } from './examples.ts'
import type { QuerySchema } from './parameters.ts'

/** For the endpoints of webhooks. */
export interface WebhookParts {
  secrets: WebhookSecrets
  /** Whether deliveries may be sent there. */
  isAllowedUrl: (url: string) => Promise<boolean>
}

/** An authenticated request as an endpoint sees it. The company is always known. */
export interface Call {
  /** For reads: the primary or a replica, the same one for the whole request. */
  db: Db
  /** For writes. */
  primary: DbPool
  companyId: string
  /** The key of the request. */
  key: Pick<KeyHolder, 'keyId' | 'keyName'>
  /** The id in the path; empty if the path has none. */
  id: string
  method: Method
  /** As it was sent, without the query. */
  path: string
  query: QueryPairs
  headers: IncomingHttpHeaders
  /** The raw body, whatever its content type. */
  rawBody: Buffer | undefined
  presentation: Presentation
  webhooks: WebhookParts
  /** Absent if mail is not configured. */
  outbox: Outbox | undefined
  /**
   * Runs work that takes a lot of memory, one request at a time and outside of the request's slot, so that waiting requests
   * do not hold up others.
   */
  runLarge: <Result>(work: () => Promise<Result>) => Promise<Result>
  /**
   * Begins to watch the company's changes. The returned function waits for the next one, without the request's slot, for at
   * most this time. It resolves to false if there was none.
   */
  watchChanges: () => (ms: number) => Promise<boolean>
}

type Method = 'GET' | 'POST' | 'DELETE'

export interface Answer {
  /** An object, or the JSON of one. */
  body: object | Json
  headers?: Record<string, string>
}

export interface Endpoint {
  operation: Operation
  method: Method
  /** In the router's notation: `/api/resources/:id`. */
  path: string
  errorShape: ErrorShape
  tag: string
  summary: string
  description: string
  /** The record type of the id in the path. */
  idOf?: string
  /** The paths that `expand[]` accepts; absent if nothing can be expanded. */
  expand?: { prefix: string; paths: readonly string[] }
  /** For reads that a replica could answer wrongly while it lags behind. */
  readsPrimary?: true
  query: QuerySchema
  /** Request headers besides the key. */
  headers?: z.ZodObject
  body?: z.ZodType
  status: 200 | 201
  /** Response headers besides the common ones, as OpenAPI describes them. */
  answerHeaders?: Record<string, { description: string; schema: object }>
  response: z.ZodType
  example: Example
  /** Errors besides those of every endpoint, each with an example. */
  errors: Partial<Record<ErrorCode, { message?: string; param?: string; details?: FieldErrors }>>
  answer: (call: Call) => Promise<Answer>
}
