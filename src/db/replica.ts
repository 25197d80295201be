/**
 * Read replicas. Each one's position is checked once a second. A replica that does not respond, or lags too far behind, is
 * not used. A read that fails on a replica is repeated on the primary, so clients do not notice.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { ApiError } from '../core/requests/errors.ts'
import { sql } from './sql.ts'
import { openPool } from './connect.ts'
import { queryRows, unpreparedStatement } from './statement.ts'
import type { Connection } from './connect.ts'
import type { Db } from './statement.ts'
import { connectionCutter } from './connection-cutter.ts'
import { inTime } from './in-time.ts'

export interface Replica {
  name: string
  pool: Pool
  isInUse: () => boolean
}

export type Read = <Result>(work: (db: Db) => Promise<Result>) => Promise<Result>

export interface Replicas {
  list: readonly Replica[]
  /** Runs read-only work on one database: the next usable replica in turn, or else the primary. */
  read: Read
  /** Runs read-only work on the primary, or on a replica while there is no primary. */
  readPrimary: (primary: Db) => Read
  stop: () => Promise<void>
}

export interface ReplicaOptions {
  /** Reads from the primary if no replica is usable. */
  data: Pool
  primary: Connection
  replicas: readonly Connection[]
  /** Connections for reads, per replica. */
  connections: number | undefined
  lagMaxSeconds: number
  log: {
    info: (details: object, message: string) => void
    warn: (details: object, message: string) => void
  }
}

const CHECK_MS = 1_000
/** A primary that takes longer for a short read may be lost. */
const SLOW_MS = 300
const LATE = Symbol('late')
const ANSWER_MAX_MS = 1_000

export function openReplicas(options: ReplicaOptions): Replicas {
  const { data, primary, replicas, log } = options
  const watched = replicas.map((replica, i) => watchReplica(replica, `replica_${i + 1}`, options))
  const primaryCheck = openPool(primary, 'check', () => undefined)
  const history = createHistory(options.lagMaxSeconds * 1_000)
  const stopping = new AbortController()

  const checkAll = async () => {
    const askedAt = performance.now()
    const state = await askState(primaryCheck).catch(() => null)
    // The primary first, so that a replica without lag shows none.
    if (state !== null && !state.isStandby) history.note(state, askedAt)
    await Promise.all(watched.map((replica) => replica.check(history)))
  }
  const keepChecking = async () => {
    while (!stopping.signal.aborted) {
      await checkAll()
      await sleep(CHECK_MS, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined)
    }
  }
  const checking = watched.length === 0 ? Promise.resolve() : keepChecking()

  let turn = 0
  const readInTurn: Read = async (work) => {
    const usable = watched.filter((replica) => replica.isInUse())
    const replica = usable[turn++ % usable.length]
    if (replica === undefined) return work(data)
    try {
      return await work(replica.pool)
    } catch (error) {
      if (isFinal(error)) throw error
      log.info({ err: error, replica: replica.name }, 'a read failed on a replica: repeated on the primary')
      return work(data)
    }
  }
  const hasReplica = () => watched.some((replica) => replica.isInUse())
  const hasPrimary = () => primary.primary?.isLost() !== true
  const readPrimary =
    (own: Db): Read =>
    async (work) => {
      if (!hasPrimary()) return readInTurn(work)
      const answer = work(own)
      answer.catch(() => undefined)
      try {
        const first = await Promise.race([answer, sleep(SLOW_MS, LATE, { ref: false })])
        if (first !== LATE) return first
      } catch (error) {
        // It was lost just now.
        if (isFinal(error) || !hasReplica()) throw error
        return readInTurn(work)
      }
      // A machine without power closes no connection.
      return hasReplica() ? Promise.any([answer, readInTurn(work)]) : answer
    }
  return {
    list: watched,
    read: watched.length === 0 ? (work) => work(data) : readInTurn,
    readPrimary:
      watched.length === 0 || primary.primary === undefined ? (own) => (work) => work(own) : readPrimary,
    stop: async () => {
      stopping.abort()
      await checking
      await Promise.all([primaryCheck.end(), ...watched.map((replica) => replica.end())])
    },
  }
}

/** Errors that the primary would return too, or work that took too long to repeat. */
function isFinal(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException
  return error instanceof ApiError || code === STATEMENT_TIMEOUT || message === 'Query read timeout'
}

