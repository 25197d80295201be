/** How hard an `APP_SECRET` is to guess. Every invoice link and session cookie depends on it. */

const MIN_CHARACTERS = 32
const MIN_DISTINCT_CHARACTERS = 10
const MIN_DISTINCT_PAIRS = 16
const MIN_DISTINCT_STEPS = 8

/** Words of placeholders and of common passwords. */
const PLACEHOLDER = /change.?me|replace.?me|your.?secret|secret.?key|password|passphrase|qwerty|example/i

/**
 * Whether a secret is too short or too regular. Random text passes, down to 32 hexadecimal digits. A repeated character or
 * word has few distinct pairs of neighbors, and a sequence such as `abc…` or `0123…` has few distinct steps between them.
 */
export function isWeakSecret(secret: string): boolean {
  const codes = Array.from(secret, (character) => character.codePointAt(0) ?? 0)
  const pairs = new Set<string>()
  const steps = new Set<number>()
  codes.slice(1).forEach((code, i) => {
    const before = codes[i] ?? 0
    pairs.add(`${before} ${code}`)
    steps.add(code - before)
  })
  return (
    PLACEHOLDER.test(secret) ||
    codes.length < MIN_CHARACTERS ||
    new Set(codes).size < MIN_DISTINCT_CHARACTERS ||
    pairs.size < MIN_DISTINCT_PAIRS ||
    steps.size < MIN_DISTINCT_STEPS
  )
}
