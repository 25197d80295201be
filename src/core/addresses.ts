/** IP addresses and blocks of them: who is calling, and whether a list lets them in. */
import { BlockList, isIP } from 'node:net'

/** Whether the text is an IPv4 or IPv6 address, or a CIDR block of such with no bit set after its prefix. */
export function isNetwork(text: string): boolean {
  const network = splitNetwork(text)
  if (network === null) return false
  const hostBits = BigInt(network.bits - network.prefix)
  return (addressValue(network.address) & ((1n << hostBits) - 1n)) === 0n
}

/** A matcher for addresses and CIDR blocks, each of which `isNetwork` has accepted. */
export function networkMatcher(networks: readonly string[]): (address: string | null) => boolean {
  // A list for each family: in a single one, blocks of IPv6 such as ::/0 would let IPv4 addresses in as well.
  const ipv4 = new BlockList()
  const ipv6 = new BlockList()
  for (const text of networks) {
    const network = splitNetwork(text)
    if (network === null) throw new Error(`not an address or CIDR block: ${text}`)
    const mapped = mappedIpv4(network.address)
    // A block of IPv4-mapped addresses means the IPv4 addresses in it, since callers are compared as IPv4.
    // Its prefix is 96 or more: with a shorter one, the bits that say mapped would stand after it.
    if (mapped !== null) ipv4.addSubnet(mapped, network.prefix - 96, 'ipv4')
    else if (network.bits === 32) ipv4.addSubnet(network.address, network.prefix, 'ipv4')
    else ipv6.addSubnet(network.address, network.prefix, 'ipv6')
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
  const value = addressValue(address)
  if (value >> 32n !== 0xffffn) return null
  return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.')
}

function splitNetwork(text: string): { address: string; prefix: number; bits: 32 | 128 } | null {
  const slash = text.indexOf('/')
  const address = slash === -1 ? text : text.slice(0, slash)
  const version = isIP(address)
  if (version === 0 || address.includes('%')) return null
  const bits = version === 4 ? 32 : 128
  if (slash === -1) return { address, prefix: bits, bits }
  const prefixText = text.slice(slash + 1)
  if (!/^(0|[1-9]\d{0,2})$/.test(prefixText) || Number(prefixText) > bits) return null
  return { address, prefix: Number(prefixText), bits }
}

/** A valid address as one number. */
function addressValue(address: string): bigint {
  if (isIP(address) === 4) return address.split('.').reduce((value, part) => value * 256n + BigInt(part), 0n)
  const gap = address.indexOf('::')
  const before = ipv6Groups(gap === -1 ? address : address.slice(0, gap))
  const after = gap === -1 ? [] : ipv6Groups(address.slice(gap + 2))
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0n)
  return [...before, ...zeros, ...after].reduce((value, group) => value * 65536n + group, 0n)
}

function ipv6Groups(text: string): bigint[] {
  if (text === '') return []
  return text.split(':').flatMap((part) => {
    if (!part.includes('.')) return [BigInt(`0x${part}`)]
    const value = addressValue(part)
    return [value >> 16n, value & 65535n]
  })
}
