/**
 * Whether an address is on the public internet. Webhooks are sent only there: otherwise a company could make the service call
 * programs inside the operator's network.
 */
import ipaddr from 'ipaddr.js'
import type { IPv6 } from 'ipaddr.js'

/** The only block from which global IPv6 addresses are assigned. */
const GLOBAL_IPV6: [IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]
/** An IPv4 address behind the translator of an IPv6-only network (RFC 6052). */
const NAT64: [IPv6, number] = [ipaddr.IPv6.parse('64:ff9b::'), 96]

/** Private, local, reserved, multicast and tunnel addresses are not, nor is a text that is not an address. */
export function isPublicAddress(text: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text).range() === 'unicast'
  if (text.includes('%') || !ipaddr.IPv6.isValid(text)) return false
  const address = ipaddr.IPv6.parse(text)
  if (address.isIPv4MappedAddress() || address.match(NAT64)) return isPublicAddress(embeddedIpv4(address))
  return address.range() === 'unicast' && address.match(GLOBAL_IPV6)
}

function embeddedIpv4(address: IPv6): string {
  return address.toByteArray().slice(-4).join('.')
}
