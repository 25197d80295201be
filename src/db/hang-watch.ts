/**
 * Detects a database that accepts statements but responds to none: its machine is stuck, or the network drops packets. A
 * statement can take long, so a long wait proves nothing. But `SELECT 1` is answered at once, or the database hangs. Then
 * everything that waits for it fails now, not after the longest time for a statement.
 */
import type { Pool } from 'pg'
import { openPool } from './connect.ts'
import type { Connection } from './connect.ts'
import { connectionCutter } from './connection-cutter.ts'
import { inTime } from './in-time.ts'

export interface HangWatch {
  /** Registers a listener that is called at every detection, before the connections are closed. */
  onHang: (listener: () => void) => void
  /** Fails everything that waits for the database. */
  cut: () => void
  stop: () => Promise<void>
}

interface HangWatchOptions {
  /** Their statements fail when the database hangs. */
  pools: readonly Pool[]
  primary: Connection
  log: { warn: (details: object, message: string) => void }
}

/** Together with the time for the response: a hang is detected in less than two seconds. */
const LOOK_MS = 500
const ANSWER_MAX_MS = 1_000
/**
 * A new connection takes longer than a statement, on a busy machine much longer. But if none is opened in this time, that
 * counts as no response. A hang is then detected in less than three seconds.
 */
const CONNECT_MAX_MS = 1_800
/** A database that answered any other statement this recently is slow, but does not hang. */
const RECENT_MS = 500

export function watchForHangs({ pools, primary, log }: HangWatchOptions): HangWatch {
  const cutters = pools.map(connectionCutter)
  const listeners: (() => void)[] = []
  let answeredAt = -Infinity
  for (const pool of pools) {
    pool.on('release', (error) => {
      if (!(error as unknown)) answeredAt = performance.now()
    })
  }
  const checks = openPool(primary, 'hang', () => undefined)
  // Opens the connection before it is needed.
  const connecting = answers(checks, CONNECT_MAX_MS)
  let asking: Promise<void> | undefined

  const cut = () => {
    for (const listener of listeners) listener()
    for (const cutPool of cutters) cutPool()
  }
  const look = async (): Promise<void> => {
    const askedAt = performance.now()
    if (await answers(checks, CONNECT_MAX_MS)) return
    // A pooler may have kept the statement waiting for a server connection. Try again on another one.
    if (primary.pooler !== undefined && (await answers(checks, ANSWER_MAX_MS))) return
    if (performance.now() - answeredAt < RECENT_MS) return
    const waitedMs = Math.round(performance.now() - askedAt)
    log.warn({ waitedMs }, 'the database hangs: requests that wait for it fail')
    cut()
  }
  const looking = setInterval(() => {
    // Only while a request waits for the database.
    if (pools.some(({ totalCount, idleCount }) => totalCount > idleCount))
      asking ??= look().finally(() => {
        asking = undefined
      })
  }, LOOK_MS)
  looking.unref()
  return {
    onHang: (listener) => listeners.push(listener),
    cut,
    stop: async () => {
      clearInterval(looking)
      await Promise.all([connecting, asking])
      await checks.end()
    },
  }
}

/** True if the database refuses: it responds then, and tells the others, too. */
async function answers(checks: Pool, connectMaxMs: number): Promise<boolean> {
  const connecting = checks.connect().then(
    (client) => ({ client }),
    () => ({ client: null }),
  )
  const connected = await inTime(connecting, connectMaxMs)
  if (connected === undefined) {
    // If it is opened later, it is kept for the next time.
    void connecting.then(({ client }) => client?.release())
    return false
  }
  const { client } = connected
  if (client === null) return true
  const answer = client.query('SELECT 1').then(
    () => true,
    () => true,
  )
  const hasAnswered = (await inTime(answer, ANSWER_MAX_MS)) === true
  // A connection with an unanswered statement cannot be used again.
  client.release(!hasAnswered)
  return hasAnswered
}
