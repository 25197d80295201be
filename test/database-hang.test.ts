/** A database that takes everything and answers nothing, as a frozen machine does (npm run torture freezes a real one). */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { withClient } from '../src/db/connect.ts'
import { connectionUrl } from './support/connections.ts'
import { createDatabase } from './support/database.ts'
import { startProxy } from './support/database-proxy.ts'
import { startCommand } from './support/process.ts'
import { insertCompany, insertResource } from './support/records.ts'

const KEY = 'key-of-the-first-company'
const { pool, connection } = await createDatabase()
await insertCompany(pool, 'co_1', { key: KEY })
await insertResource(pool, 'co_1', 'res_1')
const proxy = await startProxy(connection)
const serving = startCommand(['serve'], {
  DATABASE_URL: connectionUrl(proxy.connection),
  APP_SECRET: 'a secret of thirty-two characters',
  PORT: '0',
  LOG_LEVEL: 'warn',
})
const [, url = ''] = await serving.waitFor(/API at (\S+)\/api/)

async function timed(asked: Promise<Response>): Promise<{ status: number; ms: number }> {
  const started = performance.now()
  const answer = await asked
  await answer.arrayBuffer()
  return { status: answer.status, ms: performance.now() - started }
}

const read = () => timed(fetch(`${url}/api/resources`, { headers: { 'x-api-key': KEY } }))

const signIn = () =>
  timed(
    fetch(`${url}/console/session`, {
      method: 'POST',
      headers: { origin: url, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'nobody@nowhere.example', password: 'a wrong password' }),
    }),
  )

describe('a database that hangs', () => {
  it('has every request answered within 3 seconds, and is used again as soon as it goes on', async () => {
    expect((await read()).status).toBe(200)
    expect((await signIn()).status).toBe(401)
    proxy.hang()
    // The key is still cached: some requests get as far as the data, the others wait in the queue.
    const asked = [...Array.from({ length: 12 }, read), ...Array.from({ length: 4 }, signIn)]
    const answers = await Promise.all(asked)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([500, 503]))
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(3_000)
    const later = await read()
    expect(later.status).toBe(503)
    expect(later.ms).toBeLessThan(2_000)
    expect(serving.stderr()).toContain('the database hangs')

    await proxy.forward()
    const after = await Promise.all(Array.from({ length: 12 }, read))
    expect(after.map(({ status }) => status)).toEqual(after.map(() => 200))
    const metrics = await (await fetch(`${url}/metrics`)).text()
    expect(metrics).toContain('db_pool_connections{pool="data",state="busy"} 0')
    expect(metrics).toContain('db_pool_connections{pool="data",state="waiting"} 0')
  })

  it('is told from one that is slow: a statement that waits for a lock is left to wait', async () => {
    const answer = await withClient(connection, async (client) => {
      await client.query('BEGIN; LOCK TABLE resources IN ACCESS EXCLUSIVE MODE')
      const asked = read()
      await sleep(3_500)
      await client.query('ROLLBACK')
      return asked
    })
    expect(answer.status).toBe(200)
    expect(answer.ms).toBeGreaterThan(3_000)
  })
})
