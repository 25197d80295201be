/** 100 % in millionths of one percent: six decimals are all a stored percentage can have, so integers are exact. */
export const HUNDRED_PERCENT = 100_000_000n

const PERCENTAGE = /^(\d{1,3})(?:\.(\d{1,6}))?$/

/** Cached: nearly all quotes use the same few percentages. */
const parsed = new Map<string | null, bigint>()
const PARSED_MAX = 1_000

/** Parses a percentage digit by digit, because a float cannot represent 10.25 / 100. */
export function parsePercent(text: string | null): bigint {
  const known = parsed.get(text)
  if (known !== undefined) return known
  const match = PERCENTAGE.exec(text ?? '')
  if (match === null) throw new RangeError(`Not a percentage: ${text}`)
  const [, whole = '', fraction = ''] = match
  const percent = BigInt(whole + fraction.padEnd(6, '0'))
  if (parsed.size < PARSED_MAX) parsed.set(text, percent)
  return percent
}

/** Converts an input to bigint. Throws for anything but a whole amount, before it is added to anything. */
export function parseCents(value: number | null): bigint {
  if (value === null || !Number.isSafeInteger(value) || value < 0) {
    throw new RangeError(`Not an amount in minor units: ${value}`)
  }
  return BigInt(value)
}

/** Converts to a number. Throws if a JSON number cannot represent it exactly, since amounts are never rounded. */
export function toNumber(cents: bigint): number {
  const value = Number(cents)
  if (!Number.isSafeInteger(value)) throw new RangeError(`Too large for an exact number: ${cents}`)
  return value
}

/** a * b / c to the nearest integer, halves up. One division, last, so nothing is rounded twice. Operands >= 0. */
export function halfUp(a: bigint, b: bigint, c: bigint): bigint {
  return (2n * a * b + c) / (2n * c)
}

/** The share `percent` (from `parsePercent`) of an amount. */
export function percentOf(cents: bigint, percent: bigint): bigint {
  return halfUp(cents, percent, HUNDRED_PERCENT)
}

/**
 * Splits a total in proportion to the weights without losing a unit: floor shares, then one unit each by largest
 * remainder. Equal remainders go to the earlier weight, so the result depends only on the order of the weights.
 */
export function allocate(total: bigint, weights: readonly bigint[]): bigint[] {
  if (total === 0n) return weights.map(() => 0n)
  const sum = weights.reduce((a, b) => a + b, 0n)
  const shares = weights.map((weight) => ({
    cents: (total * weight) / sum,
    remainder: (total * weight) % sum,
  }))
  const left = shares.reduce((rest, share) => rest - share.cents, total)
  const byRemainder = shares.toSorted((a, b) => Number(b.remainder - a.remainder))
  for (const share of byRemainder.slice(0, Number(left))) share.cents += 1n
  return shares.map((share) => share.cents)
}

export function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
