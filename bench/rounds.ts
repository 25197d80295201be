/** Figures of several rounds. */

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}

/** The first rounds warm everything up: caches, prepared statements, and most of all compiled code. */
const WARM_UP_ROUNDS = 4

/**
 * Runs every case once a round, so that whatever else the machine does hits all of them alike; there and back, for what
 * a case leaves in the caches of the processor is in the way of the next one.
 */
export async function interleave<Names extends string, Result>(
  cases: Record<Names, () => Promise<Result>>,
  rounds: number,
  onRound: (round: number) => void,
  warmUpRounds = WARM_UP_ROUNDS,
): Promise<Record<Names, Result[]>> {
  const names = Object.keys(cases) as Names[]
  const results = Object.fromEntries(names.map((name) => [name, [] as Result[]])) as Record<Names, Result[]>
  for (let round = 1 - warmUpRounds; round <= rounds; round++) {
    onRound(round)
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const result = await cases[name]()
      if (round > 0) results[name].push(result)
    }
  }
  return results
}

/** The median over rounds of what two cases of the same round give together. */
export function ratioOver<A, B>(
  first: readonly A[],
  second: readonly B[],
  ratio: (a: A, b: B) => number,
): number {
  return median(first.map((a, round) => ratio(a, second[round] as B)))
}
