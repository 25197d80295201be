/** The optional rate limit per key: counts the current minute in this process. */
import { ApiError } from '../core/requests/errors.ts'
import type { KeyHolder } from '../records/api-key/queries.ts'

const MINUTE_MS = 60_000

/** Call once per authenticated request. Throws if the key has used up its minute. */
export function createRateLimit(perMinute: number | undefined): (holder: KeyHolder) => void {
  if (perMinute === undefined) return () => undefined
  const counts = new Map<string, number>()
  let minute = 0
  return ({ companyId, keyId }) => {
    // Key ids are unique per company only.
    const key = JSON.stringify([companyId, keyId])
    const now = Date.now()
    if (Math.floor(now / MINUTE_MS) !== minute) {
      minute = Math.floor(now / MINUTE_MS)
      counts.clear()
    }
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    if (count <= perMinute) return
    const retryAfterSeconds = Math.ceil((MINUTE_MS - (now % MINUTE_MS)) / 1000)
    throw new ApiError('rate_limit_exceeded', { headers: { 'retry-after': String(retryAfterSeconds) } })
  }
}
