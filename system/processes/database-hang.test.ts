/** A database that accepts statements and never responds, like a frozen machine (`npm run torture` freezes a real one). */
import { describe, expect, it } from 'vitest'
import { withClient } from '../../src/db/connect.ts'
import { waitUntilBlocked } from '../../test/support/blocked.ts'
import { connectionUrl } from '../../test/support/connections.ts'
import { createDatabase } from '../../test/support/database.ts'
import { startProxy } from '../../test/support/database-proxy.ts'
import { startCommand } from '../../test/support/process.ts'
import { insertCompany, insertResource } from '../../test/support/records.ts'

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

async function statusOf(pending: Promise<Response>): Promise<number> {
  const answer = await pending
  await answer.arrayBuffer()
  return answer.status
}

const read = () => statusOf(fetch(`${url}/api/resources`, { headers: { 'x-api-key': KEY } }))

const signIn = () =>
  statusOf(
    fetch(`${url}/console/session`, {
      method: 'POST',
      headers: { origin: url, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'unknown@nowhere.example', password: 'a wrong password' }),
    }),
  )

describe('a database that hangs', () => {
  it('leads to errors while it hangs, and is used again as soon as it responds', async () => {
    expect(await read()).toBe(200)
    expect(await signIn()).toBe(401)
    proxy.hang()
    // The key is still cached, so some requests reach the data and the others wait in the queue.
    const pending = [...Array.from({ length: 12 }, read), ...Array.from({ length: 4 }, signIn)]
    const answers = await Promise.all(pending)
    expect(new Set(answers)).toEqual(new Set([500, 503]))
    expect(await read()).toBe(503)
    expect(serving.stderr()).toContain('the database hangs')

    await proxy.forward()
    const after = await Promise.all(Array.from({ length: 12 }, read))
    expect(after).toEqual(after.map(() => 200))
    const metrics = await (await fetch(`${url}/metrics`)).text()
    expect(metrics).toContain('db_pool_connections{pool="data",state="busy"} 0')
    expect(metrics).toContain('db_pool_connections{pool="data",state="waiting"} 0')
  })

  it('is distinguished from a slow one: a statement keeps waiting for a lock', async () => {
    const answer = await withClient(connection, async (client) => {
      await client.query('BEGIN; LOCK TABLE resources IN ACCESS EXCLUSIVE MODE')
      const pending = read()
      await waitUntilBlocked(pool)
      // The watch gets several successful checks.
      const before = proxy.countChecks()
      await expect.poll(proxy.countChecks, { timeout: 30_000 }).toBeGreaterThan(before + 6)
      await client.query('ROLLBACK')
      return pending
    })
    expect(answer).toBe(200)
  })
})
