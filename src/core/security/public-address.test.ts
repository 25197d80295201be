import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPublicAddress } from './public-address.ts'

const hex = (a: number, b: number) => ((a << 8) | b).toString(16)
const words = ([a = 0, b = 0, c = 0, d = 0]: readonly number[]) => `${hex(a, b)}:${hex(c, d)}`

describe('isPublicAddress', () => {
  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:0:127.0.0.1',
    '::ffff:192.168.0.1',
    '64:ff9b::10.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::8.8.8.8',
    '100::1',
    '2001::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:2::1',
    '2001:10::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:808:808::1',
    '3fff::1',
    '4000::1',
    '5f00::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '',
    'localhost',
    '127.1',
    '0x7f.0.0.1',
    '2130706433',
    '8.8.8.8 ',
    '08.8.8.8',
  ])('K6: rejects %s', (address) => expect(isPublicAddress(address)).toBe(false))

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '172.32.0.1',
    '2606:4700:4700::1111',
    '2a00:1450::8a',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ])('K6: allows %s', (address) => expect(isPublicAddress(address)).toBe(true))

  it('K6: treats an IPv4 address inside an IPv6 address like the IPv4 address, or rejects it', () => {
    const octet = fc.integer({ min: 0, max: 255 })
    fc.assert(
      fc.property(fc.tuple(octet, octet, octet, octet), (octets) => {
        const isPublic = isPublicAddress(octets.join('.'))
        expect(isPublicAddress(`::ffff:${words(octets)}`)).toBe(isPublic)
        expect(isPublicAddress(`64:ff9b::${words(octets)}`)).toBe(isPublic)
        expect(isPublicAddress(`::${words(octets)}`)).toBe(false)
        expect(isPublicAddress(`2002:${words(octets)}::1`)).toBe(false)
        expect(isPublicAddress(`64:ff9b:1::${words(octets)}`)).toBe(false)
      }),
    )
  })
})
