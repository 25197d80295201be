import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CHARACTER_MAX_BYTES, writeAscii, writeBytes, writeText } from './json-bytes.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes)),
)

describe('writeText', () => {
  it('writes the output of JSON.stringify in UTF-8', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const out = Buffer.alloc(text.length * CHARACTER_MAX_BYTES + 2, '?')
        const end = writeText(out, 0, text, 0, text.length)
        expect(out.toString('utf8', 0, end)).toBe(JSON.stringify(text))
      }),
    )
  })

  it('writes only the given range of the text', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, (before, text, after) => {
        const out = Buffer.alloc(text.length * CHARACTER_MAX_BYTES + 5, '?')
        const end = writeText(out, 3, `${before}${text}${after}`, before.length, before.length + text.length)
        expect(out.toString('utf8', 0, end)).toBe(`???${JSON.stringify(text)}`)
      }),
    )
  })

  it('escapes the same characters as JSON.stringify', () => {
    const out = Buffer.alloc(8)
    const characters = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code))
    const different = characters.filter(
      (text) => out.toString('utf8', 0, writeText(out, 0, text, 0, 1)) !== JSON.stringify(text),
    )
    expect(different).toEqual([])
  })
})

describe('writeAscii', () => {
  it('writes at the given offset', () => {
    const out = Buffer.alloc(12, '.')
    expect(writeBytes(out, 2, Buffer.from('abc'))).toBe(5)
    expect(writeAscii(out, 5, 'x12345y', 1, 6)).toBe(10)
    expect(out.toString()).toBe('..abc12345..')
  })
})
