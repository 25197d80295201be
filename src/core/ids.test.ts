import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { idBefore, isPossibleId, isStorableText, newId } from './ids.ts'

describe('R11: possible ids', () => {
  it.each([
    ['one character', 'a', true],
    ['an empty text', '', false],
    ['255 letters', 'a'.repeat(255), true],
    ['256 letters', 'a'.repeat(256), false],
    ['255 characters of two units each', '😀'.repeat(255), true],
    ['256 characters of two units each', '😀'.repeat(256), false],
    ['254 letters and one of two units', `${'a'.repeat(254)}😀`, true],
    ['255 letters and one of two units', `${'a'.repeat(255)}😀`, false],
    ['10,000 letters', 'a'.repeat(10_000), false],
    ['spaces', '   ', true],
    ['slashes, percent and quotation marks', `a/b%2F'"\\`, true],
    ['a NUL', 'a\0b', false],
    ['only a NUL', '\0', false],
    ['an unpaired first surrogate', 'a\ud83d', false],
    ['an unpaired second surrogate', '\ude00a', false],
    ['surrogates in the wrong order', '\ude00\ud83d', false],
    ['other control characters', 'a\n\t\u0001\u007f', true],
    ['U+FFFD and U+FFFF', '\ufffd\uffff', true],
  ])('%s', (_, id, possible) => {
    expect(isPossibleId(id)).toBe(possible)
  })

  it('have 1 to 255 code points without NUL and unpaired surrogates', () => {
    const unit = fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom('a', 'ü', '😀') },
      { weight: 1, arbitrary: fc.constantFrom('\0', '\ud83d', '\ude00') },
    )
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit, minLength: 240, maxLength: 270 }))
    fc.assert(
      fc.property(text, (id) => {
        const points = Array.from(id, (point) => point.codePointAt(0) ?? 0)
        const possible =
          points.length >= 1 &&
          points.length <= 255 &&
          points.every((point) => point !== 0 && !(point >= 0xd800 && point <= 0xdfff))
        expect(isPossibleId(id)).toBe(possible)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('text that PostgreSQL can store', () => {
  it.each([
    ['an empty text', '', true],
    ['100,000 letters', 'a'.repeat(100_000), true],
    ['a character of two units', '😀', true],
    ['a NUL', '\0', false],
    ['an unpaired surrogate', '\ud83d', false],
  ])('%s', (_, text, storable) => {
    expect(isStorableText(text)).toBe(storable)
  })
})

describe('new ids', () => {
  it('have the prefix, sort by creation time, and are unique', () => {
    const ids = Array.from({ length: 2000 }, () => newId('key'))
    expect(
      ids.every((id) => /^key_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)),
    ).toBe(true)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.toSorted()).toEqual(ids)
    expect(ids.every(isPossibleId)).toBe(true)
  })

  it('end in new random bits, so that they cannot be guessed from others', () => {
    const ends = Array.from({ length: 3000 }, () => newId('key').slice(-8))
    // Two of 3,000 random values of 32 bits are equal once in a thousand runs.
    expect(new Set(ends).size).toBeGreaterThan(2990)
  })

  it('sort after the bound of their time, and before that of a later time', () => {
    const before = Date.now()
    const id = newId('log')
    expect(idBefore('log', before) < id).toBe(true)
    expect(idBefore('log', Date.now() + 1) > id).toBe(true)
    expect(idBefore('log', 1)).toBe('log_00000000-0001')
  })
})
