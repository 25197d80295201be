import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printable } from './printable.ts'

describe('text for a terminal', () => {
  it.each([
    ['a color', '\u001b[31mred', '\\u001b[31mred'],
    ['a line break', 'a\r\nb', 'a\\r\\nb'],
    ['a tab', 'a\tb', 'a\\tb'],
    ['a backspace', 'a\bb', 'a\\u0008b'],
    ['DEL', '\u007f', '\\u007f'],
    ['CSI as a C1 control character', '\u009b2J', '\\u009b2J'],
    ['NEL', '\u0085', '\\u0085'],
    ['a line separator', 'a\u2028b\u2029c', 'a\\u2028b\\u2029c'],
    ['a bidi override', 'gpj.\u202eexe', 'gpj.\\u202eexe'],
    ['a bidi isolate', '\u2066a\u2069', '\\u2066a\\u2069'],
    ['directional marks', '\u200e\u200f\u061c', '\\u200e\\u200f\\u061c'],
    ['a zero-width space', 'ad\u200bmin', 'ad\\u200bmin'],
    ['a byte order mark', '\ufeffadmin', '\\ufeffadmin'],
    ['a tag outside the BMP', 'a\u{e0041}', 'a\\u{e0041}'],
    ['an unpaired surrogate', 'a\ud83d', 'a\\ud83d'],
  ])('escapes %s', (_, text, shown) => expect(printable(text)).toBe(shown))

  it.each(['Zoë & Søn', '東京タワー', '👩‍👩‍👧', 'نمی‌دانم', 'C:\\new', 'a "quoted" name', ''])(
    'leaves %j unchanged',
    (text) => expect(printable(text)).toBe(text),
  )

  it('never returns a control character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        // oxlint-disable-next-line no-control-regex
        expect(printable(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/)
      }),
    )
  })
})
