/** How many requests are completed per unit of time, measured over short windows. */

const WINDOW_MS = 300

export interface Throughput {
  /** One more is completed. */
  add: () => void
  /** The number of requests to be completed in this time, at the rate of the best recent window. */
  expectedIn: (ms: number) => number
}

export function createThroughput(now: () => number): Throughput {
  let startedAt = now()
  let completed = 0
  /** Completed per millisecond in the last two windows. The older one counts so that one stall does not look like the norm. */
  let last = 0
  let secondLast = 0
  const closeWindow = () => {
    const elapsedMs = now() - startedAt
    if (elapsedMs < WINDOW_MS) return
    secondLast = last
    last = completed / elapsedMs
    completed = 0
    startedAt += elapsedMs
  }
  return {
    add: () => {
      closeWindow()
      completed++
    },
    expectedIn: (ms) => {
      closeWindow()
      return ms * Math.max(secondLast, last, completed / WINDOW_MS)
    },
  }
}
