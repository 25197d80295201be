import { describe, expect, it } from 'vitest'
import { openPool } from '../src/db/connect.ts'
import { atEnd } from './support/at-end.ts'
import { createDatabase, takeAllClients } from './support/database.ts'
import { WRONG_METHOD, errorOf } from './support/errors.ts'
import { startProxy } from './support/database-proxy.ts'
import { insertCompany, insertResource } from './support/records.ts'
import { startServer } from './support/server.ts'
import type { TestServer } from './support/server.ts'

const KEY = 'key-of-the-first-company'
const { pool, connection } = await createDatabase()
const proxy = await startProxy(connection)
const server = await startServer(proxy.connection)
await insertCompany(pool, 'co_1', { key: KEY })
await insertResource(pool, 'co_1', 'res_1')

/** The values of one metric by their labels, such as `method="GET",route="/docs",status="200"`. */
async function metric(on: TestServer, name: string): Promise<Record<string, number>> {
  const { text } = await on.call('/metrics')
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`))
  return Object.fromEntries(
    lines.map((line) => [line.slice(line.indexOf('{') + 1, line.indexOf('}')), Number(line.split('} ')[1])]),
  )
}

describe('D4: /healthz', () => {
  it('responds with 200 while the process runs, without a key', async () => {
    const answer = await server.call('/healthz')
    expect([answer.status, answer.body]).toEqual([200, { status: 'ok' }])
  })

  it('responds with 200 while the database is unavailable', async () => {
    await proxy.refuse()
    expect((await server.call('/healthz')).status).toBe(200)
    await proxy.forward()
  })
})

describe('D4: /readyz', () => {
  it('responds with 200 when the database answers, without a key', async () => {
    const answer = await server.call('/readyz')
    expect([answer.status, answer.body]).toEqual([200, { status: 'ready' }])
  })

  it.each(['refuse', 'hang'] as const)(
    'responds with 503 while connections %s, then with 200',
    async (how) => {
      await proxy[how]()
      const answer = await server.call('/readyz')
      expect([answer.status, answer.body]).toEqual([503, { status: 'unavailable' }])
      await proxy.forward()
      await expect.poll(async () => (await server.call('/readyz')).status).toBe(200)
    },
  )

  it('responds with 503 until the schema is migrated', async () => {
    let migrated = false
    const starting = await startServer(connection, { isMigrated: () => migrated })
    expect((await starting.call('/readyz')).status).toBe(503)
    migrated = true
    expect((await starting.call('/readyz')).status).toBe(200)
  })
})

describe('D4: /metrics', () => {
  it('returns Prometheus text, without a key', async () => {
    const answer = await server.call('/metrics')
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
    for (const line of answer.text.trim().split('\n')) {
      expect(line).toMatch(
        /^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? (-?[0-9.]+(e[-+]\d+)?|NaN))?$/,
      )
    }
  })

  it('counts requests with their durations by method, route and status', async () => {
    const counted = await startServer(connection)
    for (const path of ['/api/resources', '/api/resources?limit=5', '/api/resources?limit=0'])
      await counted.get(path, KEY)
    for (const id of ['res_1', 'unknown', 'a%2Fb', '%zz']) await counted.get(`/api/resources/${id}`, KEY)
    await counted.call('/api/resources/res_1', { method: 'HEAD', headers: { 'x-api-key': KEY } })
    await counted.call('/api/staff/1')
    for (const path of ['/nowhere', '/api/nowhere', '/api/resources/', `/x/${KEY}`])
      await counted.get(path, KEY)
    await counted.call('/api/resources', { method: 'POST' })
    await counted.call('/healthz')
    expect(await metric(counted, 'http_request_duration_seconds_count')).toEqual({
      'method="GET",route="/api/resources",status="200"': 2,
      'method="GET",route="/api/resources",status="400"': 1,
      'method="GET",route="/api/resources/:id",status="200"': 1,
      'method="GET",route="/api/resources/:id",status="404"': 3,
      'method="HEAD",route="/api/resources/:id",status="200"': 1,
      'method="GET",route="/api/staff/:id",status="401"': 1,
      'method="GET",route="unknown",status="404"': 4,
      'method="POST",route="unknown",status="405"': 1,
      'method="GET",route="/healthz",status="200"': 1,
    })
    const sums = await metric(counted, 'http_request_duration_seconds_sum')
    const logged = counted.log.filter(({ route, status }) => route === '/api/resources' && status === 200)
    const seconds = logged.reduce((sum, { durationMs }) => sum + Number(durationMs) / 1_000, 0)
    expect(seconds).toBeGreaterThan(0)
    // The log has whole microseconds.
    expect(sums['method="GET",route="/api/resources",status="200"']).toBeCloseTo(seconds, 5)
    const buckets = await metric(counted, 'http_request_duration_seconds_bucket')
    expect(buckets['le="+Inf",method="GET",route="/api/resources",status="200"']).toBe(2)
  })

  it('shows busy, idle and waiting connections of each pool', async () => {
    const keys = openPool(connection, 'keys', () => undefined)
    atEnd(() => keys.end())
    const watched = await startServer(connection, { keys })
    await watched.get('/api/resources', KEY)
    const atRest = await metric(watched, 'db_pool_connections')
    expect(atRest).toEqual({
      'pool="data",state="busy"': 0,
      'pool="data",state="idle"': 1,
      'pool="data",state="waiting"': 0,
      'pool="keys",state="busy"': 0,
      'pool="keys",state="idle"': 1,
      'pool="keys",state="waiting"': 0,
      'pool="console",state="busy"': 0,
      'pool="console",state="idle"': 0,
      'pool="console",state="waiting"': 0,
      'pool="reports",state="busy"': 0,
      'pool="reports",state="idle"': 0,
      'pool="reports",state="waiting"': 0,
    })
    const taken = await takeAllClients(keys)
    const waiting = watched.get('/api/resources', 'key-that-is-unknown')
    await expect
      .poll(async () => (await metric(watched, 'db_pool_connections'))['pool="keys",state="waiting"'])
      .toBe(1)
    expect(await metric(watched, 'db_pool_connections')).toMatchObject({
      'pool="keys",state="busy"': keys.options.max,
      'pool="keys",state="idle"': 0,
    })
    for (const client of taken) client.release()
    expect((await waiting).status).toBe(401)
  })

  it('shows memory, event loop lag and CPU of the process', async () => {
    const { text } = await server.call('/metrics')
    for (const name of [
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_seconds',
      'process_cpu_seconds_total',
    ]) {
      expect(text).toContain(`\n${name} `)
    }
  })
})

describe('D4: probes', () => {
  it.each(['/healthz', '/readyz', '/metrics'])('%s supports GET and HEAD only', async (path) => {
    expect((await server.call(path, { method: 'HEAD' })).status).toBe(200)
    expect(errorOf(await server.call(path, { method: 'POST' }))).toEqual(WRONG_METHOD)
  })

  it.each(['/api/healthz', '/api/readyz', '/api/metrics'])(
    '%s does not exist: they are outside /api',
    async (path) => {
      expect((await server.get(path, KEY)).status).toBe(404)
    },
  )
})
