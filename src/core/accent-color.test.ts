import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DARK_PAPER, contrastWithWhite, readableAccent } from './accent-color.ts'

describe('the accent color of customer pages', () => {
  it('V20: is readable on light and dark pages for any chosen color', () => {
    const color = fc.integer({ min: 0, max: 0xff_ff_ff }).map((n) => `#${n.toString(16).padStart(6, '0')}`)
    fc.assert(
      fc.property(color, (chosen) => {
        const { onLight, onDark } = readableAccent(chosen)
        expect(contrastWithWhite(onLight)).toBeGreaterThanOrEqual(4.5)
        expect(contrastWithWhite(DARK_PAPER) / contrastWithWhite(onDark)).toBeGreaterThanOrEqual(4.5)
      }),
    )
  })

  it('V20: is unchanged if it is readable, and has a default', () => {
    expect(readableAccent('#14507A').onLight).toBe('#14507a')
    expect(readableAccent(null).onLight).toBe('#0b6e69')
    expect(readableAccent('red')).toEqual(readableAccent(null))
  })
})
