import { describe, expect, it, vi } from 'vitest'
import { findCompanyAccess, setAllowedIps } from '../src/records/company/allowed-ips.ts'
import { listApiKeys } from '../src/records/api-key/queries.ts'
import { WITHIN_A_SECOND } from './support/access-changes.ts'
import { createDatabase } from './support/database.ts'
import { issueKeys } from './support/issued-keys.ts'
import { insertCompany } from './support/records.ts'
import { startLoggingServer } from './support/request-log.ts'

const { pool, connection } = await createDatabase()
const server = await startLoggingServer(connection)

describe('listApiKeys', () => {
  it('returns the time of the last use, and the prefix of keys that the service created', async () => {
    await insertCompany(pool, 'co_1', { key: 'an-imported-key' })
    await insertCompany(pool, 'co_2', { key: 'key-of-another-company' })
    const [key = ''] = await issueKeys(connection, 'co_1', 1)
    const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string
    const list = async () => (await listApiKeys(pool, 'co_1')) ?? []
    expect(await list()).toMatchObject([
      { name: 'Test', prefix: null, createdAt: ISO, revokedAt: null, lastUsedAt: null },
      { name: 'Key 0', prefix: key.slice(0, 8), createdAt: ISO, revokedAt: null, lastUsedAt: null },
    ])
    expect(key.slice(0, 8)).toMatch(/^eqs_[0-9A-Za-z]{4}$/)
    await server.get('/api/resources', key)
    await vi.waitFor(async () => expect((await list())[1]?.lastUsedAt).toEqual(ISO), 5_000)
    expect((await list())[0]?.lastUsedAt).toBe(null)
  })
})

describe('setAllowedIps', () => {
  it('replaces the list of one company within a second', async () => {
    await insertCompany(pool, 'co_3', { key: 'key-number-three' })
    await insertCompany(pool, 'co_4', { key: 'key-number-four' })
    const getStatus = async (key: string) => (await server.get('/api/resources', key)).status
    expect(await getStatus('key-number-three')).toBe(200)
    expect(await setAllowedIps(pool, 'co_3', ['192.0.2.1', '2001:db8::/32'], [])).toBe(true)
    expect(await findCompanyAccess(pool, 'co_3')).toEqual({
      plan: 'PREMIUM',
      allowedIps: ['192.0.2.1', '2001:db8::/32'],
    })
    await vi.waitFor(async () => expect(await getStatus('key-number-three')).toBe(401), WITHIN_A_SECOND)
    expect(await getStatus('key-number-four')).toBe(200)
    expect(await setAllowedIps(pool, 'co_3', ['127.0.0.1'], ['192.0.2.1', '2001:db8::/32'])).toBe(true)
    await vi.waitFor(async () => expect(await getStatus('key-number-three')).toBe(200), WITHIN_A_SECOND)
  })

  it('does not change a list that another user has changed', async () => {
    await insertCompany(pool, 'co_5')
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, i) => setAllowedIps(pool, 'co_5', [`192.0.2.${i}`], [])),
    )
    expect(results.filter(Boolean)).toHaveLength(1)
    expect((await findCompanyAccess(pool, 'co_5'))?.allowedIps).toEqual([`192.0.2.${results.indexOf(true)}`])
    // The order matters.
    await setAllowedIps(pool, 'co_5', ['192.0.2.1', '192.0.2.2'], [`192.0.2.${results.indexOf(true)}`])
    expect(await setAllowedIps(pool, 'co_5', [], ['192.0.2.2', '192.0.2.1'])).toBe(false)
    expect(await setAllowedIps(pool, 'co_none', [], [])).toBe(false)
    expect(await findCompanyAccess(pool, 'co_none')).toBe(null)
  })
})
