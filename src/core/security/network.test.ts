import { isIP } from 'node:net'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { networkMatcher } from './addresses.ts'
import { describeListProblems, describeNetworkProblem, isNetwork, listHolds, readNetwork } from './network.ts'

const runs = { numRuns: 2 * Number(process.env['PROPERTY_RUNS'] ?? 1_000) }
/** Addresses, and texts that are similar to addresses. */
const piece = fc.constantFrom(
  '0',
  '1',
  'ff',
  'ffff',
  '10',
  '255',
  '256',
  '01',
  ':',
  '::',
  '.',
  '1.2.3.4',
  'g',
  '',
)
const nearly = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.array(piece, { maxLength: 9 }).map((parts) => parts.join(':')),
  fc.array(piece, { maxLength: 5 }).map((parts) => parts.join('.')),
  fc.array(piece, { maxLength: 16 }).map((parts) => parts.join('')),
)

describe('readNetwork', () => {
  it('accepts the same addresses as Node', () => {
    fc.assert(
      fc.property(nearly, (text) => {
        const version = isIP(text)
        expect(readNetwork(text)?.prefix ?? 0).toBe(version === 0 ? 0 : version === 4 ? 32 : 128)
      }),
      runs,
    )
  })

  it('returns the bits of an address', () => {
    const partsOf = (text: string) => readNetwork(text)?.address.toByteArray()
    expect(partsOf('1.2.3.4')).toEqual([1, 2, 3, 4])
    expect(partsOf('1::2:3')).toEqual([0, 1, ...Array<number>(11).fill(0), 2, 0, 3])
    // IPv4-compatible, not IPv4-mapped.
    expect(partsOf('::1.2.3.4/100')).toEqual([...Array<number>(12).fill(0), 1, 2, 3, 4])
    expect(readNetwork('::1.2.3.4/100')?.prefix).toBe(100)
  })
})

describe('listHolds', () => {
  it('agrees with the check of requests', () => {
    const address = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.ipV4().map((ipv4) => `::ffff:${ipv4}`),
    )
    const network = fc
      .tuple(address, fc.nat({ max: 128 }))
      .map(([text, prefix]) => `${text}/${prefix}`)
      .map((block) => (isNetwork(block) ? block : block.slice(0, block.indexOf('/'))))
    const few = fc.constantFrom(
      '10.0.0.0/8',
      '10.1.0.0/16',
      '::/0',
      '0.0.0.0/0',
      '::ffff:10.0.0.0/104',
      'fc00::/7',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(network, few), { maxLength: 4 }), address, (list, caller) => {
        expect(listHolds(list, caller)).toBe(networkMatcher(list)(caller))
      }),
      runs,
    )
    expect(listHolds(['10.0.0.0/8'], '10.9.9.9')).toBe(true)
    expect(listHolds(['10.0.0.0/8'], '11.0.0.0')).toBe(false)
    expect(listHolds(['0.0.0.0/0'], null)).toBe(false)
  })
})

describe('problems of entries', () => {
  it.each([
    ['203.0.113.7', null],
    ['203.0.113.0/24', null],
    ['2001:db8::/32', null],
    ['', /^Enter an IP address/],
    ['   ', /^Enter an IP address/],
    [' 203.0.113.7', /^Remove the spaces/],
    ['203.0.113.7 ', /^Remove the spaces/],
    ['localhost', /^This is not an IP address/],
    ['203.0.113', /^This is not an IP address/],
    ['203.0.113.300/24', /^This is not an IP address/],
    ['203.0.113.0/33', /from 0 to 32 after the slash, such as 203\.0\.113\.0\/24\./],
    ['203.0.113.0/', /from 0 to 32/],
    ['2001:db8::/129', /from 0 to 128 after the slash, such as 2001:db8::\/64\./],
    [
      '203.0.113.7/24',
      'This block starts at 203.0.113.0/24. Enter that, or 203.0.113.7 for a single address.',
    ],
    [
      '2001:db8::1/32',
      'This block starts at 2001:db8::/32. Enter that, or 2001:db8::1 for a single address.',
    ],
    ['::1/0', 'This block starts at ::/0. Enter that, or ::1 for a single address.'],
  ])('%j', (text, problem) => {
    const found = describeNetworkProblem(text)
    expect(found ?? '').toMatch(problem ?? /^$/)
    expect(found === null).toBe(isNetwork(text))
  })

  it('name a valid block', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), fc.nat({ max: 128 }), (address, prefix) => {
        const found = describeNetworkProblem(`${address}/${prefix}`)
        const [, block] = /starts at (\S+)\. /.exec(found ?? '') ?? []
        if (block === undefined) return
        expect(isNetwork(block)).toBe(true)
        expect(listHolds([block], address)).toBe(true)
        expect(isNetwork(address)).toBe(true)
      }),
      runs,
    )
  })

  it('are reported for each entry of a list, including duplicates', () => {
    expect(describeListProblems(['10.0.0.1', 'x', '10.0.0.1', 'x'])).toEqual([
      null,
      expect.stringMatching(/^This is not an IP/),
      'This is already in the list.',
      expect.stringMatching(/^This is not an IP/),
    ])
    expect(describeListProblems([])).toEqual([])
  })
})
