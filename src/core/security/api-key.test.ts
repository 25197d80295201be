import { describe, expect, it } from 'vitest'
import { generateApiKey, hashApiKey, holdsApiKey, isPossibleApiKey } from './api-key.ts'

const BASE_62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** CRC-32 bit by bit, as the standard describes it. */
function crc32(text: string): bigint {
  let crc = 0xffffffff
  for (const byte of Buffer.from(text)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return BigInt((crc ^ 0xffffffff) >>> 0)
}

const fromBase62 = (digits: string) =>
  digits.split('').reduce((value, digit) => value * 62n + BigInt(BASE_62.indexOf(digit)), 0n)

describe('A5: generated keys', () => {
  const keys = Array.from({ length: 1000 }, generateApiKey)

  it('have eqs_ and 40 characters of base 62', () => {
    for (const key of keys) expect(key).toMatch(/^eqs_[0-9A-Za-z]{40}$/)
  })

  it('end with the CRC-32 of the 34 previous characters', () => {
    expect(crc32('123456789')).toBe(0xcbf43926n)
    for (const key of keys) expect(fromBase62(key.slice(-6))).toBe(crc32(key.slice(4, -6)))
  })

  it('are unique, and use every character', () => {
    expect(new Set(keys).size).toBe(keys.length)
    expect(new Set(keys.flatMap((key) => key.slice(4, -6).split(''))).size).toBe(62)
  })

  it('are possible keys', () => {
    expect(keys.every(isPossibleApiKey)).toBe(true)
  })
})

describe('A5: imported keys', () => {
  it.each([
    ['8 characters', 'abcdefgh', true],
    ['7 characters', 'abcdefg', false],
    ['200 characters', 'k'.repeat(200), true],
    ['201 characters', 'k'.repeat(201), false],
    ['an empty text', '', false],
    ['every kind of visible ASCII', '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', true],
    ['a space inside', 'abcd efgh', false],
    ['a trailing space', 'abcdefgh ', false],
    ['a tab', 'abcd\tefgh', false],
    ['a line break', 'abcdefgh\n', false],
    ['a DEL', 'abcdefgh\x7f', false],
    ['a NUL', 'abcdefgh\0', false],
    ['a letter outside ASCII', 'abcdefghü', false],
    ['an emoji', 'abcdefgh😀', false],
  ])('are accepted or rejected with %s', (_, key, possible) => {
    expect(isPossibleApiKey(key)).toBe(possible)
  })
})

describe('A5: stored keys', () => {
  it('are the SHA-256 of the key in hexadecimal', () => {
    expect(hashApiKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    expect(hashApiKey(generateApiKey())).toMatch(/^[0-9a-f]{64}$/)
  })
})

describe('A5: holdsApiKey', () => {
  it('finds a key anywhere in a text', () => {
    const key = generateApiKey()
    expect([key, `x${key}`, `a=${key}&b`].every(holdsApiKey)).toBe(true)
  })

  it.each(['', 'eqs_', 'eqs_short', `eqs-${'a'.repeat(40)}`, `EQS_${'a'.repeat(40)}`, 'req_1'])(
    'finds no key in %j',
    (text) => {
      expect(holdsApiKey(text)).toBe(false)
    },
  )
})
