/** Table of allowed addresses: list, trusted proxies and headers, each with the expected decision. */
import type { Pool } from 'pg'
import { insertCompany } from './records.ts'
import { rawRequest, sendRaw } from './raw.ts'

/** Sets of trusted proxies; the caller is always 127.0.0.1. */
export const TRUSTED: Record<string, readonly string[]> = {
  none: [],
  others: ['10.0.0.1', '192.0.2.0/24', '2001:db8::/32'],
  loopback: ['127.0.0.1'],
  mapped: ['::ffff:127.0.0.1'],
  several: ['127.0.0.0/8', '10.0.0.0/8', '2001:db8:ffff::/48'],
  everyone: ['0.0.0.0/0', '::/0'],
}

const LISTS = {
  any: [],
  loopback: ['127.0.0.1'],
  'mapped loopback': ['::ffff:127.0.0.1'],
  'mapped block': ['::ffff:127.0.0.0/104'],
  'loopback block': ['127.0.0.0/8'],
  'address and block': ['192.0.2.7', '2001:db8::/32'],
  'half a block': ['192.0.2.0/25'],
  'two addresses': ['192.0.2.4/31'],
  'all IPv4': ['0.0.0.0/0'],
  'all IPv6': ['::/0'],
  'IPv6 block': ['2001:db8::/33'],
  'one IPv6 address': ['2001:db8::1'],
  proxies: ['10.0.0.0/8'],
} as const

type List = keyof typeof LISTS

export interface AddressRow {
  trusted: string
  list: List
  /** Header lines, usually `x-forwarded-for` */
  headers: readonly string[]
  allowed: boolean
}

type Rows = readonly (readonly [
  list: List,
  forwardedFor: string | readonly string[] | null,
  allowed: boolean,
])[]

/** Without a trusted proxy, the header is ignored. */
const IGNORED: Rows = [
  ['any', null, true],
  ['loopback', null, true],
  ['mapped loopback', null, true],
  ['mapped block', null, true],
  ['loopback block', null, true],
  ['all IPv4', null, true],
  ['address and block', null, false],
  ['half a block', null, false],
  ['all IPv6', null, false],
  ['loopback', '192.0.2.7', true],
  ['address and block', '192.0.2.7', false],
  ['address and block', '2001:db8::1', false],
  ['address and block', '127.0.0.1, 192.0.2.7', false],
  ['address and block', '192.0.2.7, 10.0.0.1', false],
  ['half a block', ['192.0.2.1', '192.0.2.2'], false],
  ['all IPv6', '::1', false],
]

/** Behind one trusted proxy, the last entry is the caller. */
const BEHIND_ONE: Rows = [
  ['loopback', null, true],
  ['address and block', null, false],
  ['address and block', '192.0.2.7', true],
  ['address and block', ' 192.0.2.7 ', true],
  ['address and block', '192.0.2.8', false],
  ['address and block', '203.0.113.9, 192.0.2.7', true],
  ['address and block', '192.0.2.7, 203.0.113.9', false],
  ['loopback', '203.0.113.9', false],
  ['loopback', '127.0.0.1', true],
  ['any', '203.0.113.9', true],
]

