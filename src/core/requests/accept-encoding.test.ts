import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { acceptedEncoding } from './accept-encoding.ts'

describe('the encoding for an accept-encoding header', () => {
  it.each([
    [undefined, null],
    ['', null],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['deflate', null],
    ['*', 'br'],
    ['*;q=0', null],
    ['br;q=0, *', 'gzip'],
    ['br;q=0, gzip;q=0, *', null],
    ['gzip;q=0', null],
    ['gzip;q=0.0, br;q=0.000', null],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0.8, gzip;q=0.8', 'br'],
    ['gzip;q=0.001', 'gzip'],
    ['  gzip ; q=1.0 , br ; Q=0.1 ', 'gzip'],
    ['identity', null],
    ['identity, gzip;q=0.5', null],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['identity;q=0.5, gzip;q=1', 'gzip'],
    ['identity;q=0, gzip', 'gzip'],
    ['identity;q=0', null],
    ['gzip;q=2', null],
    ['gzip;q=-1', null],
    ['gzip;q=abc', null],
    ['gzip;q=', null],
    ['gzip;level=9', null],
    [';;;,,,q=1', null],
    ['gzip;q=abc, br', 'br'],
    [`br${' '.repeat(1_000)}`, null],
  ])('for %j is %s', (header, encoding) => {
    expect(acceptedEncoding(header).encoding).toBe(encoding)
  })

  it.each([
    [undefined, false],
    ['gzip', false],
    ['identity', false],
    ['*', false],
    ['identity;q=0', true],
    ['gzip, identity;q=0', true],
    ['gzip, *;q=0', true],
    ['*;q=0, identity;q=0.1', false],
  ])('%j forbids a body that is not encoded: %s', (header, refuses) => {
    expect(acceptedEncoding(header).refusesIdentity).toBe(refuses)
  })

  it('is never a forbidden one, for any text', () => {
    const element = fc.tuple(
      fc.constantFrom('gzip', 'br', 'identity', '*', 'deflate', '', ' '),
      fc.constantFrom('', ';q=0', ';q=0.3', ';q=1', ';q', ';q=9', '; q = 0.000'),
    )
    const header = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(element).map((all) => all.map((parts) => parts.join('')).join(',')),
    )
    fc.assert(
      fc.property(header, (text) => {
        const { encoding } = acceptedEncoding(`${text},br;q=0`)
        expect(encoding === null || encoding === 'gzip').toBe(true)
      }),
    )
  })
})
