import { describe, expect, it } from 'vitest'
import { companyLink, hashLinkToken, newLinkToken, parseCompanyLink } from './link-token.ts'

describe('a link of a company', () => {
  it.each(['co_1', 'ü 🎉 / %', 'a.b'])('names the company %j and has 256 random bits', (companyId) => {
    const token = newLinkToken()
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    const link = companyLink(companyId, token)
    expect(encodeURIComponent(link)).toBe(link)
    expect(parseCompanyLink(link)).toEqual({ companyId, tokenHash: hashLinkToken(token) })
  })

  it.each([
    '',
    '.',
    'abc',
    'a'.repeat(43),
    `${'a'.repeat(43)}.`,
    `${'a'.repeat(42)}.Y28`,
    `${'a'.repeat(43)}.Y28.Y28`,
  ])('cannot be %j', (text) => expect(parseCompanyLink(text)).toBeNull())

  it('has one spelling', () => {
    const link = companyLink('co', newLinkToken())
    for (const other of [`${link}=`, `${link} `, link.replace('.', '.!')])
      expect(parseCompanyLink(other)).toBeNull()
  })
})
