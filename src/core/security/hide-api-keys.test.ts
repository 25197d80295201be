import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { generateApiKey } from './api-key.ts'
import { hideApiKeys } from './hide-api-keys.ts'

const OWN = generateApiKey()
const IMPORTED = 'Imported/Key+0123'
const encodeAll = (text: string) =>
  text.replaceAll(/./g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`)

describe('hideApiKeys', () => {
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
    // Truncated by the client
    [`/api/quotes/${OWN.slice(0, 30)}/x`, '/api/quotes/[key]/x'],
    [`/api/quotes/${OWN.slice(0, 30)}${OWN}/x`, '/api/quotes/[key]/x'],
    [`/api/quotes?a=${IMPORTED}&b=1&api_key=`, '/api/quotes?a=[key]&b=1&api_key='],
  ])('stores %s as %s', (path, shown) => {
    expect(hideApiKeys(path, IMPORTED, 500)).toBe(shown)
  })

  it.each([
    'key',
    'KEY',
    'api_key',
    'apikey',
    'apiKey',
    'api-key',
    'x-api-key',
    'X-Api-Key',
    'token',
    'access_token',
    'auth',
    'Authorization',
    'secret',
    'password',
    'p%61ssword',
    'api%255Fkey',
  ])('hides any value of the parameter %s', (name) => {
    expect(hideApiKeys(`/a?${name}=hunter2&b=1`, IMPORTED, 500)).toBe(`/a?${name}=[hidden]&b=1`)
    expect(hideApiKeys(`/a?b=1&${name}=Bearer%20hunter2%26x`, IMPORTED, 500)).toBe(`/a?b=1&${name}=[hidden]`)
    expect(hideApiKeys(`/a?b=1&${name}=${OWN}`, IMPORTED, 500)).toBe(`/a?b=1&${name}=[key]`)
    expect(hideApiKeys(`/a?${name}=&b=1`, IMPORTED, 500)).toBe(`/a?${name}=&b=1`)
  })

  it.each(['/a?keys=1', '/a?monkey=1', '/a?x=key', '/key=1', '/a?author=2', '/a?tokens=3'])(
    'shows %s',
    (path) => expect(hideApiKeys(path, IMPORTED, 500)).toBe(path),
  )

  it('hides a sent key that overlaps with itself', () => {
    expect(hideApiKeys('/a/abcabcabcabc/b', 'abcabcabc', 500)).toBe('/a/[key]/b')
  })

  it('hides overlapping keys as one, and adjacent keys as two', () => {
    expect(hideApiKeys(`/api/%${'a'.repeat(16_000)}`, 'aaaaaaaa', 500)).toBe('/api/%[key]')
    expect(hideApiKeys(`/api/${'%61'.repeat(5_000)}`, 'aaaaaaaa', 500)).toBe('/api/[key]')
    expect(hideApiKeys('/a/abcdefghabcdefgh/b', 'abcdefgh', 500)).toBe('/a/[key][key]/b')
    expect(hideApiKeys('/a/aabaabaaab/b', 'aabaaba', 500)).toBe('/a/[key]aab/b')
  })

  it('hides a value with encoded separators of a secret parameter once', () => {
    expect(hideApiKeys(`/a?${'key=a%26'.repeat(2_000)}&b=1`, IMPORTED, 500)).toBe('/a?key=[hidden]')
  })

  it('hides a sent key that contains a generated one as one', () => {
    expect(hideApiKeys(`/a/my-${OWN}-key/b`, `my-${OWN}-key`, 500)).toBe('/a/[key]/b')
  })

  it('returns a limited number of characters, and none of a key that crosses the limit', () => {
    expect(hideApiKeys('x'.repeat(501), IMPORTED, 500)).toBe('x'.repeat(500))
    expect(hideApiKeys(`${'x'.repeat(480)}${OWN}`, IMPORTED, 500)).toBe(`${'x'.repeat(480)}[key]`)
    expect(hideApiKeys(`${'x'.repeat(498)}${OWN}`, IMPORTED, 500)).toBe(`${'x'.repeat(498)}[k`)
    const long = 'k'.repeat(200)
    for (const encoded of [encodeAll(long).replaceAll('%', '%2525'), encodeAll(encodeAll(encodeAll(long)))])
      expect(hideApiKeys(`/a/${'x'.repeat(490)}${encoded}${'y'.repeat(9_000)}`, long, 500)).toBe(
        `/a/${'x'.repeat(490)}[key]`,
      )
  })

  it('does not show text from beyond the inspected part in place of hidden keys', () => {
    const shown = hideApiKeys(`/api/quotes?${'x'.repeat(10)}${`,${OWN}`.repeat(60)}`, OWN, 500)
    expect(shown).toBe(`/api/quotes?${'x'.repeat(10)}${',[key]'.repeat(11)}`)
  })

  it('never shows twelve characters of a key, at any position and in any encoding', () => {
    const keys = Array.from({ length: 6 }, generateApiKey)
    const spell = fc.constantFrom(
      (key: string) => key,
      encodeAll,
      (key: string) => encodeAll(encodeAll(key)),
      (key: string) => encodeAll(encodeAll(encodeAll(key))),
      (key: string) => key.replaceAll(/[a-m_]/g, encodeAll),
      (key: string) => key.slice(0, 30),
      (key: string) => key.slice(0, 20) + key,
    )
    const filler = fc.oneof(
      fc.nat(600).map((length) => 'x'.repeat(length)),
      fc.constantFrom('', ',', '/', '%', '%4', '%25', 'eqs_', 'eqs_abcdefghijk', '&token=', '?key='),
    )
    const part = fc.tuple(filler, fc.constantFrom(...keys), spell)
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 20 }),
        fc.constantFrom(...keys, IMPORTED),
        (parts, sentKey) => {
          const text = `/api/${parts.map(([before, key, spelt]) => before + spelt(key)).join('')}`
          const shown = hideApiKeys(text, sentKey, 500)
          expect(shown.length).toBeLessThanOrEqual(500)
          const seen = [shown]
          for (let i = 0; i < 3; i++)
            seen.push(
              (seen.at(-1) ?? '').replaceAll(/%[0-9a-f]{2}/gi, (digits) =>
                String.fromCharCode(Number.parseInt(digits.slice(1), 16)),
              ),
            )
          const runs = keys.flatMap((key) => Array.from({ length: 29 }, (_, i) => key.slice(4 + i, 16 + i)))
          expect(runs.filter((run) => seen.some((spelling) => spelling.includes(run)))).toEqual([])
        },
      ),
      { numRuns: 400 },
    )
  })

  it('hides a key in any context', () => {
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
