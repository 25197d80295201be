/** Who is calling: a key, whether it is still good, where the call comes from, and what the company's plan allows. */
import type { FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import { callerAddress, networkMatcher } from '../core/addresses.ts'
import { hashApiKey, isPossibleApiKey } from '../core/api-key.ts'
import { ApiError } from '../core/errors.ts'
import { findKeyHolder } from '../db/api-keys.ts'
import type { KeyHolder } from '../db/api-keys.ts'
import { planMayCall } from './access.ts'
import type { Operation } from './access.ts'

/** Half of the second within which a revocation takes effect everywhere. */
const CACHE_MS = 500
/** How long a request may have waited for another's look-up and still make its own: both stay within two seconds. */
const SECOND_LOOK_UP_MS = 200
/** Enough for every key in use; beyond it the cache starts anew rather than grow. */
const CACHE_MAX_KEYS = 10_000

interface CachedHolder extends KeyHolder {
  allows: (address: string | null) => boolean
}

/** Why a known key was refused: for the logs, never for the answer. */
export interface Denial {
  holder: KeyHolder
  reason: string
}

export type Authenticate = (request: FastifyRequest, operation: Operation) => Promise<KeyHolder>

export function createAuthenticate(keys: Pool, trustedProxies: readonly string[]): Authenticate {
  const addressOf = createAddressOf(trustedProxies)
  const lookUp = createKeyLookUp(keys)

  return async (request, operation) => {
    const key = request.headers['x-api-key']
    // Known without the store, so it is answered even while the store is away.
    if (typeof key !== 'string' || !isPossibleApiKey(key)) {
      throw denied(request, key === undefined ? 'no key' : 'malformed key')
    }
    const holder = await lookUp(hashApiKey(key)).catch((error: unknown) => {
      const headers = { 'retry-after': '1' }
      throw new ApiError('auth_service_unavailable', { cause: error, headers })
    })
    if (holder === null) throw denied(request, 'unknown key')
    if (holder.revoked) throw denied(request, 'revoked key', holder)
    const address = addressOf(request)
    if (!holder.allows(address))
      throw denied(request, `address ${address ?? 'unreadable'} not allowed`, holder)
    if (!planMayCall(holder.plan, operation))
      throw denied(request, `plan ${holder.plan} lacks access`, holder)
    return holder
  }
}

/** Where a request comes from; null where that cannot be read. */
export function createAddressOf(trustedProxies: readonly string[]) {
  const isTrustedProxy = networkMatcher(trustedProxies)
  return (request: FastifyRequest): string | null =>
    callerAddress(request.socket.remoteAddress, forwardedFor(request), isTrustedProxy)
}

function forwardedFor(request: FastifyRequest): string | undefined {
  const header = request.headers['x-forwarded-for']
  return Array.isArray(header) ? header.join(',') : header
}

/** One answer for every reason; the reason is for the log. */
function denied(request: FastifyRequest, reason: string, holder?: KeyHolder): ApiError {
  if (holder !== undefined) request.denial = { holder, reason }
  request.log.info({ reason, company: holder?.companyId, keyId: holder?.keyId }, 'access denied')
  return new ApiError('missing_or_invalid_api_key')
}

/**
 * Looks a key up at most once in half a second, counted from before the look-up, and once for all requests that wait for
 * it. Only what was found counts for them: a key that was not known a moment ago must work the moment it is made.
 */
function createKeyLookUp(keys: Pool): (keyHash: string) => Promise<CachedHolder | null> {
  const cache = new Map<string, { startedAt: number; holder: Promise<CachedHolder | null> }>()
  const lookUp = (keyHash: string, askedAt: number): Promise<CachedHolder | null> => {
    const cached = cache.get(keyHash)
    if (cached !== undefined && cached.startedAt >= askedAt) return cached.holder
    if (cached !== undefined && askedAt - cached.startedAt < CACHE_MS) {
      return cached.holder.then((found) => {
        if (found !== null) return found
        if (performance.now() - askedAt > SECOND_LOOK_UP_MS)
          throw new Error('looking up the key takes too long')
        return lookUp(keyHash, askedAt)
      })
    }
    if (cache.size >= CACHE_MAX_KEYS) cache.clear()
    const startedAt = performance.now()
    const holder = findCachedHolder(keys, keyHash)
    const entry = { startedAt, holder }
    cache.set(keyHash, entry)
    const forget = () => {
      if (cache.get(keyHash) === entry) cache.delete(keyHash)
    }
    holder.then((found) => found === null && forget(), forget)
    return holder
  }
  return (keyHash) => lookUp(keyHash, performance.now())
}

async function findCachedHolder(keys: Pool, keyHash: string): Promise<CachedHolder | null> {
  const holder = await findKeyHolder(keys, keyHash)
  if (holder === null) return null
  return {
    ...holder,
    allows: holder.allowedIps.length === 0 ? () => true : networkMatcher(holder.allowedIps),
  }
}
