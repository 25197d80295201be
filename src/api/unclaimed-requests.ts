/**
 * Requests that were answered before authentication, such as those to an unknown path. They are common mistakes when building
 * an integration, so they belong in the log. Their keys are looked up together when the log is written.
 */
import type { DbPool } from '../db/statement.ts'
import { hashApiKey, isPossibleApiKey } from '../core/security/api-key.ts'
import { findKeyOwners } from '../records/api-key/queries.ts'
import type { UnclaimedRequest } from '../records/request-log/queries.ts'
import type { LogBuffer } from './log-buffer.ts'

export interface UnclaimedRequests {
  /** Whether there was room for it. Whether the key exists is not known yet. */
  add: (key: string, describe: () => UnclaimedRequest) => boolean
  /** Looks up the keys and passes on requests of known companies. If that fails, all of them stay. */
  claim: (pool: DbPool, give: LogBuffer['offer']) => Promise<void>
  count: () => number
}

/** Anyone can send unknown keys, so each write looks up at most this many. */
const KEYS_MAX = 50
const REQUESTS_MAX = 200
/** The allowance of a company per second, so that one key cannot take all slots. */
const REQUESTS_PER_KEY_MAX = 25

export function createUnclaimedRequests(): UnclaimedRequests {
  const byHash = new Map<string, UnclaimedRequest[]>()
  let count = 0
  return {
    add: (key, describe) => {
      if (count >= REQUESTS_MAX) return false
      const hash = hashApiKey(key)
      const ofKey = byHash.get(hash) ?? []
      if (ofKey.length >= REQUESTS_PER_KEY_MAX || (ofKey.length === 0 && byHash.size >= KEYS_MAX))
        return false
      ofKey.push(describe())
      byHash.set(hash, ofKey)
      count++
      return true
    },
    claim: async (pool, give) => {
      if (count === 0) return
      const hashes = [...byHash.keys()]
      const owners = await findKeyOwners(pool, hashes)
      for (const hash of hashes) {
        const requests = byHash.get(hash) ?? []
        byHash.delete(hash)
        count -= requests.length
        const owner = owners.get(hash)
        if (owner !== undefined)
          for (const request of requests) give(owner, request.status, Date.now(), () => request)
      }
    },
    count: () => count,
  }
}

/** The key of an API request that was not looked up, or null. */
export function unclaimedKey(url: string, key: unknown, status: number): string | null {
  // A 401 means that it was looked up and is unknown.
  const isOpen = status !== 401 && url.startsWith('/api/')
  return isOpen && typeof key === 'string' && isPossibleApiKey(key) ? key : null
}
