/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value >>> 0
}

/**
 * Pseudo-random choices that are the same on every machine. Never use it for secrets.
 *
 * Each record has a separate generator with a name such as `seed/company/quote/17`, so a change to one quote does not
 * change the next. mulberry32 uses integer arithmetic only; Math.log can differ in the last digit between machines.
 */
export class Random {
  #state: number

  constructor(name: string) {
    this.#state = hash(name)
  }

  /** At least 0, below 1. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }

  /** An integer, both ends included. */
  int(min: number, max: number): number {
    return min + Math.floor(this.#next() * (max - min + 1))
  }

  chance(probability: number): boolean {
    return this.#next() < probability
  }

  pick<T>(list: readonly T[]): T {
    const item = list[this.int(0, list.length - 1)]
    if (item === undefined) throw new RangeError('Nothing to pick from')
    return item
  }

  maybe<T>(probability: number, list: readonly T[]): T | undefined {
    return this.chance(probability) ? this.pick(list) : undefined
  }

  /** Up to `count` different entries, in a random order. */
  sample<T>(list: readonly T[], count: number): T[] {
    const rest = [...list]
    const taken: T[] = []
    while (taken.length < count) {
      // The last entry replaces the drawn one, which avoids moving the rest.
      const index = this.int(0, rest.length - 1)
      const item = rest[index]
      const last = rest.pop()
      if (item === undefined || last === undefined) break
      if (index < rest.length) rest[index] = last
      taken.push(item)
    }
    return taken
  }

  /** From 1 to `most`, mostly small, with this average. */
  many(average: number, most: number): number {
    const oneMore = 1 - 1 / Math.max(1, average)
    let count = 1
    while (count < most && this.chance(oneMore)) count++
    return count
  }
}
