import { describe, expect, it } from 'vitest'
import { isKnownEtag, weakEtag } from './etag.ts'

const etag = weakEtag(Buffer.from('content'))
const opaque = etag.slice(2)

describe('weakEtag', () => {
  it('is equal for the same content, and different for other content', () => {
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/)
    expect(weakEtag(Buffer.from('content'))).toBe(etag)
    expect(weakEtag(Buffer.from('content '))).not.toBe(etag)
  })
})

describe('if-none-match', () => {
  it.each([
    [etag, true],
    [opaque, true],
    [`"other", ${etag}`, true],
    [`W/"other",${opaque} , "third"`, true],
    ['*', true],
    [' * ', true],
    [undefined, false],
    ['', false],
    ['"other"', false],
    [opaque.slice(1, -1), false],
    [opaque.slice(0, -1), false],
    [`"${'x'.repeat(10_000)}`, false],
  ])('%s matches: %s', (header, known) => {
    expect(isKnownEtag(header, etag)).toBe(known)
  })
})
