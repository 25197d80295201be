/**
 * A database that takes statements but answers nothing: its machine is stuck, or the network swallows what is sent. A
 * statement may take long, so waiting alone proves nothing; but one that does nothing is answered at once, or nobody
 * will be. Then those who wait for the database get their answer now instead of after the longest time for a statement.
 */
import { setTimeout as sleep } from 'node:timers/promises'
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

/** With the time that the answer may take, those who wait know after less than two seconds. */
const LOOK_MS = 500
const ANSWER_MAX_MS = 1_000
/** Where this process was busy itself for all that time, what has arrived is read only now. */
const LATE_READ_MS = 100

export function watchForHangs({ data, primary, log }: HangWatchOptions): HangWatch {
  const cutConnections = connectionCutter(data)
  const checks = openPool(primary, 'hang', () => undefined)
  let asking: Promise<void> | undefined

  const look = async (): Promise<void> => {
    const askedAt = performance.now()
    // One that refuses is not stuck: it has said so, and says so to the others, too.
    const answer = checks.query('SELECT 1').then(
      () => true,
      () => true,
    )
    if (await Promise.race([answer, waitInVain()])) return
    const waitedMs = Math.round(performance.now() - askedAt)
    log.warn({ waitedMs }, 'the database hangs: what waits for it fails')
    cutConnections()
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

async function waitInVain(): Promise<false> {
  await sleep(ANSWER_MAX_MS, undefined, { ref: false })
  await sleep(LATE_READ_MS, undefined, { ref: false })
  return false
}
