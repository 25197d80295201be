/**
 * A database that takes statements but answers nothing: its machine is stuck, or the network swallows what is sent. A
 * statement may take long, so waiting alone proves nothing; but one that does nothing is answered at once, or nobody
 * will be. Then those who wait for the database get their answer now instead of after the longest time for a statement.
 */
import type { Pool } from 'pg'
import { connectionCutter, openPool } from './connect.ts'
import type { Connection } from './connect.ts'
import { inTime } from './in-time.ts'

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
/**
 * A new connection takes longer than a statement, on a busy machine much longer; but one that does not come at all is the
 * same as no answer. Those who wait know after less than three seconds even so.
 */
const CONNECT_MAX_MS = 1_800

export function watchForHangs({ data, primary, log }: HangWatchOptions): HangWatch {
  const cutConnections = connectionCutter(data)
  const checks = openPool(primary, 'hang', () => undefined)
  // Its connection is there when it is needed.
  const connecting = answers(checks, CONNECT_MAX_MS)
  let asking: Promise<void> | undefined

  const look = async (): Promise<void> => {
    const askedAt = performance.now()
    if (await answers(checks, CONNECT_MAX_MS)) return
    // What a pooler does not answer may wait there for one of its connections: asked again, on another.
    if (primary.pooler !== undefined && (await answers(checks, ANSWER_MAX_MS))) return
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
      await Promise.all([connecting, asking])
      await checks.end()
    },
  }
}

/** One that refuses is not stuck: it has said so, and says so to the others, too. */
async function answers(checks: Pool, connectMaxMs: number): Promise<boolean> {
  const connecting = checks.connect().then(
    (client) => ({ client }),
    () => ({ client: null }),
  )
  const connected = await inTime(connecting, connectMaxMs)
  if (connected === undefined) {
    // When it comes after all, it is kept for the next time.
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
  // What is left without an answer is of no use for the next question.
  client.release(!hasAnswered)
  return hasAnswered
}
