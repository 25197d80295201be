/** Denying a known key costs the same work as denying an unknown one, so that the time does not reveal which keys exist. */
import { BlockList } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDatabase } from './support/database.ts'
import { startProxy } from './support/database-proxy.ts'
import { insertDenied } from './support/denials.ts'
import { AUTH_UNAVAILABLE, DENIED, errorOf } from './support/errors.ts'
import { insertCompany, insertKey } from './support/records.ts'
import { startServer } from './support/server.ts'
import { watchedPool } from './support/watched-pool.ts'

const PATH = '/api/resources'
const { pool, connection } = await createDatabase()
await insertDenied(pool)
await insertCompany(pool, 'co_legacy', { plan: 'LEGACY_PRO', key: 'key-of-a-legacy-plan' })
await insertCompany(pool, 'co_premium', { key: 'key-of-a-premium-company' })

const DENIED_KEYS = [
  ['an unknown key', 'key-that-is-unknown'],
  ['a revoked key', 'key-of-yesterday'],
  ['a key of another address', 'key-of-elsewhere'],
  ['a key of a plan without access', 'key-of-a-basic-plan'],
  ['a key of a plan without this endpoint', 'key-of-a-legacy-plan'],
] as const

/** A server that counts its key lookups. */
async function startWithCounter(at = connection) {
  let count = 0
  const keys = watchedPool(at, 'keys', (text) => {
    if (text.includes('FROM api_keys')) count++
  })
  const server = await startServer(connection, { keys })
  return { server, countLookups: () => count }
}

// The cache uses a fake clock: entries do not expire on a slow machine.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe.each(DENIED_KEYS)('%s', (_, key) => {
  it('costs one lookup per request, even within milliseconds', async () => {
    const { server, countLookups } = await startWithCounter()
    for (let i = 1; i <= 5; i++) {
      vi.advanceTimersByTime(1)
      expect(errorOf(await server.get(PATH, key))).toEqual(DENIED)
      expect(countLookups()).toBe(i)
    }
  })

  it('gets 503 while the key store is unavailable, even just after a denial', async () => {
    const proxy = await startProxy(connection)
    const { server } = await startWithCounter(proxy.connection)
    expect(errorOf(await server.get(PATH, key))).toEqual(DENIED)
    vi.advanceTimersByTime(1)
    await proxy.refuse()
    expect(errorOf(await server.get(PATH, key))).toEqual(AUTH_UNAVAILABLE)
  })
})

describe('a valid key', () => {
  it('costs one lookup for many requests', async () => {
    const { server, countLookups } = await startWithCounter()
    for (let i = 0; i < 20; i++) {
      vi.advanceTimersByTime(1)
      expect((await server.get(PATH, 'key-of-a-premium-company')).status).toBe(200)
    }
    expect(countLookups()).toBe(1)
  })

  it('is still accepted from the cache while the lookup for a denied request is slow or fails', async () => {
    await insertKey(pool, 'co_legacy', 'second-key-of-a-legacy-plan')
    const proxy = await startProxy(connection)
    const { server, countLookups } = await startWithCounter(proxy.connection)
    const allowed = () => server.get('/api/quotes', 'second-key-of-a-legacy-plan')
    const denied = () => server.get(PATH, 'second-key-of-a-legacy-plan')
    expect((await allowed()).status).toBe(200)
    vi.advanceTimersByTime(1)
    const held = proxy.holdResponses()
    const pending = denied()
    await expect.poll(countLookups, { interval: 1 }).toBe(2)
    expect((await allowed()).status).toBe(200)
    await proxy.refuse()
    held.release()
    expect(errorOf(await pending)).toEqual(AUTH_UNAVAILABLE)
    expect((await allowed()).status).toBe(200)
  })
})

it('compiles a long list of allowed addresses once, not per denied request', async () => {
  const allowedIps = Array.from({ length: 100 }, (_, i) => `203.0.113.${i}`)
  await insertCompany(pool, 'co_long_list', { key: 'key-of-a-long-list', allowedIps })
  const { server } = await startWithCounter()
  const compiled = vi.spyOn(BlockList.prototype, 'addSubnet')
  for (let i = 0; i < 3; i++) {
    vi.advanceTimersByTime(1)
    expect(errorOf(await server.get(PATH, 'key-of-a-long-list'))).toEqual(DENIED)
  }
  expect(compiled).toHaveBeenCalledTimes(100)
})
