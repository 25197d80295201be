/** Random choices that depend on a seed. */

export interface Random {
  /** From 0 (inclusive) to 1 (exclusive) */
  fraction: () => number
  /** An integer from `from` to `to`, both inclusive */
  between: (from: number, to: number) => number
  pick: <Value>(values: readonly Value[]) => Value
}

/** Mulberry32, which is small and uniform enough to distribute faults over time. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    fraction: next,
    between,
    pick: (values) => {
      const value = values[between(0, values.length - 1)]
      if (value === undefined) throw new Error('cannot pick from an empty list')
      return value
    },
  }
}
