import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callerAddress, networkMatcher } from './addresses.ts'
import { isNetwork } from './network.ts'

describe('A7: entries of a list', () => {
  it.each([
    '0.0.0.0',
    '255.255.255.255',
    '10.0.0.1/32',
    '10.0.0.0/8',
    '0.0.0.0/0',
    '192.168.1.128/25',
    '::',
    '::1',
    '2001:db8::',
    '2001:DB8::1',
    '2001:db8::/32',
    '::/0',
    '::ffff:10.0.0.1',
    '::ffff:10.0.0.0/104',
    '1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7::',
    '::2:3:4:5:6:7:8',
    '1::',
    '1:2:3:4:5:6:1.2.3.4',
    '::1.2.3.4',
    '64:ff9b::1.2.3.4',
    '0.0.0.0/32',
    '128.0.0.0/1',
    '255.255.255.255/32',
    '::/128',
    '::1/128',
    '8000::/1',
    'fe80::/10',
    '2001:db8:0:0:0:0:0:0/32',
    '2001:db8::8/125',
    '2001:db8::2/127',
    '::ffff:0:0/96',
    '::fffe:0:0/95',
  ])('%s is an address or a block', (text) => {
    expect(isNetwork(text)).toBe(true)
  })

  it.each([
    ['an empty text', ''],
    ['a name', 'localhost'],
    ['an IPv4 address with three parts', '10.0.0'],
    ['an IPv4 address with a leading zero', '10.0.0.01'],
    ['an IPv4 part above 255', '10.0.0.256'],
    ['an IPv4 address as a number', '167772161'],
    ['a hexadecimal IPv4 part', '0x0a.0.0.1'],
    ['a port', '10.0.0.1:80'],
    ['brackets', '[::1]'],
    ['a zone', 'fe80::1%eth0'],
    ['two gaps', '1::2::3'],
    ['nine groups', '1:2:3:4:5:6:7:8:9'],
    ['a leading space', ' 10.0.0.1'],
    ['a prefix too long for IPv4', '10.0.0.0/33'],
    ['a prefix too long for IPv6', '::/129'],
    ['a negative prefix', '10.0.0.0/-1'],
    ['an empty prefix', '10.0.0.0/'],
    ['a netmask', '10.0.0.0/255.0.0.0'],
    ['two prefixes', '10.0.0.0/8/8'],
    ['two slashes', '10.0.0.0//8'],
    ['a prefix alone', '/8'],
    ['a prefix with a leading zero', '10.0.0.0/08'],
    ['a prefix of two zeros', '0.0.0.0/00'],
    ['a prefix of four digits', '::/1000'],
    ['a prefix with a sign', '10.0.0.0/+8'],
    ['a hexadecimal prefix', '10.0.0.0/0x8'],
    ['a prefix after a letter', '10.0.0.0/x8'],
    ['a prefix before a letter', '10.0.0.0/8x'],
    ['a prefix after a space', '10.0.0.0/ 8'],
    ['a prefix before a line break', '10.0.0.0/8\n'],
    ['a zone before a prefix', 'fe80::%eth0/10'],
    ['a zone after a prefix', 'fe80::/10%eth0'],
    ['bits after an IPv4 prefix', '10.0.0.1/8'],
    ['one bit after an IPv4 prefix', '192.168.1.64/25'],
    ['bits after an IPv6 prefix', '2001:db8::1/32'],
    ['bits after prefix 0', '1.2.3.4/0'],
    ['one bit after prefix 0', '8000::/0'],
    ['the last bit after an IPv6 prefix', '::1/127'],
    ['bits before the gap, after an IPv6 prefix', '1::0/8'],
    ['bits in dotted form after an IPv6 prefix', '::1.2.3.4/120'],
    ['bits after the prefix of a mapped block', '::ffff:10.0.0.1/104'],
    ['the bits of the mapped range after a prefix', '::ffff:0:0/95'],
  ])('%s is neither an address nor a block', (_, text) => {
    expect(isNetwork(text)).toBe(false)
  })
})

