/** RFC 9116: where to report a vulnerability of this deployment. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createDatabase } from './support/database.ts'
import { startServer } from './support/server.ts'

const { connection } = await createDatabase()
const publicUrl = () => 'https://quotes.example'
const SECURITY_TXT = '/.well-known/security.txt'
const start = (securityContact?: string) => startServer(connection, { publicUrl, securityContact })

afterEach(() => {
  vi.useRealTimers()
})

describe('/.well-known/security.txt', () => {
  it('has contact, expiry date, language, canonical URL and policy', async () => {
    const { call } = await start('mailto:security@quotes.example')
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T13:14:15.678Z') })
    const answer = await call(SECURITY_TXT)
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(answer.text).toBe(
      [
        'Contact: mailto:security@quotes.example',
        'Expires: 2026-08-28T00:00:00.000Z',
        'Preferred-Languages: en',
        'Canonical: https://quotes.example/.well-known/security.txt',
        'Policy: https://quotes.example/security-policy',
        '',
      ].join('\n'),
    )
  })

  it('has an expiry date in the future at any time', async () => {
    const { call } = await start('https://quotes.example/report')
    const expiry = async () => Date.parse(/^Expires: (.*)$/m.exec((await call(SECURITY_TXT)).text)?.[1] ?? '')
    vi.useFakeTimers({ toFake: ['Date'] })
    for (const now of ['2026-03-01T00:00:00Z', '2027-03-01T23:59:59Z', '2031-12-31T12:00:00Z']) {
      vi.setSystemTime(now)
      const days = ((await expiry()) - Date.now()) / 86_400_000
      expect(days).toBeGreaterThan(170)
      expect(days).toBeLessThan(365)
    }
  })

  it('has only the policy if no contact is set', async () => {
    const { call } = await start()
    expect((await call(SECURITY_TXT)).text).toMatch(/^Contact: https:\/\/quotes\.example\/security-policy$/m)
    expect((await call('/security-policy')).text).toContain('has not published a security contact')
  })

  it('links a policy that has the contact', async () => {
    const { call } = await start('mailto:security@quotes.example')
    const answer = await call('/security-policy')
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(answer.text).toContain('Send reports to security@quotes.example.')
  })
})
