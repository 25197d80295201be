/** Whether the database responds in time, not counting stalls of this process. */
import { setTimeout as sleep } from 'node:timers/promises'

/** If this process got no CPU time meanwhile, a response that has arrived is read only now. */
const LATE_READ_MS = 100

/** The result, or undefined after this time. A later result is dropped. */
export async function inTime<Answer>(answer: Promise<Answer>, maxMs: number): Promise<Answer | undefined> {
  const done = new AbortController()
  answer.catch(() => undefined)
  try {
    return await Promise.race([answer, waitInVain(maxMs, done.signal)])
  } finally {
    done.abort()
  }
}

async function waitInVain(maxMs: number, signal: AbortSignal): Promise<undefined> {
  try {
    await sleep(maxMs, undefined, { ref: false, signal })
    await sleep(LATE_READ_MS, undefined, { ref: false, signal })
  } catch {
    // The result has arrived.
  }
  return undefined
}
