/**
 * Notes every request of a known company for the log that its people see. Requests never wait for it: what is to be kept
 * is collected here and written about once a second, on a connection of its own. While the database is away some of it
 * is held, and what comes beyond that is lost, and counted.
 */
import type { FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
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
import { createLogPlaces } from './log-places.ts'
import type { LogCounts, Outcome } from './log-places.ts'
import { createUnclaimedRequests, unclaimedKey } from './unclaimed-requests.ts'

export interface RequestLog {
  /** To be called when the answer is out. */
  note: (request: FastifyRequest, status: number, elapsedMs: number) => void
  counts: () => LogCounts
  /** Writes what is there. */
  stop: () => Promise<void>
}

interface RequestLogOptions {
  /** Connections to the primary that nothing else waits for. */
  pool: Pool
  isMigrated: () => boolean
  log: {
    info: (details: object, message: string) => void
    warn: (details: object, message: string) => void
  }
}

const WRITE_MS = 1_000
const PRUNE_MS = 5 * 60_000
/** Few of those that are held, so that an error finds a place among the others while these are on their way. */
const BATCH_MAX = 500
const STOP_MAX_MS = 1_000
/** Looking for what is too much reads all entries that a company has: not for a few new ones. */
const THIN_AFTER_ENTRIES = 100
/** Companies at once: the next entries wait for it. */
const THIN_MAX_COMPANIES = 5
const TEXT_MAX = 500

export function createRequestLog(options: RequestLogOptions): RequestLog {
  const uses = createKeyUses()
  const unclaimed = createUnclaimedRequests()
  const counts: LogCounts = { kept: 0, notKept: 0, lost: 0 }
  const places = createLogPlaces(counts)
  const attempt = createAttempt(options, counts)
  const prune = createPruning(options)
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined

  const writeBatch = async (isLast: boolean): Promise<Outcome> => {
    const now = Date.now()
    const used = uses.take(now, isLast)
    let batch: LoggedRequest[] = []
    if (places.held() + unclaimed.count() + used.length === 0) return 'written'
    const outcome = await attempt(async () => {
      await unclaimed.claim(options.pool, places.offer)
      batch = places.send(BATCH_MAX)
      if (batch.length > 0 || used.length > 0) await writeRequestLog(options.pool, batch, used)
    })
    places.settle(batch, outcome)
    if (outcome !== 'away') uses.noteWritten(used, now)
    if (outcome === 'written') prune.noteWritten(batch)
    return outcome
  }
  /** Never fails. */
  const write = async (isLast: boolean): Promise<void> => {
    for (;;) {
      if ((await writeBatch(isLast)) === 'away') return
      if (places.held() < (isLast ? 1 : BATCH_MAX)) break
    }
    if (!isLast) await prune.go(Date.now())
  }
  const writeLater = () => {
    timer = setTimeout(() => {
      timer = undefined
      writing = write(false).finally(() => {
        writing = undefined
        if (places.held() + uses.count() + unclaimed.count() > 0) writeLater()
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
        places.offer(caller, status, now, describe)
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

/** Says once that it cannot write, and once that it can again. */
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
      // Classes of errors that speak of what was sent: it would be refused again.
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

/** Of an invalid body, the first field and what is wrong with it: the message itself only points to the details. */
function describeError({ code, message, param, details }: ApiError, sentKey: string): RequestError {
  const [field] = Object.entries(details ?? {})
  const [name, text] = field === undefined ? [param, message] : [field[0], field[1]._errors[0] ?? message]
  return {
    code,
    message: storableText(text, sentKey),
    param: name === undefined ? null : storableText(name, sentKey),
  }
}

/** Messages and parameter names quote what was sent, which can hold a key or characters that PostgreSQL refuses. */
function storableText(text: string, sentKey: string): string {
  return hideApiKeys(text, sentKey, TEXT_MAX)
    .replaceAll('\0', '\uFFFD')
    .replaceAll(/\p{Surrogate}/gu, '\uFFFD')
}

/** Every few minutes, by each process that writes, a few companies at a time: several processes at once do no harm. */
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
        // Of a company that is not here yet nobody knows how much there is.
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