const STATEMENT_TIMEOUT = '57014'

interface WatchedReplica extends Replica {
  check: (history: History) => Promise<void>
  end: () => Promise<unknown>
}

function watchReplica(
  connection: Connection,
  name: string,
  { connections, log, primary }: ReplicaOptions,
): WatchedReplica {
  const isPrimaryLost = () => primary.primary?.isLost() === true
  const onError = (error: Error) => log.warn({ err: error, replica: name }, 'a database connection was lost')
  const pool = openPool(connection, 'replica', onError, connections)
  const checks = openPool(connection, 'check', () => undefined)
  const cutConnections = connectionCutter(pool)
  // Undefined before the first check; null if usable.
  let left: string | null | undefined

  return {
    name,
    pool,
    isInUse: () => left === null,
    check: async (history) => {
      const askedAt = performance.now()
      let reason: string | null
      let details: object = {}
      try {
        const state = await askState(checks)
        // Promoted just now: it is read until the writes follow it, too. Nothing else can be read meanwhile.
        const isSuccessor = left === null && !state.isStandby && isPrimaryLost()
        reason = isSuccessor ? null : whyLeftOut(state, history, askedAt, isPrimaryLost())
      } catch (error) {
        reason = 'it does not answer'
        details = { err: error }
        // Reads that wait for it fail now and are repeated on the primary.
        cutConnections()
      }
      if (reason === left) return
      left = reason
      if (reason === null) log.info({ replica: name }, 'reads go to the replica')
      else log.warn({ ...details, replica: name, reason }, 'the replica is left out')
    },
    end: () => Promise.all([pool.end(), checks.end()]),
  }
}

export interface ServerState {
  isStandby: boolean
  /** The server and the database in it: equal for a primary and its standbys. */
  identity: string
  /** Position in the write-ahead log: written, or replayed on a standby. */
  position: bigint
}

const ASK_STATE = unpreparedStatement(sql`
  SELECT pg_is_in_recovery() AS "isStandby",
    (SELECT system_identifier FROM pg_control_system()) || '/' || current_database() AS identity,
    pg_wal_lsn_diff(
      CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END, '0/0')::text AS position`)

async function askState(db: Db): Promise<ServerState> {
  const asked = queryRows<Omit<ServerState, 'position'> & { position: string | null }>(db, ASK_STATE, [])
  const answer = await inTime(asked, ANSWER_MAX_MS)
  if (answer === undefined) throw new Error(`no answer within ${ANSWER_MAX_MS} ms`)
  const [state] = answer
  if (state === undefined) throw new Error('the database did not say how far it is')
  // Null if a standby has not replayed anything yet.
  return { ...state, position: BigInt(state.position ?? 0) }
}

/** Why it cannot be used, or null. While no server accepts writes, its lag is that of the last moment at which one did. */
export function whyLeftOut(
  state: ServerState,
  history: History,
  now: number,
  isPrimaryLost = false,
): string | null {
  if (!state.isStandby) return 'it is not a standby'
  if (history.identity() !== null && history.identity() !== state.identity)
    return 'it is a standby of another database'
  const time = isPrimaryLost ? history.lastAt() : now
  return history.isRecent(state.position, time) ? null : 'it lags behind the primary'
}

interface History {
  note: (primary: ServerState, at: number) => void
  /** Null if the primary has never responded. */
  identity: () => string | null
  /** When the primary last responded. */
  lastAt: () => number
  /** Whether the primary was still at this position, or before it, so short a time ago. */
  isRecent: (position: bigint, now: number) => boolean
}

/**
 * The primary's positions over time. A standby's own lag is useless if its connection to the primary is stuck: it does not
 * know what it misses.
 */
export function createHistory(lagMaxMs: number): History {
  const noted: { position: bigint; at: number }[] = []
  let identity: string | null = null
  return {
    note: (primary, at) => {
      identity = primary.identity
      noted.push({ position: primary.position, at })
      while ((noted[0]?.at ?? at) < at - lagMaxMs) noted.shift()
    },
    identity: () => identity,
    lastAt: () => noted.at(-1)?.at ?? 0,
    isRecent: (position, now) =>
      noted.some((primary) => primary.position <= position && now - primary.at <= lagMaxMs),
  }
}
