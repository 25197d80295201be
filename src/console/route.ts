/** A call of the application. Each is one entry of `routes.ts`. The browser imports the response types. */
import type { Db, DbPool } from '../db/statement.ts'
import { z } from 'zod'
import type { ActionContext } from '../actions/action.ts'
import type { Caller } from '../core/callers.ts'
import type { QueryPairs } from '../core/requests/query.ts'
import type { SignedInUser } from '../records/session/queries.ts'
import type { Presentation } from '../codec/presentation.ts'
import type { FormTokens } from '../core/security/form-token.ts'
import type { WebhookParts } from '../api/endpoint.ts'
import type { TestOutcome } from '../changes/webhooks/test-event.ts'
import type { EndpointKey } from '../records/webhook-delivery/queue.ts'
import type { Outbox } from '../records/mail/queue.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'

export interface ConsoleWebhooks extends WebhookParts {
  /** Null if the company has no such endpoint. */
  sendTest: (db: Db, endpoint: EndpointKey) => Promise<TestOutcome | null>
}

export interface ConsoleCall<Input> {
  /** For what is read as the API reads it, and for writing. */
  db: DbPool
  /** For sums and searches. */
  reports: DbPool
  user: SignedInUser
  /** Of the session that calls. */
  tokenHash: string
  /** For writes: the user as the actor of an action. */
  action: ActionContext
  companyId: string
  /** Of the path; empty where it has none. */
  id: string
  /** Of a GET the parameters, once each; otherwise the body. */
  input: Input
  /** As they were sent: for what is read as the API reads it. */
  query: QueryPairs
  presentation: Presentation
  publicUrl: string
  /** Where the call comes from, as the list of allowed addresses would see it. */
  address: string | null
  signInThrottle: SignInThrottle
  webhooks: ConsoleWebhooks
  /** For the links of booking forms. */
  formTokens: FormTokens
  /** Absent if mail is not configured. */
  outbox: Outbox | undefined
}

export interface ConsoleRoute<Input = unknown> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below /console, with at most one `:id`. */
  path: `/console/${string}`
  /** Absent: all users. The action of a write checks its callers, too. */
  allowed?: readonly Caller[]
  /**
   * It runs one action that creates something. A browser that lost the response sends the call again with the same idempotency
   * key, and gets the result of the first one. Not for results with secrets: they would be stored.
   */
  isCreation?: true
  /** It compares passwords, and waits for that without a slot. */
  isSlow?: true
  /** Absent: 64 KiB. */
  bodyMaxBytes?: number
  input: z.ZodType<Input>
  /** Null: a 204 without a body. */
  answer: (call: ConsoleCall<Input>) => Promise<object | null>
}

/** A CSV file that the browser saves. Its texts are read while it is sent. */
export class CsvFile {
  readonly name: string
  readonly texts: AsyncIterable<string>

  constructor(name: string, texts: AsyncIterable<string>) {
    this.name = name
    this.texts = texts
  }
}

const NO_INPUT = z.strictObject({})
type NoInput = z.output<typeof NO_INPUT>

/** Keeps the type of the input between its schema and the answer. Without a schema, there is no input. */
export function consoleRoute<Input = NoInput>(
  route: Omit<ConsoleRoute<Input>, 'input'> & { input?: z.ZodType<Input> },
): ConsoleRoute {
  return { input: NO_INPUT, ...route } as ConsoleRoute
}
