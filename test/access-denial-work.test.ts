/** A key that is known but denied is refused with the same work as an unknown one, so that timing tells nothing. */
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
await insertCompany(pool, 'co_good', { key: 'key-of-a-good-company' })

const DENIED_KEYS = [
  ['an unknown key', 'key-that-is-unknown'],
  ['a revoked key', 'key-of-yesterday'],
  ['a key of another address', 'key-of-elsewhere'],
  ['a key of a plan without access', 'key-of-a-basic-plan'],
  ['a key of a plan without this endpoint', 'key-of-a-legacy-plan'],
] as const

/** A server, and the number of its key lookups. */
async function startCounted(at = connection) {
  let count = 0
  const keys = watchedPool(at, 'keys', (text) => {
    if (text.includes('FROM api_keys')) count++
  })
  const server = await startServer(connection, { keys })
  return { server, lookUps: () => count }
}

// The clock of the cache: however slow the machine is, everything happens within half a second.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe.each(DENIED_KEYS)('%s', (_, key) => {
  it('costs one lookup per request, however soon they follow each other', async () => {
    const { server, lookUps } = await startCounted()
    for (let i = 1; i <= 5; i++) {
      vi.advanceTimersByTime(1)
      expect(errorOf(await server.get(PATH, key))).toEqual(DENIED)
      expect(lookUps()).toBe(i)
    }
  })

  it('is 503 at once while the store is away, also if it was denied a moment ago', async () => {
    const proxy = await startProxy(connection)
    const { server } = await startCounted(proxy.connection)
    expect(errorOf(await server.get(PATH, key))).toEqual(DENIED)
    vi.advanceTimersByTime(1)
    await proxy.refuse()
    expect(errorOf(await server.get(PATH, key))).toEqual(AUTH_UNAVAILABLE)
  })
})

describe('a good key', () => {
  it('costs one lookup for many requests', async () => {
    const { server, lookUps } = await startCounted()
    for (let i = 0; i < 20; i++) {
      vi.advanceTimersByTime(1)
      expect((await server.get(PATH, 'key-of-a-good-company')).status).toBe(200)
    }
    expect(lookUps()).toBe(1)
  })

  it('is accepted from the cache while a denied request with it waits for its lookup, and if that lookup fails', async () => {
    await insertKey(pool, 'co_legacy', 'second-key-of-a-legacy-plan')
    const proxy = await startProxy(connection)
    const { server, lookUps } = await startCounted(proxy.connection)
    const good = () => server.get('/api/quotes', 'second-key-of-a-legacy-plan')
    const bad = () => server.get(PATH, 'second-key-of-a-legacy-plan')
    expect((await good()).status).toBe(200)
    vi.advanceTimersByTime(1)
    const held = proxy.holdAnswers()
    const denied = bad()
    await expect.poll(lookUps, { interval: 1 }).toBe(2)
    expect((await good()).status).toBe(200)
    await proxy.refuse()
    held.release()
    expect(errorOf(await denied)).toEqual(AUTH_UNAVAILABLE)
    expect((await good()).status).toBe(200)
  })
})

it('a long list of allowed addresses is compiled once, not at each request that it denies', async () => {
  const allowedIps = Array.from({ length: 100 }, (_, i) => `203.0.113.${i}`)
  await insertCompany(pool, 'co_long_list', { key: 'key-of-a-long-list', allowedIps })
  const { server } = await startCounted()
  const compiled = vi.spyOn(BlockList.prototype, 'addSubnet')
  for (let i = 0; i < 3; i++) {
    vi.advanceTimersByTime(1)
    expect(errorOf(await server.get(PATH, 'key-of-a-long-list'))).toEqual(DENIED)
  }
  expect(compiled).toHaveBeenCalledTimes(100)
})
