import { describe, expect, it } from 'vitest'
import { nameCompany, withCompanyTag } from './company-tag.ts'
import { createInvoiceTokens } from './invoice-token.ts'
import { createSessionCookies } from './session-cookie.ts'

const SECRET = 'a secret of thirty-two characters'
const ref = { companyId: 'Zoë & Søn', invoiceId: 'inv_1' }

describe('the company in a link', () => {
  const tokens = createInvoiceTokens(SECRET)
  const named = nameCompany(tokens, true)

  it('follows the token, and tokens open with and without it and the setting', () => {
    expect(named.seal(ref)).toBe(`${tokens.seal(ref)}.${Buffer.from(ref.companyId).toString('base64url')}`)
    for (const { open } of [tokens, named]) {
      expect(open(tokens.seal(ref))).toEqual(ref)
      expect(open(named.seal(ref))).toEqual(ref)
    }
    expect(nameCompany(tokens, false).seal(ref)).toBe(tokens.seal(ref))
  })

  it('must match the token', () => {
    const sealed = tokens.seal(ref)
    for (const link of [
      withCompanyTag(sealed, 'co_2'),
      `${sealed}.`,
      `${named.seal(ref)}.`,
      `${named.seal(ref)}=`,
    ])
      expect(named.open(link)).toBeNull()
    expect(named.open('.')).toBeNull()
  })
})

it('can follow a session cookie', () => {
  const cookies = createSessionCookies([SECRET])
  const session = { companyId: 'co_1', token: 'x' }
  expect(cookies.open(withCompanyTag(cookies.seal(session), 'co_1'))).toEqual(session)
})
