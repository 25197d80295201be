import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shortenChange } from './shorten-change.ts'

const shorten = (before: unknown, after: unknown) => {
  const { before: old, after: current } = shortenChange({ name: 'content', before, after })
  return [old, current]
}

describe('old and new values of the audit log', () => {
  it.each([
    [null, 'x'.repeat(500)],
    ['a', 'b'],
    [true, false],
    [[{ currency: 'USD' }], []],
  ])('keeps %j and %j', (before, after) => {
    expect(shorten(before, after)).toEqual([before, after])
  })

  it('shortens long texts to the part that differs', () => {
    const same = `${'a'.repeat(1_000)}${'b'.repeat(50)}`
    expect(shorten(`${same}old`, `${same}${'n'.repeat(600)}`)).toEqual([
      `…${'b'.repeat(50)}old`,
      `…${'b'.repeat(50)}${'n'.repeat(450)}…`,
    ])
    expect(shorten(null, 'x'.repeat(501))).toEqual([null, `${'x'.repeat(500)}…`])
    expect(shorten(same, null)).toEqual([`${'a'.repeat(500)}…`, null])
    expect(shorten(same, '')).toEqual([`${'a'.repeat(500)}…`, ''])
  })

  it('keeps different texts different, short and well-formed', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '😀'), maxLength: 1_500, size: 'max' })
    fc.assert(
      fc.property(text, text, (before, after) => {
        const short = shorten(before, after) as [string, string]
        expect(short[0] === short[1]).toBe(before === after)
        for (const one of short) {
          expect(Array.from(one).length).toBeLessThanOrEqual(502)
          expect(one.isWellFormed()).toBe(true)
        }
      }),
    )
  })
})
