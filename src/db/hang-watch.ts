/**
 * A database that takes statements but answers nothing: its machine is stuck, or the network swallows what is sent. A
 * statement may take long, so waiting alone proves nothing; but one that does nothing is answered at once, or nobody
 * will be. Then those who wait for the database get their answer now instead of after the longest time for a statement.
 */
import type { Pool } from 'pg'
import { connectionCutter, openPool } from './connect.ts'
import type { Connection } from './connect.ts'

export interface HangWatch {
  stop: () => Promise<void>
}

interface HangWatchOptions {
  /** The connections whose statements fail when the database hangs. */
  data: Pool
  primary: Connection
  log: { warn: (details: object, message: string) => void }
}

/** With the second that the answer may take, those who wait know after a second and a half. */
const LOOK_MS = 500
/** As long as the pool for checks waits. */
const ANSWER_MAX_MS = 1_000
/** One that comes back later than this was held up by our own work: it says nothing about the database. */
const JUDGED_MAX_MS = 1_300

export function watchForHangs({ data, primary, log }: HangWatchOptions): HangWatch {
  const cutConnections = connectionCutter(data)
  const checks = openPool(primary, 'check', () => undefined)
  let asking: Promise<void> | undefined

  const look = async (): Promise<void> => {
    const askedAt = performance.now()
    try {
      await checks.query('SELECT 1')
    } catch (error) {
      const waitedMs = performance.now() - askedAt
      // One that refuses is not stuck: it has said so, and says so to the others, too.
      if (waitedMs < ANSWER_MAX_MS || waitedMs > JUDGED_MAX_MS) return
      log.warn({ err: error }, 'the database hangs: what waits for it fails')
      cutConnections()
    }
  }
  const looking = setInterval(() => {
    // Nothing is asked while nobody waits.
    if (data.totalCount > data.idleCount)
      asking ??= look().finally(() => {
        asking = undefined
      })
  }, LOOK_MS)
  looking.unref()
  return {
    stop: async () => {
      clearInterval(looking)
      await asking
      await checks.end()
    },
  }
}
