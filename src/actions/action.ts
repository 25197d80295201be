/**
 * Every write is an action: one transaction of one company, which checks, writes and records what it changed. Application calls
 * and API endpoints parse their input, run the action and respond.
 */
import { DatabaseError } from 'pg'
import type { z } from 'zod'
import { isAllowed } from '../core/callers.ts'
import type { Caller } from '../core/callers.ts'
import { previousOf } from '../core/change-log/previous.ts'
import type { Actor, ChangeType } from '../core/change-log/change-types.ts'
import { paramOf } from '../core/requests/body-errors.ts'
import { ApiError } from '../core/requests/errors.ts'
import type { Presentation } from '../codec/presentation.ts'
import { runTogether } from '../codec/text-query.ts'
import { isDistributed } from '../db/distributed.ts'
import type { Db, DbPool } from '../db/statement.ts'
import { inTransaction } from '../db/transaction.ts'
import { recordAuditEntry } from '../records/audit/record.ts'
import type { NewAuditEntry } from '../records/audit/record.ts'
import { announceChanges } from '../records/change/announce.ts'
import {
  checkNotMoving,
  lockCompany,
  movingOf,
  recordChanges,
  recordingOf,
} from '../records/change/record.ts'
import type { NewChange } from '../records/change/record.ts'
import type { Outbox } from '../records/mail/queue.ts'
import { runOnce } from './idempotency.ts'
import type { IdempotencyKey, Outcome } from './idempotency.ts'

/** The actor and the company of an action, and how public objects are presented. */
export interface ActionContext {
  pool: DbPool
  companyId: string
  /** Recorded with each change. */
  actor: Actor
  /** The kind of actor, for permissions. */
  caller: Caller
  presentation: Presentation
  /** Absent if mail is not configured: then the action queues no messages. */
  outbox?: Outbox | undefined
  /** A repeated request with this key gets the result of the first one. */
  key?: IdempotencyKey | null
}

/** A public object, as a get without expansion returns it. */
export interface Subject {
  object: string
  id: string
  members: Readonly<Record<string, unknown>>
}

export interface ActionTransaction extends Omit<ActionContext, 'pool' | 'key'> {
  db: Db
  /** Adds a change to the log. `before` is null if the subject was created, `after` if it was deleted. */
  record: (type: ChangeType, before: Subject | null, after: Subject | null, extras?: ChangeExtras) => void
  /** Adds an entry to the audit log: for keys, users and settings, which are not subjects of changes. */
  audit: (entry: NewAuditEntry) => void
  /** Wakes up the workers for webhooks and mail after the commit, although no change is recorded. */
  announce: () => void
}

interface ChangeExtras {
  /** Members of `data` besides the subject. */
  data?: object
  /** The old values, if they are not those of all members that changed. */
  previous?: object
}

export interface Action<Input, Result> {
  name: string
  /** The callers that may run it, besides the system. */
  allowed: readonly Caller[]
  /**
   * Checks the input before the transaction. Only a check: `run` gets the input as it was passed, so entry points pass what their own
   * schema returned. Theirs can be stricter, and reports errors in the form of the API or of the application.
   */
  input: z.ZodType<Input>
  /**
   * `first`: no other action of the company runs meanwhile. For everything that changes existing rows or decides based on stored
   * rows. `last`: the company is locked only to number the changes. Only for actions that do nothing but insert rows or
   * that record no change, because two transactions that lock rows and the company in different order can deadlock.
   */
  lock: 'first' | 'last'
  run: (transaction: ActionTransaction, input: Input) => Promise<Result>
}

/** Keeps the types of input and result. */
export function defineAction<Input, Result>(action: Action<Input, Result>): Action<Input, Result> {
  return action
}

/** An import can hold rows for minutes. */
const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK = '40P01'

