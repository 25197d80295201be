/** Random choices that follow from a seed. */

export interface Random {
  /** From 0 up to, but never, 1. */
  fraction: () => number
  /** A whole number from `from` up to and with `to`. */
  between: (from: number, to: number) => number
  pick: <Value>(values: readonly Value[]) => Value
}

/** Mulberry32: small, and even enough to spread faults over time. */
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
      if (value === undefined) throw new Error('nothing to pick from')
      return value
    },
  }
}
