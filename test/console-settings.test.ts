import { describe, expect, it, vi } from 'vitest'
import type { RequestLogAnswer } from '../src/console/request-log.ts'
import type { CreatedKeyAnswer, SettingsAnswer } from '../src/console/settings.ts'
import { ENDPOINTS } from '../src/api/endpoints.ts'
import { WITHIN_A_SECOND } from './support/access-changes.ts'
import { signedIn } from './support/console.ts'
import type { SignedIn } from './support/console.ts'
import { createDatabase } from './support/database.ts'
import { insert, insertCompany, insertKey } from './support/records.ts'
import { startLoggingServer } from './support/request-log.ts'
import type { Answer } from './support/server.ts'

const database = await createDatabase()
const { pool, connection } = database
const server = await startLoggingServer(connection)

let companies = 0
async function newCompany(
  options: Parameters<typeof insertCompany>[2] = {},
): Promise<{ id: string; admin: SignedIn }> {
  const id = `c${++companies}`
  await insertCompany(pool, id, options)
  return { id, admin: await signedIn(server, database, id) }
}
const settingsOf = async ({ call }: SignedIn) => (await call('GET', 'settings')).body as SettingsAnswer
const errorOf = ({ status, body }: Answer) => ({
  status,
  ...(body as { error: { code: string; details?: object } }).error,
})

