import { once } from 'node:events'
import { Agent, get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { generateApiKey, hashApiKey } from '../src/core/security/api-key.ts'
import { PLANS } from '../src/core/enumerations.ts'
import { revokeApiKey } from '../src/records/api-key/queries.ts'
import { openPool, withClient } from '../src/db/connect.ts'
import { ENDPOINTS } from '../src/api/endpoints.ts'
import { atEnd } from './support/at-end.ts'
import { createDatabase, takeAllClients } from './support/database.ts'
import { SHAPES, TEST_ENDPOINTS, testEndpoint } from './support/endpoints.ts'
import { AUTH_UNAVAILABLE, DENIED, SERVER_ERROR, TOO_MANY, errorOf, inShape } from './support/errors.ts'
import { startProxy } from './support/database-proxy.ts'
import type { Answer } from './support/raw.ts'
import { insertCompany, insertKey, insertStaff } from './support/records.ts'
import { startServer } from './support/server.ts'
import type { CallOptions, TestServer } from './support/server.ts'

const KEY = 'key-of-the-first-company'
const { pool, connection } = await createDatabase()
const server = await startServer(connection, { endpoints: [...ENDPOINTS, ...TEST_ENDPOINTS] })

await insertCompany(pool, 'co_1', { key: KEY })
await insertStaff(pool, 'co_1', 'staff_1')

const STAFF = '/api/staff/staff_1'

async function statusOf(
  key: string,
  headers: CallOptions['headers'] = {},
  on: TestServer = server,
): Promise<number> {
  return (await on.call(STAFF, { headers: { 'x-api-key': key, ...headers } })).status
}

/** Every part of a response that a client can compare. */
function comparable({ status, headers, text }: Answer): object {
  return { status, headers: { ...headers, date: '', 'x-request-id': '' }, text }
}

const mayCall = (plan: string, call: string) =>
  plan === 'PREMIUM' || (plan === 'LEGACY_PRO' && /^GET \/api\/quotes(\/:id)?$/.test(call))

/** Sends concurrent requests with uncached keys, more than the pool has connections. */
async function expectUnavailable(on: TestServer): Promise<void> {
  const requests = [1, 2, 3, 4, 5].map((i) => on.get(STAFF, `key-${i}-${Math.random()}`))
  const shapedRequests = SHAPES.map((shape) =>
    on.get(`/api/test-${shape}/1`, `key-of-${shape}-${Math.random()}`),
  )
  const answers = await Promise.all(requests)
  const inShapes = await Promise.all(shapedRequests)
  expect(answers.map(errorOf)).toEqual(answers.map(() => AUTH_UNAVAILABLE))
  expect(inShapes.map(errorOf)).toEqual(SHAPES.map((shape) => inShape(shape, AUTH_UNAVAILABLE)))
  for (const { headers } of [...answers, ...inShapes]) expect(headers['retry-after']).toBe('1')
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  const withoutKey = await on.call(STAFF)
  expect(errorOf(withoutKey)).toEqual(DENIED)
  expect(errorOf(await on.get(STAFF, 'short'))).toEqual(DENIED)
}

// Not expect.poll, which does not work in concurrent tests.
const expectRecovery = (on: TestServer) =>
  vi.waitFor(async () => expect(await statusOf(KEY, {}, on)).toBe(200), 10_000)

const at = (time: string) => vi.useFakeTimers({ toFake: ['Date'], now: new Date(time) })

const fail = async () => {
  throw new Error('SELECT secret FROM api_keys')
}

describe('A1, A2: plans', () => {
  it('are BASIC, PRO, PREMIUM and LEGACY_PRO', () => {
    expect(PLANS.toSorted()).toEqual(['BASIC', 'LEGACY_PRO', 'PREMIUM', 'PRO'])
  })

  it.each(
    ENDPOINTS.flatMap((endpoint) => PLANS.map((plan) => [endpoint.operation, plan, endpoint] as const)),
  )('the access table decides about %s with plan %s', async (operation, plan, { method, path }) => {
    const key = `key-of-${plan}-for-${operation}`
    await insertCompany(pool, key, { plan, key })
    const headers = { 'x-api-key': key }
    const answer = await server.call(path.replace(/:\w+/, 'some-id'), { method, headers })
    expect(answer.status !== 401).toBe(mayCall(plan, `${method} ${path}`))
  })
})

describe('A3, A10: denials', () => {
  it('have the same response for every reason, and log the reason', async () => {
    await insertKey(pool, 'co_1', 'key-of-yesterday', { revokedAt: '2026-01-01T00:00:00Z' })
    await insertCompany(pool, 'co_basic', { plan: 'BASIC', key: 'key-of-a-basic-plan' })
    await insertCompany(pool, 'co_list', { allowedIps: ['192.0.2.1'], key: 'key-of-elsewhere' })
    const attempts: [reason: string, headers: Record<string, string | string[]>][] = [
      ['no key', {}],
      ['malformed key', { 'x-api-key': '' }],
      ['malformed key', { 'x-api-key': 'short' }],
      ['malformed key', { 'x-api-key': 'k'.repeat(201) }],
      ['malformed key', { 'x-api-key': [KEY, KEY] }],
      ['malformed key', { 'x-api-key': `${KEY} ${KEY}` }],
      ['malformed key', { 'x-api-key': 'key-of-the-first-companü' }],
      ['unknown key', { 'x-api-key': 'key-that-is-unknown' }],
      ['unknown key', { 'x-api-key': KEY.toUpperCase() }],
      ['unknown key', { 'x-api-key': generateApiKey() }],
      ['unknown key', { 'x-api-key': hashApiKey(KEY) }],
      ['no key', { authorization: `Bearer ${KEY}` }],
      ['revoked key', { 'x-api-key': 'key-of-yesterday' }],
      ['plan BASIC lacks access', { 'x-api-key': 'key-of-a-basic-plan' }],
      ['address 127.0.0.1 not allowed', { 'x-api-key': 'key-of-elsewhere' }],
    ]
    const before = server.log.length
    const answers: Answer[] = []
    for (const [, headers] of attempts) answers.push(await server.call(STAFF, { headers }))
    expect(answers.map(errorOf)).toEqual(attempts.map(() => DENIED))
    expect(answers.map(comparable)).toEqual(
      answers.map(() => comparable(answers[0] ?? (answers[1] as Answer))),
    )
    const denials = server.log.slice(before).filter(({ msg }) => msg === 'access denied')
    expect(denials.map(({ reason }) => reason)).toEqual(attempts.map(([reason]) => reason))
    expect(denials.every(({ level }) => level === 30)).toBe(true)
  })

  it('apply to a key that is sent outside the header', async () => {
    for (const path of [`${STAFF}?x-api-key=${KEY}`, `${STAFF}?api_key=${KEY}`]) {
      expect(errorOf(await server.call(path))).toEqual(DENIED)
    }
  })
})

describe('A4: errors have the shape of the endpoint', () => {
  it.each(SHAPES)('401: %s', async (shape) => {
    const [reading, writing] = [`/api/test-${shape}/1`, `/api/test-${shape}-post`]
    expect(errorOf(await server.call(reading))).toEqual(inShape(shape, DENIED))
    expect(errorOf(await server.call(writing, { method: 'POST' }))).toEqual(inShape(shape, DENIED))
  })

  it.each(SHAPES)('500: %s', async (shape) => {
    const failing = await startServer(connection, { endpoints: [testEndpoint(shape, { answer: fail })] })
    expect(errorOf(await failing.get(`/api/test-${shape}/1`, KEY))).toEqual(inShape(shape, SERVER_ERROR))
  })
})

describe('A5, A10, A11: keys', () => {
  it.each([
    ['a generated key', generateApiKey()],
    ['8 characters', 'a1!b2@c3'],
    ['200 characters', 'k'.repeat(200)],
    ['all visible ASCII', String.fromCodePoint(...Array.from({ length: 94 }, (_, i) => 33 + i))],
  ])('accepts %s, but no shorter or longer key', async (_, key) => {
    await insertKey(pool, 'co_1', key)
    expect(await statusOf(key)).toBe(200)
    expect(await statusOf(key.slice(0, -1))).toBe(401)
    expect(await statusOf(`${key}x`)).toBe(401)
  })

  it('revoking some keys of a company does not affect its other keys', async () => {
    const keys = Array.from({ length: 12 }, (_, i) => `key-number-${i}`)
    for (const [i, key] of keys.entries()) {
      await insertKey(pool, 'co_1', key, i % 2 === 0 ? {} : { revokedAt: '2026-01-01T00:00:00Z' })
    }
    const statuses = await Promise.all(keys.map((key) => statusOf(key)))
    expect(statuses).toEqual(keys.map((_, i) => (i % 2 === 0 ? 200 : 401)))
  })

  it.each(['0001-01-01T00:00:00Z', '2026-01-01T00:00:00Z', '9999-12-31T00:00:00Z'])(
    'rejects a key with revokedAt %s',
    async (revokedAt) => {
      await insertKey(pool, 'co_1', `key-revoked-at-${revokedAt}`, { revokedAt })
      expect(await statusOf(`key-revoked-at-${revokedAt}`)).toBe(401)
    },
  )

  it('checks the key of each request on a shared connection', async () => {
    const second = generateApiKey()
    await insertCompany(pool, 'co_on_one_connection', { key: second })
    await insertStaff(pool, 'co_on_one_connection', 'staff_of_the_second')
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    atEnd(async () => agent.destroy())
    const sockets = new Set<unknown>()
    const getStatus = async (staff: string, key?: string): Promise<number> => {
      const headers = key === undefined ? {} : { 'x-api-key': key }
      const request = get({ agent, port: server.port, path: `/api/staff/${staff}`, headers })
      const [answer] = (await once(request, 'response')) as [IncomingMessage]
      sockets.add(answer.socket)
      answer.resume()
      await once(answer, 'end')
      return answer.statusCode ?? 0
    }
    for (let round = 0; round < 3; round++) {
      expect(await getStatus('staff_1', KEY)).toBe(200)
      expect(await getStatus('staff_of_the_second', KEY)).toBe(404)
      expect(await getStatus('staff_1', second)).toBe(404)
      expect(await getStatus('staff_of_the_second', second)).toBe(200)
      expect(await getStatus('staff_1')).toBe(401)
      expect(await getStatus('staff_1', 'short')).toBe(401)
      expect(await getStatus('staff_1', `${KEY}x`)).toBe(401)
    }
    expect(sockets.size).toBe(1)
  })

  it('ignores spaces and tabs around the key', async () => {
    expect(await statusOf(`  ${KEY}\t`)).toBe(200)
  })
})

// `npm run torture` measures that they take effect within one second.
describe.concurrent('A6: changes take effect on every instance', () => {
  it('denies keys after a revocation, a change of the plan or of the allowed addresses', async () => {
    const instances = [server, await startServer(connection)]
    const companies = ['co_revoked', 'co_downgraded', 'co_restricted']
    for (const id of companies) await insertCompany(pool, id)
    for (const id of companies) await insertStaff(pool, id, 'staff_1')
    for (const id of companies) await insertKey(pool, id, `key-of-${id}`, { id: 'key' })
    const statuses = () =>
      Promise.all(instances.flatMap((on) => companies.map((id) => statusOf(`key-of-${id}`, {}, on))))
    expect(new Set(await statuses())).toEqual(new Set([200]))
    await revokeApiKey(pool, 'co_revoked', 'key')
    await pool.query(`UPDATE companies SET plan = 'PRO' WHERE id = 'co_downgraded'`)
    await pool.query(`UPDATE companies SET allowed_ips = '{192.0.2.1}' WHERE id = 'co_restricted'`)
    await vi.waitFor(async () => expect(new Set(await statuses())).toEqual(new Set([401])), 10_000)
  })

  it('rejects a revoked key that is in steady use', async () => {
    await insertKey(pool, 'co_1', 'key-in-steady-use', { id: 'steady' })
    expect(await statusOf('key-in-steady-use')).toBe(200)
    await revokeApiKey(pool, 'co_1', 'steady')
    await vi.waitFor(async () => expect(await statusOf('key-in-steady-use')).toBe(401), {
      timeout: 10_000,
      interval: 20,
    })
  })

  it('accepts a new key immediately, even if it was denied before', async () => {
    expect(await statusOf('key-that-comes-later')).toBe(401)
    await insertKey(pool, 'co_1', 'key-that-comes-later')
    expect(await statusOf('key-that-comes-later')).toBe(200)
  })

  it('accepts a new key while another request waits for the lookup that did not find it', async () => {
    const proxy = await startProxy(connection)
    const behind = await startServer(connection, { keysConnection: proxy.connection })
    // Open both connections of the pool before the responses are held back.
    await Promise.all(['unknown-key-1', 'unknown-key-2'].map((key) => statusOf(key, {}, behind)))
    const held = proxy.holdResponses()
    const early = statusOf('key-made-meanwhile', {}, behind)
    await vi.waitFor(() => expect(held.count()).toBe(1), { timeout: 10_000, interval: 5 })
    await insertKey(pool, 'co_1', 'key-made-meanwhile')
    const late = statusOf('key-made-meanwhile', {}, behind)
    await vi.waitFor(async () => expect(await behind.countConnections()).toBe(2), 10_000)
    held.release()
    expect(await Promise.all([early, late])).toEqual([401, 200])
  })
})

describe.concurrent('A8: key store unavailable', () => {
  const endpoints = [...ENDPOINTS, ...TEST_ENDPOINTS]

  it.each([
    ['are refused', 'refuse'],
    ['hang', 'hang'],
  ] as const)('answers 503 within 2 s while connections %s, then recovers', async (_, how) => {
    const proxy = await startProxy(connection)
    const behind = await startServer(connection, { endpoints, keysConnection: proxy.connection })
    await proxy[how]()
    await expectUnavailable(behind)
    await proxy.forward()
    await expectRecovery(behind)
    // Again, now with open connections to lose.
    await proxy[how]()
    await expectUnavailable(behind)
    await proxy.forward()
    await expectRecovery(behind)
  })

  it('answers 503 within 2 s while the pool is exhausted, then recovers', async () => {
    const keys = openPool(connection, 'keys', () => undefined)
    atEnd(() => keys.end())
    const on = await startServer(connection, { endpoints, keys })
    const clients = await takeAllClients(keys)
    await expectUnavailable(on)
    for (const client of clients) client.release()
    await expectRecovery(on)
  })

  it('answers 401 to an unknown key while the store is available', async () => {
    expect(await statusOf('key-that-is-unknown')).toBe(401)
  })

  it('answers 500 without details after authentication, in the shape of the endpoint', async () => {
    const proxy = await startProxy(connection)
    const on = await startServer(connection, { dataConnection: proxy.connection })
    expect(await statusOf(KEY, {}, on)).toBe(200)
    await proxy.refuse()
    for (const path of [STAFF, '/api/resources', '/api/resources/x']) {
      expect(errorOf(await on.get(path, KEY))).toEqual(SERVER_ERROR)
    }
    expect(errorOf(await on.get(STAFF, 'key-that-is-unknown'))).toEqual(DENIED)
    const failures = on.log.filter(({ msg }) => msg === 'request failed')
    expect(failures.length).toBe(3)
    expect(failures.every(({ err, company }) => err !== undefined && company === 'co_1')).toBe(true)
    await proxy.forward()
    expect(await statusOf(KEY, {}, on)).toBe(200)
  })
})

describe('A8: locked key table', () => {
  it('answers 503 within 2 s, then recovers', async () => {
    const on = await startServer(connection, { endpoints: [...ENDPOINTS, ...TEST_ENDPOINTS] })
    await withClient(connection, async (client) => {
      await client.query('BEGIN; LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE')
      await expectUnavailable(on)
      await client.query('ROLLBACK')
    })
    await expectRecovery(on)
  })
})

describe('A9: rate limit', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('is off by default', async () => {
    // Only ten concurrent requests: a slow machine can answer 503 to more.
    for (let round = 0; round < 10; round++) {
      const statuses = await Promise.all(Array.from({ length: 10 }, () => statusOf(KEY)))
      expect(new Set(statuses)).toEqual(new Set([200]))
    }
  })

  it('answers 429 with Retry-After to a key over its limit until the next minute', async () => {
    at('2026-05-05T10:00:20.500Z')
    const limited = await startServer(connection, { rateLimitPerMinute: 3 })
    for (const _ of [1, 2, 3]) expect(await statusOf(KEY, {}, limited)).toBe(200)
    const rejected = await limited.get(STAFF, KEY)
    expect(errorOf(rejected)).toEqual(TOO_MANY)
    expect(rejected.headers['retry-after']).toBe('40')
    vi.setSystemTime('2026-05-05T10:00:59.999Z')
    const late = await limited.get(STAFF, KEY)
    expect([late.status, late.headers['retry-after']]).toEqual([429, '1'])
    vi.setSystemTime('2026-05-05T10:01:00.000Z')
    expect(await statusOf(KEY, {}, limited)).toBe(200)
  })

  it('counts keys of two companies with the same id separately', async () => {
    at('2026-05-05T10:00:00Z')
    const limited = await startServer(connection, { rateLimitPerMinute: 1 })
    for (const company of ['co_same_1', 'co_same_2']) {
      await insertCompany(pool, company)
      await insertKey(pool, company, `key-of-${company}`, { id: 'key_1' })
    }
    const list = async (key: string) => (await limited.get('/api/resources', key)).status
    expect([await list('key-of-co_same_1'), await list('key-of-co_same_1')]).toEqual([200, 429])
    expect(await list('key-of-co_same_2')).toBe(200)
  })

  it('counts authenticated requests only, separately for each key', async () => {
    at('2026-05-05T10:00:00Z')
    const limited = await startServer(connection, { rateLimitPerMinute: 2 })
    await insertKey(pool, 'co_1', 'second-key-of-the-company')
    await insertKey(pool, 'co_1', 'key-of-old-times', { revokedAt: '2026-01-01T00:00:00Z' })
    for (const _ of [1, 2, 3, 4]) {
      for (const key of ['key-that-is-unknown', 'key-of-old-times', 'short']) {
        expect(await statusOf(key, {}, limited)).toBe(401)
      }
    }
    // An unknown path or method is answered before authentication.
    for (const path of ['/api/unknown', '/api/resources/']) await limited.get(path, KEY)
    await limited.call(STAFF, { method: 'POST', headers: { 'x-api-key': KEY } })
    expect(await statusOf(KEY, {}, limited)).toBe(200)
    expect((await limited.get('/api/resources?limit=0', KEY)).status).toBe(400)
    expect((await limited.get('/api/staff/unknown', KEY)).status).toBe(429)
    expect(await statusOf('second-key-of-the-company', {}, limited)).toBe(200)
  })

  it.each(SHAPES)('answers 429 in the shape of the endpoint: %s', async (shape) => {
    at('2026-05-05T10:00:00Z')
    const limited = await startServer(connection, { rateLimitPerMinute: 1, endpoints: TEST_ENDPOINTS })
    expect((await limited.get(`/api/test-${shape}/1`, KEY)).status).toBe(200)
    const rejected = await limited.get(`/api/test-${shape}/1`, KEY)
    expect(errorOf(rejected)).toEqual(inShape(shape, TOO_MANY))
    expect(rejected.headers['retry-after']).toBe('60')
  })
})
