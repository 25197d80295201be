/** Limits how many pieces of memory-hungry work run at once. The rest wait and start in order. */

export type Limiter = <Result>(work: () => Promise<Result>) => Promise<Result>

export function createLimiter(maxActive: number): Limiter {
  const waiting: (() => void)[] = []
  let active = 0
  return async (work) => {
    if (active < maxActive) active++
    else await new Promise<void>((start) => waiting.push(start))
    try {
      return await work()
    } finally {
      // The next one takes over the slot.
      const next = waiting.shift()
      if (next === undefined) active--
      else next()
    }
  }
}
