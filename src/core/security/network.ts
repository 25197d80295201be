/** IP addresses and CIDR blocks as texts: what they mean, and what is wrong with one. Nothing here needs Node. */

export interface Network {
  /** All bits of the address as one number. */
  value: bigint
  /** Of an address alone: all of its bits. */
  prefix: number
  bits: 32 | 128
}

/** The most entries that the application takes in a list of allowed addresses. */
export const NETWORKS_MAX = 100

/** Whether the text is an IPv4 or IPv6 address, or a CIDR block of such with no bit set after its prefix. */
export function isNetwork(text: string): boolean {
  const network = readNetwork(text)
  return network !== null && hostPart(network) === 0n
}

/** What is wrong with an entry of a list, said so that it can be mended; null: nothing. */
export function describeNetworkProblem(text: string): string | null {
  if (text.trim() === '') return 'Enter an IP address such as 203.0.113.7, or a block such as 203.0.113.0/24.'
  if (text.trim() !== text) return 'Remove the spaces around the IP address.'
  const network = readNetwork(text)
  if (network === null) return describeUnreadable(text)
  if (hostPart(network) === 0n) return null
  const block = formatNetwork({ ...network, value: network.value - hostPart(network) })
  const address = text.slice(0, text.indexOf('/'))
  return `This block starts at ${block}. Enter that, or ${address} for a single address.`
}

/** For each entry of a list what is wrong with it, or null. */
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
  return `Enter a prefix length from 0 to ${readable.bits} after the slash, such as ${address}/${readable.bits === 32 ? 24 : 64}.`
}

/** An address, or a block whose address may have any bits. */
export function readNetwork(text: string): Network | null {
  const slash = text.indexOf('/')
  const address = readAddress(slash === -1 ? text : text.slice(0, slash))
  if (address === null) return null
  if (slash === -1) return { ...address, prefix: address.bits }
  const prefix = text.slice(slash + 1)
  if (!/^(0|[1-9]\d{0,2})$/.test(prefix) || Number(prefix) > address.bits) return null
  return { ...address, prefix: Number(prefix) }
}

/** Whether the address, or null for one that nobody could read, lies in one of these, each of which `isNetwork` takes. */
export function listHolds(list: readonly string[], address: string | null): boolean {
  const caller = address === null ? null : readNetwork(address)
  if (caller === null) return false
  const { value, bits } = asIpv4(caller)
  return list.some((text) => {
    const network = readNetwork(text)
    if (network === null) return false
    const block = asIpv4(network)
    const hostBits = BigInt(block.bits - block.prefix)
    return block.bits === bits && block.value >> hostBits === value >> hostBits
  })
}

/** IPv4-mapped addresses, and blocks of such, are the IPv4 ones that they mean. */
export function asIpv4(network: Network): Network {
  const { value, prefix, bits } = network
  if (bits === 32 || prefix < 96 || value >> 32n !== 0xffffn) return network
  return { value: value & 0xffffffffn, prefix: prefix - 96, bits: 32 }
}

export function formatIpv4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.')
}

function formatNetwork({ value, prefix, bits }: Network): string {
  if (bits === 32) return `${formatIpv4(value)}/${prefix}`
  const groups = Array.from({ length: 8 }, (_, i) => (value >> BigInt(112 - 16 * i)) & 0xffffn)
  // Of a block the last groups are mostly nothing; the rules for other gaps are not worth it.
  const used = groups.findLastIndex((group) => group !== 0n) + 1
  const digits = groups.slice(0, used).map((group) => group.toString(16))
  return `${digits.join(':')}${used === 8 ? '' : '::'}/${prefix}`
}

function hostPart({ value, prefix, bits }: Network): bigint {
  return value & ((1n << BigInt(bits - prefix)) - 1n)
}

function readAddress(text: string): Pick<Network, 'value' | 'bits'> | null {
  const isIpv6 = text.includes(':')
  const value = isIpv6 ? readIpv6(text) : readIpv4(text)
  return value === null ? null : { value, bits: isIpv6 ? 128 : 32 }
}

function readIpv4(text: string): bigint | null {
  const parts = text.split('.')
  if (parts.length !== 4) return null
  let value = 0n
  for (const part of parts) {
    if (!/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return null
    value = value * 256n + BigInt(part)
  }
  return value
}

const NO_GROUPS: readonly bigint[] = []

function readIpv6(text: string): bigint | null {
  const [head = '', tail, ...more] = text.split('::')
  if (more.length > 0) return null
  const before = head === '' && tail !== undefined ? NO_GROUPS : readGroups(head, tail === undefined)
  const after = tail === undefined || tail === '' ? NO_GROUPS : readGroups(tail, true)
  if (before === null || after === null) return null
  const zeros = 8 - before.length - after.length
  // A gap stands for something.
  if (tail === undefined ? zeros !== 0 : zeros < 1) return null
  const groups = [...before, ...Array.from({ length: zeros }, () => 0n), ...after]
  return groups.reduce((value, group) => value * 65536n + group, 0n)
}

/** Groups of hexadecimal digits; the last two of an address may be written as IPv4. */
function readGroups(text: string, isEnd: boolean): readonly bigint[] | null {
  const parts = text.split(':')
  const groups: bigint[] = []
  for (const [i, part] of parts.entries()) {
    if (/^[0-9a-f]{1,4}$/i.test(part)) {
      groups.push(BigInt(`0x${part}`))
      continue
    }
    const ipv4 = isEnd && i === parts.length - 1 ? readIpv4(part) : null
    if (ipv4 === null) return null
    groups.push(ipv4 >> 16n, ipv4 & 65535n)
  }
  return groups
}
