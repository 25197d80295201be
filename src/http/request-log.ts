/**
 * Notes every request of a known company for the log that its people see. Requests never wait for it: what is to be kept
 * is collected here and written about once a second, on a connection of its own. While the database is away some of it
 * is held, and what comes beyond that is lost, and counted.
 */
import type { FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import { hideApiKeys } from '../core/hide-api-keys.ts'
import { createLogAllowance } from '../core/log-allowance.ts'
import type { KeyHolder } from '../db/api-keys.ts'
import { inTime } from '../db/in-time.ts'
import { newLogId, pruneRequestLog, writeRequestLog } from '../db/request-log.ts'
import type { KeyUse, LoggedRequest } from '../db/request-log.ts'
import { createKeyUses } from './key-uses.ts'

export interface RequestLog {
  /** To be called when the answer is out. */
  note: (request: FastifyRequest, status: number, elapsedMs: number) => void
  counts: () => LogCounts
  /** Writes what is there. */
  stop: () => Promise<void>
}

interface LogCounts {
  /** Written, or about to be. */
  kept: number
  /** Beyond the allowance of the second. */
  notKept: number
  /** Was to be kept, but the database was away for too long. */
  lost: number
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
/** With the allowance of 200 a second, some seconds of a database that does not answer. */
const HELD_MAX = 2_000
const STOP_MAX_MS = 1_000
/** Looking for what is too much reads as many entries as are kept: not for a few new ones. */
const PRUNE_AFTER_ENTRIES = 100
const TEXT_MAX = 500

export function createRequestLog(options: RequestLogOptions): RequestLog {
  const allows = createLogAllowance()
  const uses = createKeyUses()
  const counts: LogCounts = { kept: 0, notKept: 0, lost: 0 }
  const tryToWrite = createWriter(options, counts)
  const prune = createPruning(options)
  let held: LoggedRequest[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined

  /** Never fails. */
  const write = async (isLast: boolean): Promise<void> => {
    const now = Date.now()
    const requests = held
    const used = uses.take(now, isLast)
    if (requests.length === 0 && used.length === 0) return
    held = []
    const outcome = await tryToWrite(requests, used)
    if (outcome === 'away') {
      held = [...requests, ...held]
    } else {
      uses.noteWritten(used, now)
      if (outcome === 'refused') counts.lost += requests.length
      else if (!isLast) await prune(requests, now)
    }
  }
  const writeLater = () => {
    timer = setTimeout(() => {
      timer = undefined
      writing = write(false).finally(() => {
        writing = undefined
        if (held.length > 0 || uses.count() > 0) writeLater()
      })
    }, WRITE_MS).unref()
  }

  return {
    note: (request, status, elapsedMs) => {
      const { holder, denial } = request
      const caller = holder ?? denial?.holder
      if (caller === undefined || !options.isMigrated()) return
      const now = Date.now()
      if (holder !== null) uses.note(holder, now)
      if (!allows(caller.companyId, status >= 400, now)) {
        counts.notKept++
      } else if (held.length >= HELD_MAX) {
        counts.lost++
      } else {
        counts.kept++
        held.push(describe(request, caller, { status, elapsedMs, now }))
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

/** What became of a batch. */
type Outcome = 'written' | 'away' | 'refused'

/** Says once that it cannot write, and once that it can again. */
function createWriter(
  { pool, log }: RequestLogOptions,
  counts: Readonly<LogCounts>,
): (...batch: [LoggedRequest[], KeyUse[]]) => Promise<Outcome> {
  let failing = false
  return async (requests, uses) => {
    try {
      await writeRequestLog(pool, requests, uses)
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

function describe(
  request: FastifyRequest,
  { companyId, keyId }: KeyHolder,
  { status, elapsedMs, now }: { status: number; elapsedMs: number; now: number },
): LoggedRequest {
  const sentKey = String(request.raw.headers['x-api-key'])
  return {
    id: newLogId(),
    at: now,
    companyId,
    keyId,
    method: request.method,
    path: hideApiKeys(request.originalUrl, sentKey, TEXT_MAX),
    status,
    durationUs: Math.round(elapsedMs * 1000),
    requestId: hideApiKeys(request.id, sentKey, TEXT_MAX),
    denial: request.denial?.reason ?? null,
  }
}

/** Every few minutes, by each process that writes: several at once do no harm. */
function createPruning({
  pool,
  log,
}: RequestLogOptions): (written: readonly LoggedRequest[], now: number) => Promise<void> {
  const writtenSince = new Map<string, number>()
  let dueAt = 0
  return async (written, now) => {
    for (const { companyId } of written) {
      // Of a company that is not here yet nobody knows how much there is.
      writtenSince.set(companyId, (writtenSince.get(companyId) ?? PRUNE_AFTER_ENTRIES) + 1)
    }
    if (now < dueAt) return
    dueAt = now + PRUNE_MS
    const due = [...writtenSince].filter(([, entries]) => entries > PRUNE_AFTER_ENTRIES).map(([id]) => id)
    try {
      await pruneRequestLog(pool, due, now)
      for (const id of due) writtenSince.set(id, 0)
    } catch (error) {
      log.warn({ err: error }, 'the request log cannot be pruned; trying again later')
    }
  }
}
