/** Whether the database answers in time, judged fairly. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Where this process was busy itself for all that time, what has arrived is read only now. */
const LATE_READ_MS = 100

/** What was answered within so many milliseconds; undefined: nothing was. An answer that comes later is dropped. */
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
    // The answer has come.
  }
  return undefined
}
