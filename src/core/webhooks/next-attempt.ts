/** When a delivery is attempted again. */

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The wait before each attempt, from the end of the one before. */
const WAITS_MS = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]

/** Spreads the attempts of many deliveries that failed together. */
const JITTER_MAX = 0.1
const RETRY_AFTER_MAX_MS = DAY

interface FailedAttempt {
  /** Including this one. */
  attempts: number
  /** The response header. */
  retryAfter: string | undefined
  /** When the response came, in milliseconds. */
  now: number
  /** From 0 to 1. */
  random: number
}

/** The milliseconds until the next attempt; null if the delivery has failed for good. */
export function nextAttempt({ attempts, retryAfter, now, random }: FailedAttempt): number | null {
  const wait = WAITS_MS[attempts]
  if (wait === undefined) return null
  return Math.ceil(Math.max(wait * (1 + JITTER_MAX * random), retryAfterMs(retryAfter, now)))
}

/** Seconds or an HTTP date. Anything else is ignored. */
function retryAfterMs(header: string | undefined, now: number): number {
  const text = header?.trim() ?? ''
  const asked = /^\d+$/.test(text) ? Number(text) * SECOND : HTTP_DATE.test(text) ? Date.parse(text) - now : 0
  return Number.isNaN(asked) ? 0 : Math.min(Math.max(asked, 0), RETRY_AFTER_MAX_MS)
}

/** The form that RFC 9110 requires of senders. `Date.parse` alone accepts nearly anything. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/