describe('A7: networkMatcher', () => {
  it.each([
    [['10.0.0.1'], '10.0.0.1', true],
    [['10.0.0.1'], '10.0.0.2', false],
    [['10.0.0.0/8'], '10.0.0.0', true],
    [['10.0.0.0/8'], '10.255.255.255', true],
    [['10.0.0.0/8'], '9.255.255.255', false],
    [['10.0.0.0/8'], '11.0.0.0', false],
    [['192.168.1.128/25'], '192.168.1.127', false],
    [['192.168.1.128/25'], '192.168.1.128', true],
    [['192.168.1.4/31'], '192.168.1.5', true],
    [['192.168.1.4/31'], '192.168.1.6', false],
    [['0.0.0.0/0'], '203.0.113.9', true],
    [['0.0.0.0/0'], '::1', false],
    [['::/0'], '2001:db8::1', true],
    [['::/0'], '203.0.113.9', false],
    [['::/64'], '203.0.113.9', false],
    [['2001:db8::/33'], '2001:db8:7fff:ffff::', true],
    [['2001:db8::/33'], '2001:db8:8000::', false],
    [['2001:db8::1'], '2001:0DB8:0:0:0:0:0:1', true],
    [['::ffff:10.0.0.1'], '10.0.0.1', true],
    [['::ffff:10.0.0.0/104'], '10.9.9.9', true],
    [['::ffff:10.0.0.0/104'], '11.0.0.0', false],
    [['::ffff:0:0/96'], '203.0.113.9', true],
    [['10.0.0.1', '::1', '172.16.0.0/12'], '172.31.255.255', true],
    [['10.0.0.1', '::1', '172.16.0.0/12'], '172.32.0.0', false],
    [[], '10.0.0.1', false],
    [['0.0.0.0/0', '::/0'], null, false],
    [['128.0.0.0/1'], '127.255.255.255', false],
    [['128.0.0.0/1'], '255.255.255.255', true],
    [['::1'], '0:0:0:0:0:0:0:1', true],
    [['::1'], '0.0.0.1', false],
    [['fe80::/10'], 'febf:ffff::', true],
    [['fe80::/10'], 'fec0::', false],
    [['10.0.0.0/8'], 'a00::', false],
    [['10.0.0.1'], '::10.0.0.1', false],
    [['10.0.0.1'], '::ffff:a00:1', true],
    [['10.0.0.1'], '1::ffff:a00:1', false],
    [['0.0.0.0/0'], '::ffff:1.2.3.4', true],
    [['::/0'], '::ffff:1.2.3.4', false],
    [['::fffe:0:0/95'], '::fffe:1.2.3.4', true],
    [['::fffe:0:0/95'], '1.2.3.4', false],
    [['64:ff9b::1.2.3.4'], '64:ff9b::102:304', true],
    [['1:2:3:4:5:6:1.2.3.4'], '1:2:3:4:5:6:102:304', true],
  ])('with %j allows %s: %s', (networks, address, allowed) => {
    expect(networkMatcher(networks)(address)).toBe(allowed)
  })

  it.each(['', 'x', '10.0.0.0/33', '10.0.0.0/08', 'fe80::1%eth0', '10.0.0.1/8/8'])(
    'rejects a list with %j',
    (text) => {
      expect(() => networkMatcher(['10.0.0.1', text])).toThrow(
        new Error(`not an address or CIDR block: ${text}`),
      )
    },
  )

  it('agrees with a calculation with integers for any block and address', () => {
    fc.assert(
      fc.property(anyNetwork, anyAddress, fc.nat(7), ({ text, value, prefix, bits }, other, nearness) => {
        const size = 1n << BigInt(bits - prefix)
        const last = value + size - 1n
        // Mostly addresses at the edges of the block, because random ones are far away.
        const candidates = [value - 1n, value, value + 1n, last - 1n, last, last + 1n]
        const near = candidates[nearness]
        const inside = near !== undefined && near >= 0n && near < 1n << BigInt(bits)
        const address = inside ? spell(near, bits) : other.text
        const caller = unmapped(inside ? { value: near, bits } : other)
        const block = unmapped({ value, bits })
        const expected =
          caller.bits === block.bits && caller.value >= block.value && caller.value < block.value + size
        expect(networkMatcher([text])(address)).toBe(expected)
      }),
      { numRuns: 2000 },
    )
  })

  it('treats a block of IPv4-mapped addresses as a block of IPv4 addresses', () => {
    fc.assert(
      fc.property(
        anyIpv4Network,
        anyIpv4,
        ({ text, value, prefix }, { value: addressValue, text: address }) => {
          const mapped = `${spell(MAPPED + value, 128)}/${prefix + 96}`
          expect(isNetwork(mapped)).toBe(true)
          expect(networkMatcher([mapped])(address)).toBe(networkMatcher([text])(address))
          expect(networkMatcher([mapped])(spell(value, 32))).toBe(true)
          expect(callerAddress(`::ffff:${spell(addressValue, 32)}`, undefined, () => false)).toBe(address)
        },
      ),
    )
  })

  it('accepts only blocks without bits after the prefix', () => {
    fc.assert(
      fc.property(anyAddress, fc.nat(128), ({ text, value, bits }, length) => {
        const prefix = Math.min(length, bits)
        const hostBits = value & ((1n << BigInt(bits - prefix)) - 1n)
        expect(isNetwork(`${text}/${prefix}`)).toBe(hostBits === 0n)
      }),
    )
  })
})

