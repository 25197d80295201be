/** Work that takes much memory, only so many at once: the others wait, each for its turn. */

export type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>

export function createTurns(atOnce: number): Turns {
  const waiting: (() => void)[] = []
  let inWork = 0
  return async (work) => {
    if (inWork < atOnce) inWork++
    else await new Promise<void>((turn) => waiting.push(turn))
    try {
      return await work()
    } finally {
      // Whoever is next takes the place over.
      const next = waiting.shift()
      if (next === undefined) inWork--
      else next()
    }
  }
}
