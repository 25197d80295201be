/**
 * Records requests for the request log of each company. Requests never wait for it: entries are collected here and written
 * about once a second on a separate connection. While the database is unreachable a limited number is kept; the rest is
 * dropped and counted.
 */
import type { FastifyRequest } from 'fastify'
import type { DbPool } from '../db/statement.ts'
import type { ApiError } from '../core/requests/errors.ts'
import { hideApiKeys } from '../core/security/hide-api-keys.ts'
import { inTime } from '../db/in-time.ts'
import {
  newLogId,
  removeOldRequests,
  thinRequestLog,
  writeRequestLog,
} from '../records/request-log/queries.ts'
import type { LoggedRequest, RequestError, UnclaimedRequest } from '../records/request-log/queries.ts'
import { createKeyUses } from './key-uses.ts'
import { createLogBuffer } from './log-buffer.ts'
import type { LogCounts, Outcome } from './log-buffer.ts'
import { createUnclaimedRequests, unclaimedKey } from './unclaimed-requests.ts'

export interface RequestLog {
  /** Call after the response was sent. */
  note: (request: FastifyRequest, status: number, elapsedMs: number) => void
  counts: () => LogCounts
  /** Writes the collected entries. */
  stop: () => Promise<void>
}

interface RequestLogOptions {
  /** Connections to the primary for background work. */
  pool: DbPool
  isMigrated: () => boolean
  log: {
    info: (details: object, message: string) => void
    warn: (details: object, message: string) => void
  }
}

const WRITE_MS = 1_000
const PRUNE_MS = 5 * 60_000
/** Small relative to the buffer, so that errors still find a slot while a batch is being written. */
const BATCH_MAX = 500
const STOP_MAX_MS = 1_000
/** Pruning reads all entries of a company, so it waits for enough new ones. */
const THIN_AFTER_ENTRIES = 100
/** Companies pruned at once. New entries wait meanwhile. */
const THIN_MAX_COMPANIES = 5
const TEXT_MAX = 500

export function createRequestLog(options: RequestLogOptions): RequestLog {
  const uses = createKeyUses()
  const unclaimed = createUnclaimedRequests()
  const counts: LogCounts = { kept: 0, notKept: 0, lost: 0 }
  const buffer = createLogBuffer(counts)
  const attempt = createAttempt(options, counts)
  const prune = createPruning(options)
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined

  const writeBatch = async (isLast: boolean): Promise<Outcome> => {
    const now = Date.now()
    const used = uses.take(now, isLast)
    let batch: LoggedRequest[] = []
    if (buffer.held() + unclaimed.count() + used.length === 0) return 'written'
    const outcome = await attempt(async () => {
      await unclaimed.claim(options.pool, buffer.offer)
      batch = buffer.send(BATCH_MAX)
      if (batch.length > 0 || used.length > 0) await writeRequestLog(options.pool, batch, used)
    })
    buffer.settle(batch, outcome)
    if (outcome !== 'away') uses.noteWritten(used, now)
    if (outcome === 'written') prune.noteWritten(batch)
    return outcome
  }
  /** Never fails. */
  const write = async (isLast: boolean): Promise<void> => {
    for (;;) {
      if ((await writeBatch(isLast)) === 'away') return
      if (buffer.held() < (isLast ? 1 : BATCH_MAX)) break
    }
    if (!isLast) await prune.go(Date.now())
  }
  const writeLater = () => {
    timer = setTimeout(() => {
      timer = undefined
      writing = write(false).finally(() => {
        writing = undefined
        if (buffer.held() + uses.count() + unclaimed.count() > 0) writeLater()
      })
    }, WRITE_MS).unref()
  }

  return {
    note: (request, status, elapsedMs) => {
      const { holder, denial } = request
      const caller = holder ?? denial?.holder
      if (!options.isMigrated()) return
      const now = Date.now()
      const describe = () => describeRequest(request, { status, elapsedMs, now })
      if (holder !== null) uses.note(holder, now)
      if (caller === undefined) {
        const key = unclaimedKey(request.url, request.raw.headers['x-api-key'], status)
        if (key === null) return
        if (!unclaimed.add(key, describe)) counts.notKept++
      } else {
        buffer.offer(caller, status, now, describe)
      }
      if (timer === undefined && writing === undefined) writeLater()
    },
    counts: () => counts,
    stop: async () => {
      const finish = async () => {
        await writing
        clearTimeout(timer)
        await write(true)
      }
      clearTimeout(timer)
      await inTime(finish(), STOP_MAX_MS)
    },
  }
}