/** Behind several trusted proxies, the caller is the last entry that is not one of them. */
const BEHIND_SEVERAL: Rows = [
  ['address and block', '::ffff:192.0.2.7', true],
  ['address and block', '::FFFF:C000:207', true],
  ['address and block', '0:0:0:0:0:ffff:192.0.2.7', true],
  ['address and block', '2001:db8::1', true],
  ['address and block', '2001:DB8:0:0::1', true],
  ['address and block', '2001:db9::1', false],
  ['address and block', '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff', false],
  ['address and block', '203.0.113.9,192.0.2.7,10.1.2.3', true],
  ['address and block', '192.0.2.7, 10.1.2.3, 2001:db8:ffff::9', true],
  ['address and block', '192.0.2.7, ::ffff:10.1.2.3', true],
  ['address and block', '192.0.2.7, 203.0.113.9, 10.1.2.3', false],
  ['address and block', '192.0.2.7, unknown, 10.1.2.3', false],
  ['address and block', 'unknown, 192.0.2.7', true],
  ['address and block', ['203.0.113.9', '192.0.2.7'], true],
  ['address and block', ['192.0.2.7', '203.0.113.9'], false],
  ['address and block', ['192.0.2.7', '10.1.2.3'], true],
  ['proxies', '10.1.2.3, 10.9.9.9', true],
  ['proxies', '192.0.2.7, 10.1.2.3', false],
  ['half a block', '192.0.2.0', true],
  ['half a block', '192.0.2.127', true],
  ['half a block', '192.0.2.128', false],
  ['half a block', '192.0.1.255', false],
  ['two addresses', '192.0.2.3', false],
  ['two addresses', '192.0.2.4', true],
  ['two addresses', '192.0.2.5', true],
  ['two addresses', '192.0.2.6', false],
  ['IPv6 block', '2001:db8:7fff:ffff:ffff:ffff:ffff:ffff', true],
  ['IPv6 block', '2001:db8:8000::', false],
  ['one IPv6 address', '2001:0DB8:0000:0000:0000:0000:0000:0001', true],
  ['one IPv6 address', '2001:db8::2', false],
  ['all IPv6', '203.0.113.9', false],
  ['all IPv6', '::ffff:203.0.113.9', false],
  ['all IPv6', '2001:db9::1', true],
  ['all IPv4', '::1', false],
  ['all IPv4', '::ffff:203.0.113.9', true],
]

/** An unreadable address is allowed only if all addresses are allowed. */
const UNREADABLE =
  `unknown _hidden , 192.0.2.7, 192.0.2.7:443 [2001:db8::1] [2001:db8::1]:443 for=192.0.2.7 "192.0.2.7" 192.0.2.07
  192.0.2 192.0.2.7.1 3221225991 0xc0.0.2.7 192.0.2.256 2001:db8::1%eth0 2001:db8::1:: 2001:db8:::1 192.0.2.7/32
  localhost`.split(/\s+/)
UNREADABLE.push('', '192.0.2.7 10.0.0.1', '\xff')

/** Other headers are ignored, even from a trusted proxy. */
const OTHERS = [
  'x-real-ip: 192.0.2.7',
  'forwarded: for=192.0.2.7',
  'cf-connecting-ip: 192.0.2.7',
  'x-client-ip: 192.0.2.7',
]

export const ADDRESS_ROWS: readonly AddressRow[] = [
  ...rowsOf(['none', 'others'], IGNORED),
  ...rowsOf(['loopback', 'mapped', 'several'], BEHIND_ONE),
  ...rowsOf(['several'], BEHIND_SEVERAL),
  ...rowsOf(
    ['several'],
    UNREADABLE.flatMap((entry) => [
      ['address and block', entry, false] as const,
      ['any', entry, true] as const,
    ]),
  ),
  // If every proxy is trusted, the first entry is the caller, so callers can claim any address.
  ...rowsOf(['everyone'], [['address and block', '192.0.2.7, 203.0.113.9', true]]),
  ...['none', 'several'].flatMap((trusted) =>
    OTHERS.map((line) => ({ trusted, list: 'address and block' as const, headers: [line], allowed: false })),
  ),
]

function rowsOf(trusted: readonly string[], rows: Rows): AddressRow[] {
  return trusted.flatMap((name) =>
    rows.map(([list, forwardedFor, allowed]) => ({
      trusted: name,
      list,
      headers: (forwardedFor === null ? [] : [forwardedFor].flat()).map(
        (value) => `x-forwarded-for: ${value}`,
      ),
      allowed,
    })),
  )
}

const keyOf = (list: List) => `key-of-${list.replaceAll(' ', '-')}`

/** Inserts one company for each list. */
export async function insertLists(pool: Pool): Promise<void> {
  for (const [list, allowedIps] of Object.entries(LISTS))
    await insertCompany(pool, `co ${list}`, { allowedIps: [...allowedIps], key: keyOf(list as List) })
}

/** Sends the request of a row, and returns the status. The server on the port must trust the proxies of the row. */
export async function statusOfRow(port: number, { list, headers }: AddressRow): Promise<number> {
  const lines = [`x-api-key: ${keyOf(list)}`, ...headers]
  return (await sendRaw(port, rawRequest('GET /api/resources HTTP/1.1', lines))).status
}
