/**
 * Requests that were answered before anybody asked whose they are, at an unknown path say: common mistakes of people who
 * build an integration, so they belong into their log. Their keys are looked up when the log is written, all at once.
 */
import type { Pool } from 'pg'
import { hashApiKey, isPossibleApiKey } from '../core/security/api-key.ts'
import { findKeyOwners } from '../records/api-key/queries.ts'
import type { UnclaimedRequest } from '../records/request-log/queries.ts'
import type { LogPlaces } from './log-places.ts'

export interface UnclaimedRequests {
  /** Whether there was a place for it; nobody knows yet whether anybody has this key. */
  add: (key: string, describe: () => UnclaimedRequest) => boolean
  /** Looks the keys up and gives away what belongs to somebody; where that fails, all of it stays. */
  claim: (pool: Pool, give: LogPlaces['offer']) => Promise<void>
  count: () => number
}

/** Anybody can send keys that nobody has: they cost no more than this, each time that the log is written. */
const KEYS_MAX = 50
const REQUESTS_MAX = 200
/** What a company may keep in a second: one key does not take the places of all. */
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

/** The key that came with a request to the API that nobody has looked up; null: there is none. */
export function unclaimedKey(url: string, key: unknown, status: number): string | null {
  // Where the answer was 401 it was looked up, and nobody has it.
  const isOpen = status !== 401 && url.startsWith('/api/')
  return isOpen && typeof key === 'string' && isPossibleApiKey(key) ? key : null
}
