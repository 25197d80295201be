/** Who is calling: a key, whether it is still good, where the call comes from, and what the company's plan allows. */
import type { FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import { callerAddress, networkMatcher } from '../core/security/addresses.ts'
import { hashApiKey, isPossibleApiKey } from '../core/security/api-key.ts'
import { ApiError } from '../core/requests/errors.ts'
import { findKeyHolder } from '../records/api-key/queries.ts'
import type { KeyHolder } from '../records/api-key/queries.ts'
import { inTime } from '../db/in-time.ts'
import { planMayCall } from './access.ts'
import type { Operation } from './access.ts'

/** Half of the second within which a revocation takes effect everywhere. */
const CACHE_MS = 500
/** With this, a look-up fails within two seconds. A stall of this process does not count (db/in-time.ts). */
const LOOK_UP_MAX_MS = 1_000
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
    const isGood = (one: CachedHolder) => whyDenied(one, request, operation) === null
    const holder = await lookUps.find(hash, isGood).catch((error: unknown) => {
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
    const mayEnter = holder !== null && whyDenied(holder, request, operation) === null
    return mayEnter ? holder : authenticate(request, operation)
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
  /** The last holder found, with the start of that look-up. While a newer one is under way it still lets good requests in. */
  found: { holder: CachedHolder; startedAt: number } | null
}

interface KeyLookUps {
  /** What another request has found a moment ago. */
  known: (keyHash: string) => CachedHolder | null
  find: (keyHash: string, isGood: (holder: CachedHolder) => boolean) => Promise<CachedHolder | null>
}

/**
 * Looks a key up at most once in half a second, counted from before the look-up, and once for all requests that wait for
 * it. Only a holder that lets the request in is taken from the cache. A denial always waits for a look-up that began
 * after the request came: a new key works at once, and an unknown key takes as long as one that is known but denied.
 */
function createKeyLookUps(keys: Pool): KeyLookUps {
  const cache = new Map<string, LookUp>()
  const begin = (keyHash: string): LookUp => {
    if (cache.size >= CACHE_MAX_KEYS) cache.clear()
    const startedAt = performance.now()
    const begun: LookUp = {
      startedAt,
      holder: findCachedHolder(keys, keyHash),
      found: cache.get(keyHash)?.found ?? null,
    }
    cache.set(keyHash, begun)
    // Nothing of a failure or of an unknown key is remembered.
    const keep = (found: LookUp['found']) => {
      if (cache.get(keyHash) !== begun) return
      if (found === null) cache.delete(keyHash)
      else cache.set(keyHash, { startedAt: found.startedAt, holder: Promise.resolve(found.holder), found })
    }
    begun.holder.then(
      (holder) => keep(holder === null ? null : { holder, startedAt }),
      () => keep(begun.found),
    )
    return begun
  }
  const startedSince = (keyHash: string, time: number): LookUp | undefined => {
    const cached = cache.get(keyHash)
    return cached !== undefined && cached.startedAt >= time ? cached : undefined
  }
  const find: KeyLookUps['find'] = async (keyHash, isGood) => {
    const askedAt = performance.now()
    const first = startedSince(keyHash, askedAt - CACHE_MS) ?? begin(keyHash)
    const found = await first.holder
    if (first.startedAt >= askedAt || (found !== null && isGood(found))) return found
    if (performance.now() - askedAt > SECOND_LOOK_UP_MS) throw new Error('looking up the key takes too long')
    return (startedSince(keyHash, askedAt) ?? begin(keyHash)).holder
  }
  return {
    known: (keyHash) => {
      const found = cache.get(keyHash)?.found ?? null
      return found !== null && performance.now() - found.startedAt < CACHE_MS ? found.holder : null
    },
    find,
  }
}

/** By list. Creating a matcher takes milliseconds, which would tell a denied key of a long list from an unknown key. */
const matchers = new Map<string, (address: string | null) => boolean>()
const MATCHERS_MAX = 1_000

function matcherOf(networks: readonly string[]): CachedHolder['allows'] {
  if (networks.length === 0) return null
  const key = networks.join(' ')
  const known = matchers.get(key)
  if (known !== undefined) return known
  if (matchers.size >= MATCHERS_MAX) matchers.clear()
  const matcher = networkMatcher(networks)
  matchers.set(key, matcher)
  return matcher
}

async function findCachedHolder(keys: Pool, keyHash: string): Promise<CachedHolder | null> {
  const holder = await inTime(findKeyHolder(keys, keyHash), LOOK_UP_MAX_MS)
  if (holder === undefined) throw new Error('the key store does not respond')
  if (holder === null) return null
  return { ...holder, allows: matcherOf(holder.allowedIps) }
}
