/**
 * How many requests are worked on at once. More than the database works on would only hold memory and take processor
 * time from one another, so the others wait in line. A burst just makes a line that goes away. Where the line stays,
 * there is more to do than can be done, so whoever comes is refused at once while it is long: what is accepted is still
 * answered in time, and when the load ends, nothing is left over.
 */
import { ApiError } from '../core/errors.ts'

/** After so long without a moment in which no one waited, it is no burst. */
const BURST_MS = 500
/** Then, no one may join while the first in line has waited longer than this. */
const LINE_CLOSES_MS = 450
/** At any time, no one may join a line that is longer than this, and than what is done in a third of a second. */
const LINE_MIN = 100
const COUNTED_MS = 300
/** How long anyone waits: also after that there must be time to find out that the database hangs, and to say so. */
const WAIT_MAX_MS = 800

/** Made once: a thousand times a second, even the stack trace that comes with an error is felt. */
const OVERLOADED = new ApiError('auth_service_unavailable', {
  message: 'There are more requests than can be answered in time. Retry in a second.',
  headers: { 'retry-after': '1' },
})

export interface Admission {
  /** Throws while no one may join the line: whoever is refused before any work is begun for them costs the least. */
  refuseWhileClosed: () => void
  /** Does the work when there is a place for it; throws when there is none in time. */
  run: <Result>(work: () => Promise<Result>) => Promise<Result>
  counts: () => { inWork: number; waiting: number }
}

interface Waiting {
  since: number
  admit: () => void
}

export function createAdmission(places: number): Admission {
  // A set keeps the order in which they came, and whoever gives up can leave from the middle.
  const line = new Set<Waiting>()
  let inWork = 0
  let emptyAt = performance.now()
  const done = countDone()

  const isClosed = () => {
    const [first] = line
    if (first === undefined) return false
    const now = performance.now()
    if (line.size >= Math.max(LINE_MIN, done.lately(now))) return true
    return now - emptyAt > BURST_MS && now - first.since > LINE_CLOSES_MS
  }

  const leave = () => {
    inWork--
    done.add(performance.now())
    const [first] = line
    if (first === undefined) return
    line.delete(first)
    inWork++
    first.admit()
  }

  const wait = () =>
    new Promise<void>((resolve, refuse) => {
      const timer = setTimeout(() => {
        line.delete(waiting)
        refuse(OVERLOADED)
      }, WAIT_MAX_MS)
      const admit = () => {
        clearTimeout(timer)
        resolve()
      }
      const waiting: Waiting = { since: performance.now(), admit }
      if (line.size === 0) emptyAt = waiting.since
      line.add(waiting)
    })

  const refuseWhileClosed = () => {
    if (isClosed()) throw OVERLOADED
  }

  return {
    refuseWhileClosed,
    run: async (work) => {
      if (inWork < places) {
        inWork++
      } else {
        refuseWhileClosed()
        await wait()
      }
      try {
        return await work()
      } finally {
        leave()
      }
    },
    counts: () => ({ inWork, waiting: line.size }),
  }
}

/** How many were done in the current stretch of time, or in the one before if they were more then. */
function countDone(): { add: (now: number) => void; lately: (now: number) => number } {
  let before = 0
  let current = 0
  let since = performance.now()
  const turn = (now: number) => {
    if (now - since < COUNTED_MS) return
    before = now - since < 2 * COUNTED_MS ? current : 0
    current = 0
    since = now
  }
  return {
    add: (now) => {
      turn(now)
      current++
    },
    lately: (now) => {
      turn(now)
      return Math.max(before, current)
    },
  }
}
