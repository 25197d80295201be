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
  /** Null: from anywhere. */
  allows: ((address: string | null) => boolean) | null
}

/** Why a known key was refused: for the logs, never for the answer. */
export interface Denial {
  holder: KeyHolder
  reason: string
}

/** At once where the key is good and was looked up a moment ago, as nearly always: a promise would be felt. */
export type Authenticate = (request: FastifyRequest, operation: Operation) => KeyHolder | Promise<KeyHolder>

export function createAuthenticate(keys: Pool, trustedProxies: readonly string[]): Authenticate {
  const addressOf = createAddressOf(trustedProxies)
  const hashOf = createKeyHashes()
  const lookUps = createKeyLookUps(keys)

  const whyDenied = (holder: CachedHolder, request: FastifyRequest, operation: Operation): string | null => {
    if (holder.revoked) return 'revoked key'
    const address = holder.allows === null ? null : addressOf(request)
    if (holder.allows?.(address) === false) return `address ${address ?? 'unreadable'} not allowed`
    return planMayCall(holder.plan, operation) ? null : `plan ${holder.plan} lacks access`
  }
  const authenticate = async (request: FastifyRequest, operation: Operation): Promise<KeyHolder> => {
    const hash = hashOf(request)
    // Known without the store, so it is answered even while the store is away.
    if (hash === null) {
      throw denied(request, request.headers['x-api-key'] === undefined ? 'no key' : 'malformed key')
    }
    const holder = await lookUps.find(hash).catch((error: unknown) => {
      const headers = { 'retry-after': '1' }
      throw new ApiError('auth_service_unavailable', { cause: error, headers })
    })
    if (holder === null) throw denied(request, 'unknown key')
    const reason = whyDenied(holder, request, operation)
    if (reason !== null) throw denied(request, reason, holder)
    return holder
  }
  return (request, operation) => {
    const hash = hashOf(request)
    const holder = hash === null ? null : lookUps.known(hash)
    const isGood = holder !== null && whyDenied(holder, request, operation) === null
    return isGood ? holder : authenticate(request, operation)
  }
}

/**
 * The hash of a request's key, or null where it can be none. The requests of a connection nearly always come with the
 * same one: its hash is made once, and forgotten with the connection.
 */
function createKeyHashes(): (request: FastifyRequest) => string | null {
  const lastOf = new WeakMap<object, { key: string; hash: string }>()
  return ({ headers, socket }) => {
    const key = headers['x-api-key']
    const last = lastOf.get(socket)
    if (last !== undefined && last.key === key) return last.hash
    if (typeof key !== 'string' || !isPossibleApiKey(key)) return null
    const hash = hashApiKey(key)
    lastOf.set(socket, { key, hash })
    return hash
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

interface LookUp {
  startedAt: number
  holder: Promise<CachedHolder | null>
  /** Once it is over, and has found one. */
  found: CachedHolder | null
}

interface KeyLookUps {
  /** What another request has found a moment ago. */
  known: (keyHash: string) => CachedHolder | null
  find: (keyHash: string) => Promise<CachedHolder | null>
}

/**
 * Looks a key up at most once in half a second, counted from before the look-up, and once for all requests that wait for
 * it. Only what was found counts for them: a key that was not known a moment ago must work the moment it is made.
 */
function createKeyLookUps(keys: Pool): KeyLookUps {
  const cache = new Map<string, LookUp>()
  const current = (keyHash: string, askedAt: number): LookUp | undefined => {
    const cached = cache.get(keyHash)
    return cached !== undefined && askedAt - cached.startedAt < CACHE_MS ? cached : undefined
  }
  const begin = (keyHash: string): LookUp => {
    if (cache.size >= CACHE_MAX_KEYS) cache.clear()
    const startedAt = performance.now()
    const begun: LookUp = { startedAt, holder: findCachedHolder(keys, keyHash), found: null }
    cache.set(keyHash, begun)
    const forget = () => {
      if (cache.get(keyHash) === begun) cache.delete(keyHash)
    }
    begun.holder.then((found) => (found === null ? forget() : (begun.found = found)), forget)
    return begun
  }
  const find = async (keyHash: string, askedAt: number): Promise<CachedHolder | null> => {
    const { startedAt, holder } = current(keyHash, askedAt) ?? begin(keyHash)
    const found = await holder
    if (found !== null || startedAt >= askedAt) return found
    if (performance.now() - askedAt > SECOND_LOOK_UP_MS) throw new Error('looking up the key takes too long')
    return find(keyHash, askedAt)
  }
  return {
    known: (keyHash) => current(keyHash, performance.now())?.found ?? null,
    find: (keyHash) => find(keyHash, performance.now()),
  }
}

async function findCachedHolder(keys: Pool, keyHash: string): Promise<CachedHolder | null> {
  const holder = await findKeyHolder(keys, keyHash)
  if (holder === null) return null
  return { ...holder, allows: holder.allowedIps.length === 0 ? null : networkMatcher(holder.allowedIps) }
}
