/** A8: effects of a lost database on caches, pools and the process. test/access.test.ts covers single responses. */
import type { Pool } from 'pg'
import { describe, expect, it, vi } from 'vitest'
import { openPool, withClient } from '../../src/db/connect.ts'
import type { Connection } from '../../src/db/connect.ts'
import { atEnd } from '../../test/support/at-end.ts'
import { createDatabase } from '../../test/support/database.ts'
import { blockThread } from '../../test/support/block-thread.ts'
import { startProxy } from '../../test/support/database-proxy.ts'
import type { DatabaseProxy } from '../../test/support/database-proxy.ts'
import { AUTH_UNAVAILABLE, DENIED, SERVER_ERROR, errorOf, inShape } from '../../test/support/errors.ts'
import { plant } from '../../test/support/quotes.ts'
import { insertCompany, insertKey } from '../../test/support/records.ts'
import { startServer } from '../../test/support/server.ts'
import type { TestServer } from '../../test/support/server.ts'

const PATH = '/api/resources'
const { pool, connection } = await createDatabase()
await insertCompany(pool, 'co_1')
await plant(pool, 'events', 'co_1', 'evt_1')

/** A key that is in no cache */
let keyCount = 0
async function newKey(): Promise<string> {
  const key = `key-number-${keyCount++}-of-the-company`
  await insertKey(pool, 'co_1', key)
  return key
}

interface Behind {
  server: TestServer
  proxy: DatabaseProxy
  keys: Pool
  data: Pool
  /** Errors that the pools reported. */
  lost: Error[]
}

/** A server with one or both pools behind a proxy. */
async function startBehind(purposes: readonly ('keys' | 'data')[]): Promise<Behind> {
  const proxy = await startProxy(connection)
  const lost: Error[] = []
  const open = (purpose: 'keys' | 'data') => {
    const at: Connection = purposes.includes(purpose) ? proxy.connection : connection
    const opened = openPool(at, purpose, (error) => lost.push(error))
    atEnd(() => opened.end())
    return opened
  }
  const [keys, data] = [open('keys'), open('data')]
  return { server: await startServer(connection, { keys, data }), proxy, keys, data, lost }
}

/** Ends all connections, and accepts new ones. */
async function cut(proxy: DatabaseProxy): Promise<void> {
  await proxy.refuse()
  await proxy.forward()
}

/** Runs the work while a statement of the server waits for the table. */
async function whileLocked<Result>(
  table: string,
  ask: () => Promise<Result>,
  work: () => Promise<void>,
): Promise<Result> {
  return withClient(connection, async (client) => {
    await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
    const asked = ask()
    await vi.waitFor(async () => {
      const waiting = await pool.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      expect(waiting.rowCount).toBeGreaterThan(0)
    }, 5000)
    await work()
    const result = await asked
    await client.query('ROLLBACK')
    return result
  })
}

describe('A8: while keys cannot be read', () => {
  it.each(['refuse', 'hang'] as const)(
    'the process runs, is not ready, and still denies requests without a key, if connections %s',
    async (how) => {
      const { server, proxy } = await startBehind(['keys'])
      const key = await newKey()
      await proxy[how]()
      const answer = await server.get(PATH, key, { 'x-request-id': `away-${how}` })
      expect(errorOf(answer)).toEqual(AUTH_UNAVAILABLE)
      expect(answer.headers['retry-after']).toBe('1')
      expect((await server.call('/healthz')).status).toBe(200)
      const ready = await server.call('/readyz')
      expect([ready.status, ready.body]).toEqual([503, { status: 'unavailable' }])
      for (const headers of [{}, { 'x-api-key': '' }, { 'x-api-key': 'short' }]) {
        expect(errorOf(await server.call(PATH, { headers }))).toEqual(DENIED)
      }
      const failures = server.log.filter(
        ({ requestId, level }) => requestId === `away-${how}` && level === 50,
      )
      expect(failures).toMatchObject([
        { code: 'auth_service_unavailable', err: { message: expect.any(String) as string } },
      ])
    },
  )

  it('twenty concurrent requests with different keys get 503 while the database hangs', async () => {
    const { server, proxy } = await startBehind(['keys'])
    proxy.hang()
    const asking = Array.from({ length: 20 }, (_, i) => server.get(PATH, `key-of-caller-${i}`))
    const answers = await Promise.all(asking)
    expect(answers.map(errorOf)).toEqual(answers.map(() => AUTH_UNAVAILABLE))
  })

  it('a cached key is accepted for a short time only', async () => {
    const { server, proxy } = await startBehind(['keys'])
    const key = await newKey()
    expect((await server.get(PATH, key)).status).toBe(200)
    await proxy.refuse()
    await expect.poll(async () => errorOf(await server.get(PATH, key))).toEqual(AUTH_UNAVAILABLE)
  })
})

