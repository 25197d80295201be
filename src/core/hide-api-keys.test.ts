import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { generateApiKey } from './api-key.ts'
import { hideApiKeys } from './hide-api-keys.ts'

const OWN = generateApiKey()
const IMPORTED = 'Imported/Key+0123'
const encodeAll = (text: string) =>
  text.replaceAll(/./g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`)

describe('keys in what is kept of a path', () => {
  it.each([
    ['/api/quotes?limit=2', '/api/quotes?limit=2'],
    ['/api/quotes?lead_id=50%25', '/api/quotes?lead_id=50%25'],
    ['/api/quotes?lead_id=%zz%', '/api/quotes?lead_id=%zz%'],
    ['/api/quotes/eqs_short', '/api/quotes/eqs_short'],
    [`/api/quotes/${OWN}`, '/api/quotes/[key]'],
    [`/api/quotes?a=${OWN}&b=${OWN}`, '/api/quotes?a=[key]&b=[key]'],
    [`/api/quotes?a=${OWN}${OWN}x`, '/api/quotes?a=[key][key]x'],
    [`/api/quotes?a=${OWN.replace('_', '%5F')}&b=%20`, '/api/quotes?a=[key]&b=%20'],
    [`/api/quotes?a=${encodeAll(OWN)}&b=1`, '/api/quotes?a=[key]&b=1'],
    [`/api/quotes?a=${encodeAll(encodeAll(OWN))}&b=1`, '/api/quotes?a=[key]&b=1'],
    [`/api/quotes?a=${encodeAll(OWN).replaceAll('%', '%2525')}&b=1`, '/api/quotes?a=[key]&b=1'],
    [`/api/quotes?a=${IMPORTED}&b=1`, '/api/quotes?a=[key]&b=1'],
    [`/api/quotes?a=${IMPORTED}${IMPORTED}`, '/api/quotes?a=[key][key]'],
    [`/api/quotes?a=${encodeURIComponent(IMPORTED)}&b=1`, '/api/quotes?a=[key]&b=1'],
    [`/api/quotes?a=${encodeAll(IMPORTED)}%2`, '/api/quotes?a=[key]%2'],
  ])('%s', (path, shown) => {
    expect(hideApiKeys(path, IMPORTED, 500)).toBe(shown)
  })

  it('a key that was sent and holds a key of our form is hidden once, whole', () => {
    expect(hideApiKeys(`/a/my-${OWN}-key/b`, `my-${OWN}-key`, 500)).toBe('/a/[key]/b')
  })

  it('at most so many characters are kept, and none of a key that lies across the end', () => {
    expect(hideApiKeys('x'.repeat(501), IMPORTED, 500)).toBe('x'.repeat(500))
    expect(hideApiKeys(`${'x'.repeat(480)}${OWN}`, IMPORTED, 500)).toBe(`${'x'.repeat(480)}[key]`)
    expect(hideApiKeys(`${'x'.repeat(498)}${OWN}`, IMPORTED, 500)).toBe(`${'x'.repeat(498)}[k`)
    const long = 'k'.repeat(200)
    const encoded = encodeAll(long).replaceAll('%', '%2525')
    expect(hideApiKeys(`/a/${'x'.repeat(490)}${encoded}${'y'.repeat(9_000)}`, long, 500)).toBe(
      `/a/${'x'.repeat(490)}[key]yy`,
    )
  })

  it('whatever stands around it', () => {
    const around = fc.string({
      unit: fc.constantFrom('%', '2', '5', 'e', 'q', 's', '_', '/', '?', 'F'),
      maxLength: 40,
    })
    fc.assert(
      fc.property(around, around, fc.constantFrom(OWN, encodeAll(OWN)), (before, after, key) => {
        const hidden = hideApiKeys(`${before}/${key}/${after}`, IMPORTED, 500)
        expect(hidden).toBe(`${before}/[key]/${after}`)
      }),
    )
  })
})
