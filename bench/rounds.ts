/** Statistics over rounds. */

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}

/** Warms up caches, prepared statements and compiled code. */
const WARM_UP_ROUNDS = 4

/**
 * Runs every case once per round, so that other programs on the machine affect all of them. The order alternates, because a
 * case affects the processor caches of the next one.
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

/** The median over rounds of a ratio of two cases in the same round. */
export function ratioOver<A, B>(
  first: readonly A[],
  second: readonly B[],
  ratio: (a: A, b: B) => number,
): number {
  return median(first.map((a, round) => ratio(a, second[round] as B)))
}
