/** IP addresses and CIDR blocks: parsing, matching, and what is wrong with an entry. Also runs in the browser. */
import ipaddr from 'ipaddr.js'
import type { IPv4, IPv6 } from 'ipaddr.js'

export interface Network {
  address: IPv4 | IPv6
  /** For a single address: all of its bits. */
  prefix: number
}

/** The most entries of a list of allowed addresses in the console. */
export const NETWORKS_MAX = 100

/** Whether the text is an IPv4 or IPv6 address, or a CIDR block with no bit set after its prefix. */
export function isNetwork(text: string): boolean {
  const network = readNetwork(text)
  return network !== null && isBlockStart(network)
}

/** The problem of an entry of a list and how to fix it, or null. */
export function describeNetworkProblem(text: string): string | null {
  if (text.trim() === '') return 'Enter an IP address such as 203.0.113.7, or a block such as 203.0.113.0/24.'
  if (text.trim() !== text) return 'Remove the spaces around the IP address.'
  const network = readNetwork(text)
  if (network === null) return describeUnreadable(text)
  if (isBlockStart(network)) return null
  const address = text.slice(0, text.indexOf('/'))
  return `This block starts at ${String(blockStart(network))}/${network.prefix}. Enter that, or ${address} for a single address.`
}

/** The problem of each entry of a list, or null. */
export function describeListProblems(list: readonly string[]): (string | null)[] {
  const first = new Map<string, number>()
  for (const [i, text] of list.entries()) if (!first.has(text)) first.set(text, i)
  return list.map((text, i) => {
    const problem = describeNetworkProblem(text)
    return problem ?? (first.get(text) === i ? null : 'This is already in the list.')
  })
}

function describeUnreadable(text: string): string {
  const [address = '', prefix] = text.split('/')
  const readable = readAddress(address)
  if (readable === null || prefix === undefined)
    return 'This is not an IP address. Enter one such as 203.0.113.7 or 2001:db8::7.'
  const bits = bitsOf(readable)
  return `Enter a prefix length from 0 to ${bits} after the slash, such as ${address}/${bits === 32 ? 24 : 64}.`
}

/** An address, or a block whose address may have any bits. */
export function readNetwork(text: string): Network | null {
  const slash = text.indexOf('/')
  const address = readAddress(slash === -1 ? text : text.slice(0, slash))
  if (address === null) return null
  if (slash === -1) return { address, prefix: bitsOf(address) }
  const prefix = text.slice(slash + 1)
  if (!/^(0|[1-9]\d{0,2})$/.test(prefix) || Number(prefix) > bitsOf(address)) return null
  return { address, prefix: Number(prefix) }
}

/** What clients are counted by. The first 64 bits of an IPv6 address: a client with one address of that network has all of them. */
export function networkKey(address: string | null): string {
  const network = address === null ? null : readNetwork(address)
  if (network === null) return 'unknown'
  if (network.address.kind() === 'ipv4') return String(address)
  const bytes = network.address.toByteArray().slice(0, 8)
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Whether the address is in one of these networks, each of which `isNetwork` accepts. Null is an unreadable address. */
export function listHolds(list: readonly string[], address: string | null): boolean {
  const caller = address === null ? null : readNetwork(address)
  if (caller === null) return false
  const { address: one } = asIpv4(caller)
  return list.some((text) => {
    const network = readNetwork(text)
    if (network === null) return false
    const block = asIpv4(network)
    return block.address.kind() === one.kind() && one.match(block.address, block.prefix)
  })
}

/** IPv4-mapped IPv6 addresses, and blocks of them, as IPv4. A shorter prefix than 96 also contains other addresses. */
export function asIpv4({ address, prefix }: Network): Network {
  if (address.kind() === 'ipv4' || prefix < 96) return { address, prefix }
  const ipv6 = address as IPv6
  return ipv6.isIPv4MappedAddress()
    ? { address: ipv6.toIPv4Address(), prefix: prefix - 96 }
    : { address, prefix }
}

const bitsOf = (address: IPv4 | IPv6) => (address.kind() === 'ipv4' ? 32 : 128)

function isBlockStart(network: Network): boolean {
  return String(blockStart(network)) === String(network.address)
}

function blockStart({ address, prefix }: Network): IPv4 | IPv6 {
  const bytes = address
    .toByteArray()
    .map((byte, i) => byte & (0xff00 >> Math.min(8, Math.max(0, prefix - 8 * i))) & 0xff)
  return ipaddr.fromByteArray(bytes)
}

/** Stricter than the library, which also accepts octal and hexadecimal IPv4, zones, and `::1.2.3.4` as a mapped address. */
function readAddress(text: string): IPv4 | IPv6 | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  const groups = text.replace(DOTTED_END, (dotted) => {
    if (!ipaddr.IPv4.isValidFourPartDecimal(dotted)) return dotted
    const [a = 0, b = 0, c = 0, d = 0] = ipaddr.IPv4.parse(dotted).octets
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  })
  return IPV6.test(groups) && ipaddr.IPv6.isValid(groups) ? ipaddr.IPv6.parse(groups) : null
}

const DOTTED_END = /(?<=:)[\d.]+$/
const IPV6 = /^[0-9a-f:]+$/i
