/** Limits the requests of this process. Endpoints that do not respond have their own limit, so they cannot take the slots of others. */
const WORKING_MAX = 1_024
const FAILING_MAX = 128

export interface Slots {
  /** Returns how to free it; null if all are taken. Then `onFree` is called once when one is free. */
  take: (isFailing: boolean, onFree: () => void) => (() => void) | null
  countTaken: () => number
}

export function createSlots(): Slots {
  const classes = {
    working: { max: WORKING_MAX, taken: 0, waiting: new Set<() => void>() },
    failing: { max: FAILING_MAX, taken: 0, waiting: new Set<() => void>() },
  }
  return {
    take: (isFailing, onFree) => {
      const own = isFailing ? classes.failing : classes.working
      if (own.taken >= own.max) {
        own.waiting.add(onFree)
        return null
      }
      own.taken++
      return () => {
        own.taken--
        const [next] = own.waiting
        if (next === undefined) return
        own.waiting.delete(next)
        next()
      }
    },
    countTaken: () => classes.working.taken + classes.failing.taken,
  }
}
