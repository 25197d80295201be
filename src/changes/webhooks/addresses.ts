/**
 * Resolves the host of a webhook endpoint, and refuses addresses that are not on the public internet. A request
 * connects to the addresses that were checked, so a name that resolves differently a moment later changes nothing.
 */
import { Resolver, lookup } from 'node:dns/promises'
import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import type { LookupFunction } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { callbackify } from 'node:util'
import { hostOf } from '../../core/webhooks/endpoint-url.ts'
import { isPublicAddress } from '../../core/security/public-address.ts'

const NOT_PUBLIC = 'The host has an address that is not public'

/** Refused, so no request was sent. */
export class AddressError extends Error {}

export type Resolve = (host: string) => Promise<LookupAddress[]>

export interface AddressOptions {
  /** WEBHOOK_ALLOW_PRIVATE: any address is allowed. */
  allowPrivate: boolean
  /** For tests. */
  resolve?: Resolve
}

const DNS_TIMEOUT_MS = 4_000

/**
 * Asks the name servers without the system's resolver, whose few threads are shared with compression and passwords: a name
 * whose servers do not respond would hold one for seconds. It knows no hosts file, whose addresses are private anyway.
 */
async function resolvePublic(host: string): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS / 2, tries: 2 })
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const found = [
    ...(ipv4.status === 'fulfilled' ? ipv4.value.map((address) => ({ address, family: 4 })) : []),
    ...(ipv6.status === 'fulfilled' ? ipv6.value.map((address) => ({ address, family: 6 })) : []),
  ]
  if (found.length > 0) return found
  throw ipv4.status === 'rejected' ? ipv4.reason : new Error('no address')
}

const resolveAny: Resolve = (host) => lookup(host, { all: true })

/** The addresses of a host name or literal address. */
async function findAddresses(
  host: string,
  { allowPrivate, resolve }: AddressOptions,
): Promise<LookupAddress[]> {
  const family = isIP(host)
  const found =
    family === 0
      ? await (resolve ?? (allowPrivate ? resolveAny : resolvePublic))(host)
      : [{ address: host, family }]
  if (!allowPrivate && !found.every(({ address }) => isPublicAddress(address)))
    throw new AddressError(NOT_PUBLIC)
  return found
}

/** How a request finds the address of its host. Never called for a literal address, which `refuseLiteral` checks. */
export function createLookup(options: AddressOptions): LookupFunction {
  const find = callbackify(findAddresses)
  return (host, { all }, done) => {
    find(host, options, (error: NodeJS.ErrnoException | null, found) => {
      const [first] = found ?? []
      if (error !== null || first === undefined) done(error ?? new Error('no address'), '')
      else if (all === true) done(null, found)
      else done(null, first.address, first.family)
    })
  }
}

export function refuseLiteral(url: string, { allowPrivate }: AddressOptions): void {
  const host = hostOf(url)
  if (!allowPrivate && isIP(host) !== 0 && !isPublicAddress(host)) throw new AddressError(NOT_PUBLIC)
}

/** A slow name server must not hold up the API. Attempts check the addresses again. */
const CHECK_MAX_MS = 1_000

/** Whether an endpoint may have this URL. A name that does not resolve is allowed. */
export async function isAllowedUrl(url: string, options: AddressOptions): Promise<boolean> {
  if (options.allowPrivate) return true
  const done = new AbortController()
  try {
    const timeout = sleep(CHECK_MAX_MS, undefined, { signal: done.signal, ref: false })
    await Promise.race([findAddresses(hostOf(url), options), timeout])
    return true
  } catch (error) {
    return !(error instanceof AddressError)
  } finally {
    done.abort()
  }
}
