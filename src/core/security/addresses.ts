/** IP addresses and blocks of them: who is calling, and whether a list lets them in. */
import { BlockList, isIP } from 'node:net'
import { asIpv4, formatIpv4, readNetwork } from './network.ts'

/** A matcher for addresses and CIDR blocks, each of which `isNetwork` has accepted. */
export function networkMatcher(networks: readonly string[]): (address: string | null) => boolean {
  // A list for each family: in a single one, blocks of IPv6 such as ::/0 would let IPv4 addresses in as well.
  const ipv4 = new BlockList()
  const ipv6 = new BlockList()
  for (const text of networks) {
    const read = readNetwork(text)
    if (read === null) throw new Error(`not an address or CIDR block: ${text}`)
    // A block of IPv4-mapped addresses means the IPv4 addresses in it, since callers are compared as IPv4.
    // Its prefix is 96 or more: with a shorter one, the bits that say mapped would stand after it.
    const network = asIpv4(read)
    if (network.bits === 32) ipv4.addSubnet(formatIpv4(network.value), network.prefix, 'ipv4')
    else ipv6.addSubnet(text.split('/')[0] ?? text, network.prefix, 'ipv6')
  }
  if (networks.length === 0) return () => false
  return (address) => {
    if (address === null) return false
    const bare = mappedIpv4(address) ?? address
    return isIP(bare) === 6 ? ipv6.check(bare, 'ipv6') : ipv4.check(bare, 'ipv4')
  }
}

/**
 * The address a request comes from. `x-forwarded-for` can be written by anyone, so it counts only when the direct peer
 * is a trusted proxy: then the last entry that is no trusted proxy is the caller. Null when that entry is unreadable.
 */
export function callerAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
  isTrustedProxy: (address: string | null) => boolean,
): string | null {
  let caller = normalizeAddress(peer ?? '')
  const hops = forwardedFor === undefined ? [] : forwardedFor.split(',')
  while (isTrustedProxy(caller)) {
    const hop = hops.pop()
    if (hop === undefined) return caller
    caller = normalizeAddress(hop.trim())
  }
  return caller
}

/** The address with an IPv4-mapped IPv6 one as IPv4, or null when it is none (zone ids and ports are not accepted). */
function normalizeAddress(text: string): string | null {
  if (isIP(text) === 0 || text.includes('%')) return null
  return mappedIpv4(text) ?? text
}

function mappedIpv4(address: string): string | null {
  // Of every request's caller it is asked, and nearly always this tells.
  if (!address.includes(':')) return null
  const network = readNetwork(address)
  if (network === null) return null
  const mapped = asIpv4(network)
  return mapped.bits === 32 ? formatIpv4(mapped.value) : null
}
