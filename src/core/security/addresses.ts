/** The address a request comes from, and whether a list of networks contains it. */
import { BlockList, isIPv4 } from 'node:net'
import { asIpv4, readNetwork } from './network.ts'

/** A matcher for networks, each of which `isNetwork` accepts. A `BlockList` stays fast with a thousand entries. */
export function networkMatcher(networks: readonly string[]): (address: string | null) => boolean {
  // One list per family: in a single one, an IPv6 block such as ::/0 would also contain IPv4 addresses.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const text of networks) {
    const network = readNetwork(text)
    if (network === null) throw new Error(`not an address or CIDR block: ${text}`)
    const { address, prefix } = asIpv4(network)
    lists[address.kind()].addSubnet(String(address), prefix, address.kind())
  }
  if (networks.length === 0) return () => false
  return (text) => {
    const address = text === null ? null : normalizeAddress(text)
    if (address === null) return false
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    return lists[family].check(address, family)
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

/** The address, with an IPv4-mapped one as IPv4, or null if it is not an address. Zones and ports are not accepted. */
function normalizeAddress(text: string): string | null {
  // Fast path: nearly every client has an IPv4 address, or comes from localhost.
  if (isIPv4(text)) return text
  const network = text.includes('/') ? null : readNetwork(text)
  if (network === null) return null
  const { address } = asIpv4(network)
  return address.kind() === 'ipv4' ? String(address) : text
}