describe('the settings', () => {
  it('reject members with 403 and requests without a session with 401', async () => {
    const { id } = await newCompany({ key: 'key-of-the-member' })
    const member = await signedIn(server, database, id, 'MEMBER')
    for (const [method, path, body] of [
      ['GET', 'settings'],
      ['POST', 'settings/keys', { name: 'Mine' }],
      ['POST', 'settings/keys/key%20of%20key-of-the-member/revoke', {}],
      ['PUT', 'settings/allowed-ips', { list: [], was: [] }],
      ['GET', 'request-log'],
    ] as const) {
      expect(errorOf(await member.call(method, path, body))).toMatchObject({ status: 403, code: 'forbidden' })
      const answer = await server.call(`/console/${path}`, {
        method,
        ...(body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      })
      expect(errorOf(answer)).toMatchObject({ status: 401, code: 'not_signed_in' })
    }
    const { rows } = await pool.query('SELECT revoked_at FROM api_keys WHERE company_id = $1', [id])
    expect(rows).toEqual([{ revoked_at: null }])
  })

  it.each(['PREMIUM', 'LEGACY_PRO', 'BASIC'] as const)(
    'list the endpoints that the plan %s includes',
    async (plan) => {
      const { admin } = await newCompany({ plan, key: `key-of-plan-${plan}` })
      const { endpoints, plan: shownPlan } = await settingsOf(admin)
      expect(shownPlan).toBe(plan)
      expect(endpoints.map(({ method, path }) => [method, path])).toEqual(
        ENDPOINTS.map(({ method, path }) => [method, path.replace(/:(\w+)/, '{$1}')]),
      )
      for (const { method, path, isIncluded } of endpoints) {
        const { status } = await server.call(path.replace(/\{\w+\}/, 'x'), {
          method,
          headers: { 'x-api-key': `key-of-plan-${plan}` },
        })
        expect([path, status !== 401]).toEqual([path, isIncluded])
      }
    },
  )
})

describe('a key', () => {
  it('is created with a name, shown once, and works immediately in the curl command', async () => {
    const { admin } = await newCompany()
    const created = await admin.call('POST', 'settings/keys', { name: '  Web site ' })
    expect([created.status, created.headers['cache-control']]).toEqual([200, 'no-store'])
    const { id, name, key, curl } = created.body as CreatedKeyAnswer
    expect(name).toBe('Web site')
    expect(curl).toBe(`curl -H 'x-api-key: ${key}' 'http://127.0.0.1:3000/api/quotes?limit=2'`)
    expect((await server.get('/api/quotes?limit=2', key)).status).toBe(200)
    const listed = await admin.call('GET', 'settings')
    expect((listed.body as SettingsAnswer).keys).toMatchObject([
      { id, name: 'Web site', prefix: key.slice(0, 8), revokedAt: null },
    ])
    expect(listed.text).not.toContain(key.slice(8, 20))
    expect(JSON.stringify(server.log)).not.toContain(key.slice(8, 20))
    await vi.waitFor(async () => expect((await settingsOf(admin)).keys[0]?.lastUsedAt).not.toBe(null), 5_000)
  })

  it.each([[''], ['   '], ['x'.repeat(101)], ['a\0b'], [7], [undefined]])(
    'cannot have the name %j',
    async (name) => {
      const { admin } = await newCompany()
      expect(errorOf(await admin.call('POST', 'settings/keys', { name }))).toMatchObject({
        status: 400,
        code: 'invalid_body',
        details: { name: { _errors: [expect.any(String)] } },
      })
      expect((await settingsOf(admin)).keys).toEqual([])
    },
  )

  it('is rejected within a second of its revocation and stays in the list', async () => {
    const { admin } = await newCompany()
    const { id, key } = (await admin.call('POST', 'settings/keys', { name: 'Old' })).body as CreatedKeyAnswer
    expect((await server.get('/api/quotes', key)).status).toBe(200)
    expect((await admin.call('POST', `settings/keys/${id}/revoke`)).status).toBe(204)
    await vi.waitFor(
      async () => expect((await server.get('/api/quotes', key)).status).toBe(401),
      WITHIN_A_SECOND,
    )
    const first = (await settingsOf(admin)).keys[0]?.revokedAt
    expect(first).toEqual(expect.any(String))
    // A second revocation changes nothing.
    expect((await admin.call('POST', `settings/keys/${id}/revoke`)).status).toBe(204)
    expect((await settingsOf(admin)).keys[0]?.revokedAt).toBe(first)
  })

  it('of another company cannot be revoked: 404', async () => {
    const { admin } = await newCompany()
    const other = await newCompany()
    await insertKey(pool, other.id, 'key-of-another-company', { id: 'key_theirs' })
    for (const id of ['key_theirs', 'key_none', '%00', 'x'.repeat(300)]) {
      expect(errorOf(await admin.call('POST', `settings/keys/${id}/revoke`))).toMatchObject({
        status: 404,
        code: 'not_found',
      })
    }
    expect((await server.get('/api/quotes', 'key-of-another-company')).status).toBe(200)
    expect((await settingsOf(admin)).keys).toEqual([])
  })
})

describe('allowed addresses', () => {
  it('apply to the API within a second; the answer shows the address of the user', async () => {
    const { id, admin } = await newCompany({ key: 'key-of-the-list' })
    const { allowedIps, yourAddress } = await settingsOf(admin)
    expect([allowedIps, yourAddress]).toEqual([[], '127.0.0.1'])
    const expectStatus = (status: number) =>
      vi.waitFor(
        async () => expect((await server.get('/api/quotes', 'key-of-the-list')).status).toBe(status),
        WITHIN_A_SECOND,
      )
    const change = (list: string[], was: string[]) => admin.call('PUT', 'settings/allowed-ips', { list, was })
    expect((await change(['192.0.2.1', '2001:db8::/32'], [])).status).toBe(204)
    await expectStatus(401)
    expect((await change(['192.0.2.1', '127.0.0.1'], ['192.0.2.1', '2001:db8::/32'])).status).toBe(204)
    await expectStatus(200)
    expect((await settingsOf(admin)).allowedIps).toEqual(['192.0.2.1', '127.0.0.1'])
    const { rows } = await pool.query(
      'SELECT count(*)::int AS count FROM companies WHERE allowed_ips <> $1 AND id <> $2',
      [[], id],
    )
    expect(rows).toEqual([{ count: 0 }])
  })

  it('get an error with a remedy for each invalid entry, and are not saved', async () => {
    const { admin } = await newCompany()
    const list = ['10.0.0.0/8', '10.0.0.1/8', 'nonsense', '10.0.0.0/8', '']
    expect(errorOf(await admin.call('PUT', 'settings/allowed-ips', { list, was: [] }))).toEqual({
      status: 400,
      type: 'invalid_request_error',
      code: 'invalid_body',
      message: 'IP address 2: This block starts at 10.0.0.0/8. Enter that, or 10.0.0.1 for a single address.',
      details: {
        'list.1': {
          _errors: ['This block starts at 10.0.0.0/8. Enter that, or 10.0.0.1 for a single address.'],
        },
        'list.2': { _errors: ['This is not an IP address. Enter one such as 203.0.113.7 or 2001:db8::7.'] },
        'list.3': { _errors: ['This is already in the list.'] },
        'list.4': { _errors: [expect.stringMatching(/^Enter an IP address/)] },
      },
    })
    expect((await settingsOf(admin)).allowedIps).toEqual([])
  })

  it('are at most 100', async () => {
    const { admin } = await newCompany()
    const list = Array.from({ length: 101 }, (_, i) => `10.0.0.${i}`)
    const change = (entries: string[]) =>
      admin.call('PUT', 'settings/allowed-ips', { list: entries, was: [] })
    expect(errorOf(await change(list))).toMatchObject({
      status: 400,
      message: expect.stringMatching(/at most 100/),
    })
    expect((await change(list.slice(1))).status).toBe(204)
  })

  it.each([
    {},
    { list: ['10.0.0.1'] },
    { list: '10.0.0.1', was: [] },
    { list: [1], was: [] },
    { list: [], was: ['\0'] },
  ])('are rejected in the form %j', async (body) => {
    const { admin } = await newCompany()
    expect(errorOf(await admin.call('PUT', 'settings/allowed-ips', body))).toMatchObject({ status: 400 })
  })

  it('are not saved after a change by another user: 409', async () => {
    const { id, admin } = await newCompany({ allowedIps: ['10.0.0.1'] })
    const other = await signedIn(server, database, id)
    const change = (user: SignedIn, list: string[]) =>
      user.call('PUT', 'settings/allowed-ips', { list, was: ['10.0.0.1'] })
    expect((await change(admin, ['10.0.0.1', '10.0.0.2'])).status).toBe(204)
    expect(errorOf(await change(other, ['10.0.0.1', '10.0.0.3']))).toMatchObject({
      status: 409,
      code: 'conflict',
    })
    expect((await settingsOf(admin)).allowedIps).toEqual(['10.0.0.1', '10.0.0.2'])
  })
})

describe('the request log', () => {
  const logOf = async ({ call }: SignedIn, query = '') =>
    (await call('GET', `request-log?${query}`)).body as RequestLogAnswer

  it('lists requests of the company only, newest first, with the name of the key', async () => {
    const { admin } = await newCompany()
    const other = await newCompany({ key: 'key-of-the-other-company' })
    const { id, key } = (await admin.call('POST', 'settings/keys', { name: 'Shop' })).body as CreatedKeyAnswer
    await server.get('/api/quotes?limit=1', key, { 'x-request-id': 'first' })
    await server.get('/api/quotes?limit=0', key, { 'x-request-id': 'second' })
    await server.get('/api/resources', 'key-of-the-other-company')
    await vi.waitFor(async () => expect((await logOf(admin)).requests).toHaveLength(2), 5_000)
    const { requests, before } = await logOf(admin)
    expect(requests).toMatchObject([
      {
        requestId: 'second',
        status: 400,
        keyId: id,
        keyName: 'Shop',
        method: 'GET',
        path: '/api/quotes?limit=0',
      },
      { requestId: 'first', status: 200, keyId: id, keyName: 'Shop', denial: null },
    ])
    expect(requests[0]?.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(before).toBe(null)
    await vi.waitFor(async () => expect((await logOf(other.admin)).requests).toHaveLength(1), 5_000)
    expect((await logOf(other.admin, `key=${id}`)).requests).toEqual([])
  })

  it('has filters and pages', async () => {
    const { id, admin } = await newCompany()
    const statuses = [200, 201, 400, 401, 404, 500]
    for (let i = 0; i < 120; i++) {
      await insert(pool, 'request_log', {
        company_id: id,
        id: `log_${(Date.now() - 120 + i)
          .toString(16)
          .padStart(12, '0')
          .replace(/(.{8})/, '$1-')}-7000-8000-${String(i).padStart(12, '0')}`,
        at: new Date(),
        key_id: `key_${i % 2}`,
        method: i % 10 === 0 ? 'POST' : 'GET',
        path: `/api/quotes/${i}`,
        status: statuses[i % 6],
        duration_us: i,
        request_id: `r-${i}`,
        denial: i % 6 === 3 ? 'revoked key' : null,
      })
    }
    const idsOf = ({ requests }: RequestLogAnswer) =>
      requests.map(({ requestId }) => Number(requestId.slice(2)))
    const first = await logOf(admin)
    const second = await logOf(admin, `before=${first.before}`)
    const third = await logOf(admin, `before=${second.before}`)
    expect([first, second, third].flatMap(idsOf)).toEqual(Array.from({ length: 120 }, (_, i) => 119 - i))
    expect([first.requests.length, second.requests.length, third.before]).toEqual([50, 50, null])
    const expectAll = async (query: string, check: (i: number) => boolean) => {
      const page = await logOf(admin, query)
      expect(page.requests.length).toBeGreaterThan(0)
      expect(idsOf(page).filter((i) => !check(i))).toEqual([])
    }
    await expectAll('status=errors', (i) => i % 6 >= 2)
    await expectAll('status=2xx', (i) => i % 6 < 2)
    await expectAll('status=4xx', (i) => i % 6 >= 2 && i % 6 < 5)
    await expectAll('status=5xx', (i) => i % 6 === 5)
    await expectAll('method=POST', (i) => i % 10 === 0)
    await expectAll('key=key_1', (i) => i % 2 === 1)
    await expectAll('path=QUOTES/11', (i) => String(i).startsWith('11'))
    await expectAll('request=r-77', (i) => i === 77)
    await expectAll('status=errors&key=key_1&method=GET', (i) => i % 2 === 1 && i % 6 >= 2)
    await expectAll('status=&key=&path=', () => true)
  })

  it.each(['status=3', 'status=all', 'path=%00', 'key=%00', 'other=1', `path=${'x'.repeat(501)}`])(
    'rejects %s',
    async (query) => {
      const { admin } = await newCompany()
      expect(errorOf(await admin.call('GET', `request-log?${query}`))).toMatchObject({ status: 400 })
    },
  )
})