export async function runAction<Input, Result>(
  context: ActionContext,
  action: Action<Input, Result>,
  input: Input,
): Promise<Result> {
  if (context.key != null)
    return (await runActionOnce(context, action, input, context.key, (result) => result)).answer
  check(context, action, input)
  try {
    const { result, hasChanges } = await inTransaction(
      context.pool,
      async (db, { commitBy }) => {
        const done = await runIn(db, context, action, input)
        // The number of a change is locked until the commit: one packet for both keeps that short, and saves a round trip.
        if (done.changes.length > 0 && !isDistributed(db)) {
          const recording = recordingOf(context.companyId, context.actor, done.changes)
          commitBy((commit) => runTogether(db, [recording, { statement: commit, values: [] }]))
        } else await recordChanges(db, context.companyId, context.actor, done.changes)
        return done
      },
      'action',
    )
    if (hasChanges) announceChanges(context.pool, context.companyId)
    return result
  } catch (error) {
    throw apiErrorOf(error) ?? error
  }
}

/** Once per idempotency key. A repeated request gets the stored answer, which `present` makes of the result. */
export async function runActionOnce<Input, Result, Answer>(
  context: ActionContext,
  action: Action<Input, Result>,
  input: Input,
  key: IdempotencyKey,
  present: (result: Result) => Answer,
): Promise<Outcome<Answer>> {
  check(context, action, input)
  let isChanged = false
  const work = async (db: Db) => {
    const { result, hasChanges, changes } = await runIn(db, context, action, input)
    await recordChanges(db, context.companyId, context.actor, changes)
    isChanged = hasChanges
    return present(result)
  }
  try {
    const outcome = await runOnce(context.pool, context.companyId, key, work)
    if (isChanged) announceChanges(context.pool, context.companyId)
    return outcome
  } catch (error) {
    throw apiErrorOf(error) ?? error
  }
}

function check<Input>(
  { caller }: ActionContext,
  { allowed, input: schema }: Action<Input, unknown>,
  input: Input,
): void {
  if (!isAllowed(caller, allowed)) throw new ApiError('forbidden', caller === 'MEMBER' ? {} : NOT_ALLOWED)
  const [issue] = schema.safeParse(input).error?.issues ?? []
  if (issue === undefined) return
  const param = paramOf(issue.path)
  const message = param === undefined ? issue.message : `${param}: ${issue.message}`
  throw new ApiError('invalid_parameter', { message, ...(param !== undefined && { param }) })
}

/** The usual message is for members of a company. */
const NOT_ALLOWED = { message: 'You are not allowed to do this.' }

interface Done<Result> {
  result: Result
  /** Not recorded yet. */
  changes: NewChange[]
  /** Whether to announce the commit. */
  hasChanges: boolean
}

async function runIn<Input, Result>(
  db: Db,
  { companyId, actor, caller, presentation, outbox }: ActionContext,
  { lock, run }: Action<Input, Result>,
  input: Input,
): Promise<Done<Result>> {
  const changes: NewChange[] = []
  const record: ActionTransaction['record'] = (type, before, after, extras) => {
    changes.push(changeOf(type, before, after, extras))
  }
  const entries: NewAuditEntry[] = []
  const audit: ActionTransaction['audit'] = (entry) => void entries.push(entry)
  let isAnnounced = false
  const announce = () => void (isAnnounced = true)
  if (lock === 'first') await lockCompany(db, companyId)
  const result = await run(
    { db, companyId, actor, caller, presentation, outbox, record, audit, announce },
    input,
  )
  if (lock === 'last' && changes.length === 0) await checkNotMoving(db, companyId)
  for (const entry of entries) await recordAuditEntry(db, companyId, actor, entry)
  return { result, changes, hasChanges: changes.length > 0 || isAnnounced }
}

function changeOf(
  type: ChangeType,
  before: Subject | null,
  after: Subject | null,
  { data, previous }: ChangeExtras = {},
): NewChange {
  const subject = after ?? before
  if (subject === null) throw new Error(`${type} has no subject`)
  return {
    type,
    subject: { object: subject.object, id: subject.id },
    data: JSON.stringify({ object: after?.members ?? null, ...data }),
    previous: JSON.stringify(previous ?? previousOf(before?.members ?? null, after?.members ?? null)),
  }
}

function apiErrorOf(error: unknown): ApiError | null {
  const isBusy =
    error instanceof DatabaseError && (error.code === LOCK_NOT_AVAILABLE || error.code === DEADLOCK)
  return isBusy ? busy(error) : movingOf(error)
}

const BUSY = 'The record is being changed by an import. Retry in a few seconds.'
const busy = (cause: unknown) =>
  new ApiError('auth_service_unavailable', { message: BUSY, cause, headers: { 'retry-after': '1' } })