describe('A7: callerAddress', () => {
  const callerWithout = (peer: string | undefined, forwardedFor?: string) =>
    callerAddress(peer, forwardedFor, networkMatcher([]))
  const callerBehind = (peer: string | undefined, forwardedFor?: string) =>
    callerAddress(peer, forwardedFor, networkMatcher(['127.0.0.1', '10.0.0.0/8', '2001:db8::/32']))

  it.each([
    ['an IPv4 peer', '203.0.113.9', undefined, '203.0.113.9'],
    ['an IPv6 peer', '2001:db9::1', undefined, '2001:db9::1'],
    ['an IPv4 peer that arrives as IPv6', '::ffff:203.0.113.9', undefined, '203.0.113.9'],
    ['an IPv4 peer that arrives as IPv6 in hexadecimal', '::FFFF:cb00:7109', undefined, '203.0.113.9'],
    ['a disconnected peer', undefined, undefined, null],
    ['a spoofed header', '203.0.113.9', '10.0.0.1', '203.0.113.9'],
  ])('without a proxy: %s', (_, peer, forwardedFor, caller) => {
    expect(callerWithout(peer, forwardedFor)).toBe(caller)
    expect(callerBehind(peer, forwardedFor)).toBe(caller)
  })

  it.each([
    ['one entry', '203.0.113.9', '203.0.113.9'],
    ['the last of several entries', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
    ['an entry before trusted proxies', '1.1.1.1,203.0.113.9, 10.0.0.7 ,2001:db8::7', '203.0.113.9'],
    ['a trusted proxy as an IPv4-mapped address', '203.0.113.9, ::ffff:10.0.0.7', '203.0.113.9'],
    ['an IPv4 caller that arrives as IPv6', '::ffff:203.0.113.9', '203.0.113.9'],
    ['an IPv6 caller', '2001:db9::1', '2001:db9::1'],
    ['no header', undefined, '127.0.0.1'],
    ['only trusted proxies', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
    ['an unreadable entry', 'unknown', null],
    ['an unreadable last entry', '203.0.113.9, unknown', null],
    ['an unreadable entry before a trusted proxy', '203.0.113.9, ?, 10.0.0.2', null],
    ['an unreadable entry before the last one', 'unknown, 203.0.113.9', '203.0.113.9'],
    ['an empty header', '', null],
    ['an empty entry', '203.0.113.9,', null],
    ['a port', '203.0.113.9:4711', null],
    ['brackets', '[2001:db9::1]', null],
    ['a zone', 'fe80::1%eth0', null],
    ['a zone on a trusted proxy', '203.0.113.9, 2001:db8::1%eth0', null],
    ['tabs', '1.1.1.1 ,\t203.0.113.9 \t', '203.0.113.9'],
    ['a block', '203.0.113.0/24', null],
    ['leading zeros', '203.000.113.009', null],
    ['two addresses without a comma', '203.0.113.9 10.0.0.2', null],
  ])('behind a trusted proxy: %s', (_, forwardedFor, caller) => {
    expect(callerBehind('127.0.0.1', forwardedFor)).toBe(caller)
    expect(callerBehind('::ffff:127.0.0.1', forwardedFor)).toBe(caller)
  })

  it('ignores every header without a trusted proxy', () => {
    fc.assert(
      fc.property(anyAddress, fc.string({ unit: 'binary' }), ({ text }, header) => {
        expect(callerWithout(text, header)).toBe(callerWithout(text))
      }),
    )
  })

  it('returns an entry, the peer or null, and never throws', () => {
    const entry = fc.oneof(
      anyAddress.map(({ text }) => text),
      fc.string({ unit: 'binary', maxLength: 8 }),
    )
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 5 }), (entries) => {
        const caller = callerBehind('127.0.0.1', entries.join(','))
        // A random text can contain a comma.
        const possible = ['127.0.0.1', ...entries.join(',').split(',')].map((text) =>
          callerWithout(text.trim()),
        )
        expect([null, ...possible]).toContain(caller)
      }),
    )
  })
})