/** Logs once that writing fails, and once that it works again. */
function createAttempt(
  { log }: RequestLogOptions,
  counts: Readonly<LogCounts>,
): (work: () => Promise<void>) => Promise<Outcome> {
  let failing = false
  return async (work) => {
    try {
      await work()
      if (failing) log.info({ lostSinceStart: counts.lost }, 'the request log is written again')
      failing = false
      return 'written'
    } catch (error) {
      if (!failing) log.warn({ err: error }, 'the request log cannot be written; some of it may be lost')
      failing = true
      // Error classes about the data itself: a retry would fail again.
      return /^2[23]/.test((error as { code?: string }).code ?? '') ? 'refused' : 'away'
    }
  }
}

function describeRequest(
  request: FastifyRequest,
  { status, elapsedMs, now }: { status: number; elapsedMs: number; now: number },
): UnclaimedRequest {
  const sentKey = String(request.raw.headers['x-api-key'])
  return {
    id: newLogId(),
    at: now,
    method: request.method,
    path: hideApiKeys(request.originalUrl, sentKey, TEXT_MAX),
    status,
    durationUs: Math.round(elapsedMs * 1000),
    requestId: hideApiKeys(request.id, sentKey, TEXT_MAX),
    denial: request.denial?.reason ?? null,
    error: request.failure === null ? null : describeError(request.failure, sentKey),
  }
}

/** For an invalid body, the first field and its error. The message itself only points to the details. */
function describeError({ code, message, param, details }: ApiError, sentKey: string): RequestError {
  const [field] = Object.entries(details ?? {})
  const [name, text] = field === undefined ? [param, message] : [field[0], field[1]._errors[0] ?? message]
  return {
    code,
    message: storableText(text, sentKey),
    param: name === undefined ? null : storableText(name, sentKey),
  }
}

/** Messages and parameter names quote input, which may contain a key or characters that PostgreSQL rejects. */
function storableText(text: string, sentKey: string): string {
  return hideApiKeys(text, sentKey, TEXT_MAX)
    .replaceAll('\0', '\uFFFD')
    .replaceAll(/\p{Surrogate}/gu, '\uFFFD')
}

/** Every few minutes, in each process, a few companies at a time. Several processes can do it at once. */
function createPruning({ pool, log }: RequestLogOptions): {
  noteWritten: (requests: readonly LoggedRequest[]) => void
  go: (now: number) => Promise<void>
} {
  const writtenSince = new Map<string, number>()
  let due: string[] = []
  let dueAt = 0
  const pruneNext = async (now: number) => {
    if (now >= dueAt) {
      dueAt = now + PRUNE_MS
      due = [...writtenSince].filter(([, entries]) => entries > THIN_AFTER_ENTRIES).map(([id]) => id)
      await removeOldRequests(pool, now)
    }
    const next = due.slice(0, THIN_MAX_COMPANIES)
    if (next.length === 0) return
    await thinRequestLog(pool, next)
    due = due.slice(next.length)
    for (const id of next) writtenSince.set(id, 0)
  }
  return {
    noteWritten: (requests) => {
      for (const { companyId } of requests) {
        // The number of entries of a new company is unknown.
        writtenSince.set(companyId, (writtenSince.get(companyId) ?? THIN_AFTER_ENTRIES) + 1)
      }
    },
    go: async (now) => {
      try {
        await pruneNext(now)
      } catch (error) {
        due = []
        log.warn({ err: error }, 'the request log cannot be pruned; trying again later')
      }
    },
  }
}
