/** What an endpoint is: everything the router, the access check, the answers and the documentation need, said once. */
import type { z } from 'zod'
import type { QueryPairs } from '../core/query.ts'
import type { Db } from '../db/connect.ts'
import type { Presentation } from '../objects/presentation.ts'
import type { Operation } from './access.ts'
import type { ErrorShape } from './error-bodies.ts'
import type { QuerySchema } from './parameters.ts'

/** One authenticated request, as far as an endpoint may see it: the company is known, and there is no way around it. */
export interface Call {
  db: Db
  companyId: string
  /** The last segment of the path; empty on a list. */
  id: string
  query: QueryPairs
  presentation: Presentation
}

export interface Endpoint {
  operation: Operation
  method: 'GET'
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
  response: z.ZodObject
  /** A real answer of the demo world. */
  example: object
  answer: (call: Call) => Promise<object>
}