const MAPPED = 0xffffn << 32n

/** Converts IPv4-mapped addresses to IPv4. A block that begins with one contains no others. */
function unmapped({ value, bits }: { value: bigint; bits: number }) {
  return bits === 128 && value >> 32n === 0xffffn ? { value: value - MAPPED, bits: 32 } : { value, bits }
}

function spell(value: bigint, bits: number): string {
  const part = (width: number, i: number) =>
    (value >> BigInt(bits - width * (i + 1))) & ((1n << BigInt(width)) - 1n)
  if (bits === 32) return [0, 1, 2, 3].map((i) => part(8, i).toString()).join('.')
  return [0, 1, 2, 3, 4, 5, 6, 7].map((i) => part(16, i).toString(16)).join(':')
}

const anyIpv4 = fc
  .bigInt({ min: 0n, max: (1n << 32n) - 1n })
  .map((value) => ({ value, bits: 32, text: spell(value, 32) }))

/** With and without `::`, in upper and lower case. */
const anyIpv6 = fc
  .record({
    groups: fc.array(fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 65535n })), {
      minLength: 8,
      maxLength: 8,
    }),
    short: fc.boolean(),
    upper: fc.boolean(),
  })
  .map(({ groups, short, upper }) => {
    const value = groups.reduce((sum, group) => sum * 65536n + group, 0n)
    const long = spell(value, 128)
    const shortened = short ? long.replace(/(^|:)0(:0)+(:|$)/, '::') : long
    return { value, bits: 128, text: upper ? shortened.toUpperCase() : shortened }
  })

const anyMapped = anyIpv4.map(({ value }) => ({
  value: MAPPED + value,
  bits: 128,
  text: spell(MAPPED + value, 128),
}))

const anyAddress = fc.oneof(anyIpv4, anyIpv6, anyMapped)

const blockOf = ([{ value, bits }, length]: [{ value: bigint; bits: number }, number]) => {
  const prefix = Math.min(length, bits)
  const first = (value >> BigInt(bits - prefix)) << BigInt(bits - prefix)
  return { value: first, prefix, bits, text: `${spell(first, bits)}/${prefix}` }
}

const anyNetwork = fc.tuple(anyAddress, fc.nat(128)).map(blockOf)
const anyIpv4Network = fc.tuple(anyIpv4, fc.nat(32)).map(blockOf)
