import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSessionCookies, hashSessionToken, newSessionToken } from './session-cookie.ts'

const cookies = createSessionCookies(['one secret'])
const session = { companyId: 'co_1', token: 'a token' }

describe('the session cookie', () => {
  it('opens to any sealed session', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (companyId, token) => {
        expect(cookies.open(cookies.seal({ companyId, token }))).toEqual({ companyId, token })
      }),
    )
  })

  it('is different at every sealing, and does not reveal its content', () => {
    const values = Array.from({ length: 20 }, () => cookies.seal(session))
    expect(new Set(values).size).toBe(20)
    for (const value of values) {
      expect(value).toMatch(/^[\w-]+$/)
      expect(Buffer.from(value, 'base64url').toString('latin1')).not.toMatch(/co_1|token/)
    }
  })

  it('is rejected if a single bit is changed or a part is missing', () => {
    const bytes = Buffer.from(cookies.seal(session), 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(cookies.open(changed.toString('base64url'))).toBeNull()
    }
    for (let length = 0; length < bytes.length; length++)
      expect(cookies.open(bytes.subarray(0, length).toString('base64url'))).toBeNull()
  })

  it('is rejected with another secret, but not with the previous one', () => {
    const value = cookies.seal(session)
    expect(createSessionCookies(['another secret']).open(value)).toBeNull()
    expect(createSessionCookies(['another secret', 'one secret']).open(value)).toEqual(session)
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(cookies.open(value)).toBeNull()
      }),
    )
  })
})

describe('tokens', () => {
  it('are long, different, and stored as a hash', () => {
    const [one, other] = [newSessionToken(), newSessionToken()]
    expect(Buffer.from(one, 'base64url')).toHaveLength(32)
    expect(one).not.toBe(other)
    expect(hashSessionToken(one)).toMatch(/^[0-9a-f]{64}$/)
    expect(hashSessionToken(one)).not.toBe(hashSessionToken(other))
  })
})