describe('A8: when keys can be read again', () => {
  it.each(['refuse', 'hang'] as const)(
    'valid, unknown and new keys get correct responses immediately, after connections %s',
    async (how) => {
      const { server, proxy, keys } = await startBehind(['keys'])
      const key = await newKey()
      const made = `key-made-during-${how}`
      const all = [key, 'key-that-is-unknown', made]
      const ask = () => Promise.all(all.map(async (one) => (await server.get(PATH, one)).status))
      await proxy[how]()
      expect(await ask()).toEqual([503, 503, 503])
      await insertKey(pool, 'co_1', made)
      // Failed connections leave the pool before the database is back.
      await vi.waitFor(() => expect(keys.totalCount).toBe(0), 20_000)
      await proxy.forward()
      expect(await ask()).toEqual([200, 401, 200])
      expect((await server.call('/readyz')).status).toBe(200)
    },
  )
})

describe('A8: lost idle connections', () => {
  it('do not end the process, are reported, and are replaced', async () => {
    const { server, proxy, keys, data, lost } = await startBehind(['keys', 'data'])
    const ask = async () => {
      const all = [await newKey(), await newKey(), await newKey()]
      return Promise.all(all.map(async (one) => (await server.get(PATH, one)).status))
    }
    for (const round of [1, 2]) {
      expect(await ask()).toEqual([200, 200, 200])
      expect(Math.min(keys.idleCount, data.idleCount)).toBeGreaterThan(0)
      const expected = lost.length + keys.idleCount + data.idleCount
      await cut(proxy)
      await vi.waitFor(() => expect([keys.totalCount, data.totalCount]).toEqual([0, 0]), 5000)
      expect(lost.length, `round ${round}`).toBe(expected)
    }
    expect(await ask()).toEqual([200, 200, 200])
  })
})

describe('A8: lost busy connections', () => {
  it('lead to 503 during the lookup of a key, and the next lookup succeeds', async () => {
    const { server, proxy } = await startBehind(['keys'])
    const key = await newKey()
    const answer = await whileLocked(
      'api_keys',
      () => server.get(PATH, key),
      () => cut(proxy),
    )
    expect(errorOf(answer)).toEqual(AUTH_UNAVAILABLE)
    expect((await server.get(PATH, key)).status).toBe(200)
  })

  it('lead to 500 without details during a read, with the cause in the log, and the next read succeeds', async () => {
    const { server, proxy } = await startBehind(['data'])
    const key = await newKey()
    const answer = await whileLocked(
      'resources',
      () => server.get(PATH, key, { 'x-request-id': 'cut-read' }),
      () => cut(proxy),
    )
    expect(errorOf(answer)).toEqual(SERVER_ERROR)
    expect(answer.headers).not.toHaveProperty('retry-after')
    const failures = server.log.filter(({ requestId, level }) => requestId === 'cut-read' && level === 50)
    expect(failures).toMatchObject([
      { code: 'server_error', company: 'co_1', err: { message: expect.any(String) as string } },
    ])
    expect((await server.get(PATH, key)).status).toBe(200)
  })

  it('lead to 500 during a creation with an idempotency key, and a retry creates one task', async () => {
    const { server, proxy } = await startBehind(['data'])
    const headers = {
      'x-api-key': await newKey(),
      'content-type': 'application/json',
      'idempotency-key': 'cut-in-the-middle',
    }
    const body = JSON.stringify({ eventId: 'evt_1', description: 'Cut with a key' })
    const create = () => server.call('/api/task/create', { method: 'POST', headers, body })
    const answer = await whileLocked('tasks', create, () => cut(proxy))
    expect(errorOf(answer)).toEqual(inShape('error', SERVER_ERROR))
    expect((await create()).status).toBe(201)
    expect((await create()).headers['idempotent-replayed']).toBe('true')
  })

  it('lead to 500 in the shape of the endpoint during a creation, and the next creation succeeds', async () => {
    const { server, proxy } = await startBehind(['data'])
    const headers = { 'x-api-key': await newKey(), 'content-type': 'application/json' }
    const body = JSON.stringify({ eventId: 'evt_1', description: 'Cut in the middle' })
    const create = () => server.call('/api/task/create', { method: 'POST', headers, body })
    const answer = await whileLocked('tasks', create, () => cut(proxy))
    expect(errorOf(answer)).toEqual(inShape('error', SERVER_ERROR))
    expect((await create()).status).toBe(201)
  })
})

describe('A8: a process without CPU time', () => {
  it.each([1_500, 4_000])('for %i ms during the lookup of a key does not respond with 503', async (ms) => {
    const { server, keys } = await startBehind([])
    const key = await newKey()
    // The result of the lookup arrives while this thread is blocked.
    keys.once('acquire', () =>
      setImmediate(() => {
        blockThread(ms)
      }),
    )
    expect((await server.get(PATH, key)).status).toBe(200)
  })
})

describe('A8: separate pools', () => {
  it('authentication and readiness work while all data connections are busy', async () => {
    const { server, data } = await startBehind([])
    const taken = await Promise.all(Array.from({ length: data.options.max }, () => data.connect()))
    const waiting = server.get(PATH, await newKey())
    await vi.waitFor(() => expect(data.waitingCount).toBe(1), 4000)
    expect(errorOf(await server.get(PATH, 'key-that-is-unknown'))).toEqual(DENIED)
    expect((await server.call('/readyz')).status).toBe(200)
    for (const client of taken) client.release()
    expect((await waiting).status).toBe(200)
  })
})
