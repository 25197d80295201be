/** Authentication: the key, whether it is revoked, the client's address, and what the company's plan allows. */
import type { FastifyRequest } from 'fastify'
import type { Read } from '../db/replica.ts'
import { callerAddress, networkMatcher } from '../core/security/addresses.ts'
import { hashApiKey, isPossibleApiKey } from '../core/security/api-key.ts'
import { ApiError } from '../core/requests/errors.ts'
import { findKeyHolder } from '../records/api-key/queries.ts'
import type { KeyHolder } from '../records/api-key/queries.ts'
import { inTime } from '../db/in-time.ts'
import { planMayCall } from './access.ts'
import type { Operation } from './access.ts'

/** A revocation takes effect everywhere within a second; this is half of it. */
const CACHE_MS = 500
/** Keeps failed lookups below two seconds. Stalls of this process do not count (db/in-time.ts). */
const LOOK_UP_MAX_MS = 1_000
/** A request that waited longer than this for another's lookup does not start its own, to stay within two seconds. */
const SECOND_LOOK_UP_MS = 200
/** Enough for every key in use. A full cache is cleared. */
const CACHE_MAX_KEYS = 10_000

interface CachedHolder extends KeyHolder {
  /** Null if there is no restriction. */
  allows: ((address: string | null) => boolean) | null
}

/** Why a known key was refused. For the logs, never for the response. */
export interface Denial {
  holder: KeyHolder
  reason: string
}

/** Synchronous for a valid cached key, which avoids a promise on the hot path. */
export type Authenticate = (request: FastifyRequest, operation: Operation) => KeyHolder | Promise<KeyHolder>

export function createAuthenticate(readKeys: Read, trustedProxies: readonly string[]): Authenticate {
  const addressOf = createAddressOf(trustedProxies)
  const hashOf = createKeyHashes()
  const lookUps = createKeyLookUps(readKeys)

  const whyDenied = (holder: CachedHolder, request: FastifyRequest, operation: Operation): string | null => {
    if (holder.revoked) return 'revoked key'
    const address = holder.allows === null ? null : addressOf(request)
    if (holder.allows?.(address) === false) return `address ${address ?? 'unreadable'} not allowed`
    return planMayCall(holder.plan, operation) ? null : `plan ${holder.plan} lacks access`
  }
  const authenticate = async (request: FastifyRequest, operation: Operation): Promise<KeyHolder> => {
    const hash = hashOf(request)
    // Known without the key store, so it works even while the store is unreachable.
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
 * The hash of the request's key, or null if it cannot be a key. Cached per connection, since nearly all requests of a
 * connection use the same key.
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

/** The client's address; null if it cannot be read. */
export function createAddressOf(trustedProxies: readonly string[]) {
  const isTrustedProxy = networkMatcher(trustedProxies)
  return (request: FastifyRequest): string | null =>
    callerAddress(request.socket.remoteAddress, forwardedFor(request), isTrustedProxy)
}

function forwardedFor(request: FastifyRequest): string | undefined {
  const header = request.headers['x-forwarded-for']
  return Array.isArray(header) ? header.join(',') : header
}

/** The same response for every reason. The reason goes to the log. */
function denied(request: FastifyRequest, reason: string, holder?: KeyHolder): ApiError {
  if (holder !== undefined) request.denial = { holder, reason }
  request.log.info({ reason, company: holder?.companyId, keyId: holder?.keyId }, 'access denied')
  return new ApiError('missing_or_invalid_api_key')
}

interface LookUp {
  startedAt: number
  holder: Promise<CachedHolder | null>
  /** The last result, with the start of its lookup. It still admits valid requests while a newer lookup is running. */
  found: { holder: CachedHolder; startedAt: number } | null
}

interface KeyLookUps {
  /** The recent result of another request. */
  known: (keyHash: string) => CachedHolder | null
  find: (keyHash: string, isGood: (holder: CachedHolder) => boolean) => Promise<CachedHolder | null>
}

/**
 * Looks a key up at most once per half second, counted from before the lookup, and once for all requests that wait for it.
 * Only a holder that admits the request is taken from the cache. A denial always waits for a lookup that started after the
 * request: a new key works at once, and an unknown key takes as long as a known but denied one.
 */
function createKeyLookUps(readKeys: Read): KeyLookUps {
  const cache = new Map<string, LookUp>()
  const begin = (keyHash: string): LookUp => {
    if (cache.size >= CACHE_MAX_KEYS) cache.clear()
    const startedAt = performance.now()
    const begun: LookUp = {
      startedAt,
      holder: findCachedHolder(readKeys, keyHash),
      found: cache.get(keyHash)?.found ?? null,
    }
    cache.set(keyHash, begun)
    // Failures and unknown keys are not cached.
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

async function findCachedHolder(readKeys: Read, keyHash: string): Promise<CachedHolder | null> {
  const holder = await inTime(
    readKeys((db) => findKeyHolder(db, keyHash)),
    LOOK_UP_MAX_MS,
  )
  if (holder === undefined) throw new Error('the key store does not respond')
  if (holder === null) return null
  return { ...holder, allows: matcherOf(holder.allowedIps) }
}
