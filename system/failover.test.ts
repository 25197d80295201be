/** DATABASE_URL with two servers: a primary that is lost, and a standby that is promoted. */
import { describe, expect, it, vi } from 'vitest'
import { openPool, withClient } from '../src/db/connect.ts'
import { openDatabase } from '../src/db/open.ts'
import { freePort } from '../test/support/command.ts'
import { connectionUrl } from '../test/support/connections.ts'
import { startProxy } from '../test/support/database-proxy.ts'
import { runCommand, startCommand } from '../test/support/process.ts'
import { KEY, plant } from '../test/support/quotes.ts'
import { insertCompany, insertResource } from '../test/support/records.ts'
import { startReplication } from '../test/support/standby.ts'

const { primary, standby, killPrimary } = await startReplication()
/** The service checks through this proxy whether the standby accepts writes. Reads go to the standby directly. */
const proxy = await startProxy(standby)
const [first, second] = [primary, proxy.connection].map((one) => new URL(connectionUrl(one)).host)
/** The standby comes first, because the order does not matter. */
const DATABASE_URL = connectionUrl(primary).replace(first ?? '', `${second},${first}`)
const settings = {
  DATABASE_URL,
  DATABASE_REPLICA_URL: [primary, standby].map(connectionUrl).join(','),
  APP_SECRET: 'a secret of thirty-two characters',
}

const data = openPool(primary, 'data', () => undefined)
await insertCompany(data, 'co_1', { key: KEY })
await insertResource(data, 'co_1', 'res_1', { name: 'Bar' })
await plant(data, 'events', 'co_1', 'evt_1')
await data.end()

const port = await freePort()
const serving = startCommand(['serve'], { ...settings, PORT: String(port) })
const headers = { 'x-api-key': KEY, 'content-type': 'application/json' }
const read = () => fetch(`http://127.0.0.1:${port}/api/resources/res_1`, { headers })
const create = (description: string) =>
  fetch(`http://127.0.0.1:${port}/api/tasks`, {
    method: 'POST',
    headers: { ...headers, 'idempotency-key': description },
    body: JSON.stringify({ eventId: 'evt_1', description }),
  })
const becomes = (status: number, send: () => Promise<Response>) =>
  vi.waitFor(async () => expect((await send()).status).toBe(status), { timeout: 30_000, interval: 100 })

/** A time of the standby in seconds */
const onStandby = async (time: string) =>
  withClient(standby, async (client) => {
    const { rows } = await client.query<{ at: number | null }>(
      `SELECT extract(epoch FROM ${time})::float8 AS at`,
    )
    return rows[0]?.at ?? 0
  })
const now = () => onStandby('clock_timestamp()')
/** When the service last checked the replica, which it does every second. */
const lastCheck = () =>
  onStandby(`(SELECT max(query_start) FROM pg_stat_activity
    WHERE query LIKE '%pg_last_wal_replay_lsn%' AND state = 'idle' AND pid <> pg_backend_pid())`)

describe('a database of two servers', () => {
  it('is written on the server that accepts writes, in any order of the URL', async () => {
    await becomes(200, read)
    await becomes(201, () => create('first'))
    // Replicas are checked every second.
    await expect.poll(() => serving.stdout() + serving.stderr()).toContain('reads go to the replica')
  })

  it('is read from the standby while the primary is lost, without writes', async () => {
    await killPrimary()
    for (let i = 0; i < 20; i++) {
      expect((await read()).status).toBe(200)
      // Cached keys are accepted, so this is not an authentication error.
      expect((await create('second')).status).toBe(500)
    }
  })

  it('is written on the promoted standby by the running process and by commands', async () => {
    // The service notices the promotion later.
    await proxy.refuse()
    await withClient(standby, (client) => client.query('SELECT pg_promote()'))
    const promotedAt = await now()
    const statuses = new Set<number>()
    const noticed = new AbortController()
    const reads = (async () => {
      while (!noticed.signal.aborted) statuses.add((await read()).status)
    })()
    await vi.waitFor(async () => expect(await lastCheck()).toBeGreaterThan(promotedAt), { timeout: 10_000 })
    expect((await create('second')).status).toBe(500)
    await proxy.forward()
    await becomes(201, () => create('second'))
    noticed.abort()
    await reads
    expect([...statuses]).toEqual([200])
    const made = await runCommand(['keys', 'create', '--company', 'co_1', '--name', 'Second'], settings)
    expect(made).toMatchObject({ status: 0 })
    const { rows } = await withClient(standby, (client) =>
      client.query<{ description: string }>('SELECT description FROM tasks ORDER BY description'),
    )
    expect(rows.map(({ description }) => description)).toEqual(['first', 'second'])
  })

  it('does not acknowledge a commit that its synchronous standby did not receive', async () => {
    const set = (names: string) =>
      withClient(standby, async (client) => {
        await client.query(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`)
        await client.query('SELECT pg_reload_conf()')
      })
    const { connection, stop } = await openDatabase(
      { databaseUrl: DATABASE_URL, dataDir: '' },
      () => undefined,
    )
    await set('nobody')
    try {
      const write = withClient(connection, async (client) => {
        await vi.waitFor(async () => {
          const { rows } = await client.query('SHOW synchronous_standby_names')
          expect(rows).toEqual([{ synchronous_standby_names: 'nobody' }])
        })
        await client.query(`UPDATE resources SET name = 'Not replicated'`)
      })
      write.catch(() => undefined)
      // PostgreSQL stops waiting, keeps the change, and reports success with a warning.
      await vi.waitFor(async () => {
        const { rowCount } = await withClient(standby, (client) =>
          client.query(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`),
        )
        expect(rowCount).toBe(1)
      }, 10_000)
      await expect(write).rejects.toThrow('the commit was not replicated')
    } finally {
      await set('')
      await stop()
    }
  })
})
