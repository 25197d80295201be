import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseQuery, routableTarget, valueAsSent } from './query.ts'

describe('parseQuery', () => {
  it.each([
    ['', []],
    ['&&', []],
    ['a=1', [['a', '1']]],
    ['a', [['a', '']]],
    ['a=', [['a', '']]],
    ['=1', [['', '1']]],
    ['a=1=2', [['a', '1=2']]],
    [
      'a=1&a=2',
      [
        ['a', '1'],
        ['a', '2'],
      ],
    ],
    [
      'b=1&a=2&&b=3',
      [
        ['b', '1'],
        ['a', '2'],
        ['b', '3'],
      ],
    ],
    ['a=x+y', [['a', 'x y']]],
    ['a=x%2By', [['a', 'x+y']]],
    ['a+b=1', [['a b', '1']]],
    ['expand%5B%5D=x', [['expand[]', 'x']]],
    ['expand[]=x', [['expand[]', 'x']]],
    ['a=%C3%A4%F0%9F%98%80', [['a', 'ä😀']]],
    ['a=%00', [['a', '\0']]],
    ['a=1;b=2', [['a', '1;b=2']]],
    [
      '__proto__=1&constructor=2',
      [
        ['__proto__', '1'],
        ['constructor', '2'],
      ],
    ],
  ])('parses %j', (query, pairs) => {
    expect(parseQuery(query)).toEqual(pairs)
  })

  it.each(['%', '%z', '%zz', '%C3', '%C3%28', '%FF', '%ED%A0%80', 'a%', '100%+sure', '%C0%80'])(
    'stores a value %s that is not percent-encoded UTF-8 after a NUL, so that it can be shown as it was sent',
    (value) => {
      const [pair] = parseQuery(`a=${value}`)
      expect(pair?.[1].startsWith('\0')).toBe(true)
      expect(valueAsSent(pair?.[1] ?? '')).toBe(value.replaceAll('+', ' '))
    },
  )

  it('decodes the same values as decodeURIComponent', () => {
    const byte = fc.integer({ min: 0, max: 255 }).map((value) => `%${value.toString(16).padStart(2, '0')}`)
    const edge = fc.constantFrom(
      '%C2',
      '%DF',
      '%E0',
      '%9F',
      '%A0',
      '%ED',
      '%EF',
      '%F0',
      '%8F',
      '%90',
      '%F4',
      '%BF',
      '%80',
    )
    const parts = fc.oneof(
      byte,
      edge,
      fc.constantFrom('%', 'a', '%4', '\u{1F600}', '%F0%9F%98%80', '%e2%82%ac'),
    )
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 6 }), (sent) => {
        const text = sent.join('')
        const decoded = (() => {
          try {
            return decodeURIComponent(text)
          } catch {
            return `\0${text}`
          }
        })()
        expect(parseQuery(`a=${text}`)).toEqual([['a', decoded]])
      }),
      { numRuns: 5_000 },
    )
  })

  it.each([
    ['limit%zz', 'limit%zz'],
    ['limit[%zz]', 'limit[%zz]'],
    ['limit%5B%zz%5D', 'limit[%zz]'],
    ['limit%5B%FF%5D', 'limit[%FF]'],
    ['a+b%zz', 'a b%zz'],
    ['limi%74%zz', 'limit%zz'],
    ['%31%4a%4F%zz', '1JO%zz'],
    ['limit%5z%5', 'limit%5z%5'],
    ['%80%zz', '%80%zz'],
  ])('decodes the valid parts of the name %s', (name, decoded) => {
    expect(parseQuery(`${name}=1`)).toEqual([[decoded, '1']])
  })

  it('returns any encoded pairs in their order', () => {
    const text = fc.string({ unit: 'grapheme' })
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), (pairs) => {
        const encoded = pairs.map(
          ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
        )
        expect(parseQuery(encoded.join('&'))).toEqual(pairs)
        expect(parseQuery(new URLSearchParams(pairs).toString())).toEqual(pairs)
      }),
    )
  })

  it('never throws, and returns every pair', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'%&=+aF0[]\0é'.split('')) }), (query) => {
        expect(parseQuery(query).length).toBe(query.split('&').filter((part) => part !== '').length)
      }),
    )
  })

  it('returns a decoded value for display, also after a NUL', () => {
    expect(valueAsSent('abc')).toBe('abc')
    expect(valueAsSent('\0abc')).toBe('\0abc')
    expect(valueAsSent('100%')).toBe('100%')
    expect(valueAsSent('100%\0')).toBe('100%\0')
    expect(valueAsSent('')).toBe('')
  })
})

describe('routableTarget', () => {
  it.each([
    ['/api/resources', '/api/resources'],
    ['/api/resources?limit=%31#x', '/api/resources?limit=%31#x'],
    ['/', '/'],
    ['*', '/*'],
    ['/api/resources/x#y', '/api/resources/x%23y'],
    ['/%61pi/re%73ources/%7E%2d%5f%2E', '/api/resources/~-_.'],
    ['/api/resources/a%2Fb', '/api/resources/a%2Fb'],
    ['/api/resources/%20%25%3F%23', '/api/resources/%20%25%3F%23'],
    ['/api/resources/%2561', '/api/resources/%2561'],
    ['/api/resources/%C3%A4', '/api/resources/%C3%A4'],
    ['/api/resources/%zz', '/api/resources/%00zz'],
    ['/api/resources/%C3%28?a=%zz', '/api/resources/%00C3%0028?a=%zz'],
    ['/%61pi/resources/%', '/api/resources/%00'],
    ['/api/resources/%%361', '/api/resources/%0061'],
    ['http://host/api/resources?a=1', '/api/resources?a=1'],
    ['HTTPS://user@host:1/api/re%73ources', '/api/resources'],
    ['http://host', '/'],
    ['http://host?a=1', '/?a=1'],
    ['/http://host/x', '/http://host/x'],
    ['http://host/', '/'],
    ['http://host/a/', '/a/'],
    ['http://host#a', '/%23a'],
    ['http://host/http://other/x', '/http://other/x'],
    ['/x?to=http://host/y', '/x?to=http://host/y'],
    ['x', '/x'],
    ['//host/x', '//host/x'],
  ])('converts %s to %s', (target, normalized) => {
    expect(routableTarget(target)).toBe(normalized)
  })

  it('returns a decodable path with the same meaning, which does not change if it is converted again', () => {
    const character = fc.constantFrom(
      ...'%0123456789abcdefABCDEF/?#.~z'.split(''),
      '%41',
      '%2F',
      '%C3%A4',
      'http://',
    )
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 20 }), (rest) => {
        fc.pre(!rest.includes('%00'))
        const target = `/${rest}`
        const normalized = routableTarget(target)
        const [path = ''] = target.split('?', 1)
        const [normalizedPath = ''] = normalized.split('?', 1)
        const decoded = decodeURIComponent(normalizedPath)
        expect(decoded.includes('\0') ? null : decoded).toBe(decodeOrNull(path))
        expect(normalized.slice(normalizedPath.length)).toBe(target.slice(path.length))
        expect(routableTarget(normalized)).toBe(normalized)
      }),
      { numRuns: 1000 },
    )
  })
})

function decodeOrNull(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
