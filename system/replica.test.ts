/** DATABASE_REPLICA_URL with a real primary and streaming standby. */
import { describe, expect, it, vi } from 'vitest'
import { sql } from '../src/db/sql.ts'
import { run } from '../src/db/statement.ts'
import { openPool } from '../src/db/connect.ts'
import type { Connection } from '../src/db/connect.ts'
import { createHistory, openReplicas, whyLeftOut } from '../src/db/replica.ts'
import { atEnd } from '../test/support/at-end.ts'
import { connectionUrl, onDatabase } from '../test/support/connections.ts'
import { startProxy } from '../test/support/database-proxy.ts'
import { freePort } from '../test/support/command.ts'
import { startCommand } from '../test/support/process.ts'
import { KEY, plant } from '../test/support/quotes.ts'
import { insertCompany, insertKey, insertResource } from '../test/support/records.ts'
import { startServer } from '../test/support/server.ts'
import { startReplication } from '../test/support/standby.ts'

const LAG_MAX_SECONDS = 2
const PATH = '/api/resources/res_1'

const { primary, standby, killStandby, startStandby } = await startReplication()
const onPrimary = openPool(primary, 'data', () => undefined)
const onStandby = openPool(standby, 'data', () => undefined)
atEnd(() => Promise.all([onPrimary.end(), onStandby.end()]))

await insertCompany(onPrimary, 'co_1', { key: KEY })
await insertResource(onPrimary, 'co_1', 'res_1', { name: 'At first' })
await plant(onPrimary, 'events', 'co_1', 'evt_1')

/** A server that reads from these replicas. */
async function startReading(...replicaConnections: Connection[]) {
  const data = openPool(primary, 'data', () => undefined)
  const lines: { message: string; details: Record<string, unknown> }[] = []
  const log = (details: object, message: string) =>
    void lines.push({ message, details: details as Record<string, unknown> })
  const replicas = openReplicas({
    connections: undefined,
    data,
    primary,
    replicas: replicaConnections,
    lagMaxSeconds: LAG_MAX_SECONDS,
    log: { info: log, warn: log },
  })
  atEnd(() => Promise.all([replicas.stop(), data.end()]))
  const server = await startServer(primary, { data, replicas })
  const untilUsed = (used = true) =>
    vi.waitFor(() => expect(replicas.list.map((replica) => replica.isInUse())).toContain(used), 20_000)
  return { server, replicas, data, lines, untilUsed }
}

const reading = await startReading(standby)
await reading.untilUsed()

const nameAt = async (key = KEY) => ((await reading.server.get(PATH, key)).body as { name: string }).name
const rename = (name: string) => onPrimary.query(`UPDATE resources SET name = $1 WHERE id = 'res_1'`, [name])
const isOnStandby = (name: string) =>
  vi.waitFor(async () => {
    const found = await onStandby.query(`SELECT FROM resources WHERE id = 'res_1' AND name = $1`, [name])
    expect(found.rowCount).toBe(1)
  }, 10_000)

/** Runs the work while the standby receives changes without replaying them. */
async function whilePaused(work: () => Promise<void>): Promise<void> {
  await onStandby.query('SELECT pg_wal_replay_pause()')
  await vi.waitFor(async () => {
    const { rows } = await onStandby.query<{ state: string }>(
      'SELECT pg_get_wal_replay_pause_state() AS state',
    )
    expect(rows[0]?.state).toBe('paused')
  }, 10_000)
  try {
    await work()
  } finally {
    await onStandby.query('SELECT pg_wal_replay_resume()')
  }
}

/** Runs the work while the standby has no connection to the primary. */
async function whileCutOff(work: () => Promise<void>): Promise<void> {
  const connectTo = async (primaryConninfo: string) => {
    const { rows } = await onStandby.query<{ before: string }>(
      `SELECT current_setting('primary_conninfo') AS before`,
    )
    await onStandby.query(`ALTER SYSTEM SET primary_conninfo = '${primaryConninfo.replaceAll("'", "''")}'`)
    await onStandby.query('SELECT pg_reload_conf()')
    return rows[0]?.before ?? ''
  }
  const before = await connectTo('')
  await vi.waitFor(async () => {
    expect((await onStandby.query('SELECT FROM pg_stat_wal_receiver')).rowCount).toBe(0)
  }, 10_000)
  try {
    await work()
  } finally {
    await connectTo(before)
  }
}

const createTask = (headers: Record<string, string> = {}) =>
  reading.server.call('/api/task/create', {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ eventId: 'evt_1', description: 'Load the van' }),
  })

/** Sends concurrent requests until it is ended. Returns the statuses other than 200. */
function startLoad(server = reading.server) {
  const ending = new AbortController()
  const statuses: number[] = []
  const ask = async () => {
    while (!ending.signal.aborted) {
      statuses.push((await server.get(PATH, KEY)).status)
    }
  }
  const asking = Promise.all(Array.from({ length: 8 }, ask))
  return {
    count: () => statuses.length,
    end: async () => {
      ending.abort()
      await asking
      return statuses.filter((status) => status !== 200)
    },
  }
}

describe('a replica in use', () => {
  it.each([
    ['replays', whilePaused],
    ['receives', whileCutOff],
  ])(
    'that no longer %s serves reads up to the maximum lag, then the primary does until it has caught up',
    async (what, whileItLags) => {
      await rename(`Before it no longer ${what}`)
      await isOnStandby(`Before it no longer ${what}`)
      await reading.untilUsed()
      await whileItLags(async () => {
        await rename(`While it no longer ${what}`)
        expect(await nameAt()).toBe(`Before it no longer ${what}`)
        await vi.waitFor(async () => expect(await nameAt()).toBe(`While it no longer ${what}`), {
          timeout: 10_000,
          interval: 50,
        })
        expect(reading.replicas.list[0]?.isInUse()).toBe(false)
        expect(reading.lines.at(-1)).toMatchObject({
          message: 'the replica is left out',
          details: { replica: 'replica_1', reason: 'it lags behind the primary' },
        })
      })
      await reading.untilUsed()
      expect(reading.lines.at(-1)).toMatchObject({
        message: 'reads go to the replica',
        details: { replica: 'replica_1' },
      })
      expect(await nameAt()).toBe(`While it no longer ${what}`)
    },
  )

  it('gets no writes: the primary creates a task once per idempotency key', async () => {
    await whilePaused(async () => {
      expect((await createTask()).status).toBe(201)
      const first = await createTask({ 'idempotency-key': 'once' })
      const second = await createTask({ 'idempotency-key': 'once' })
      expect([first.status, second.text]).toEqual([201, first.text])
      expect(second.headers['idempotent-replayed']).toBe('true')
      const { rowCount } = await onPrimary.query(`SELECT FROM tasks WHERE event_id = 'evt_1'`)
      expect(rowCount).toBe(2)
    })
  })

  it('is not used for keys: new and revoked keys take effect immediately', async () => {
    await reading.untilUsed()
    await whilePaused(async () => {
      await insertKey(onPrimary, 'co_1', 'key-that-the-standby-does-not-know', { id: 'key_new' })
      const get = () => reading.server.get(PATH, 'key-that-the-standby-does-not-know')
      expect((await get()).status).toBe(200)
      await onPrimary.query(`UPDATE api_keys SET revoked_at = now() WHERE id = 'key_new'`)
      await expect.poll(async () => (await get()).status).toBe(401)
    })
  })

  it('can be killed under load without failed requests, and is used again when it is back', async () => {
    await reading.untilUsed()
    const load = startLoad()
    await vi.waitFor(() => expect(load.count()).toBeGreaterThan(50), 10_000)
    await killStandby()
    await reading.untilUsed(false)
    const before = load.count()
    await vi.waitFor(() => expect(load.count()).toBeGreaterThan(before + 50), 10_000)
    await startStandby()
    await reading.untilUsed()
    expect(await load.end()).toEqual([])
    await rename('Back')
    await isOnStandby('Back')
    expect(await nameAt()).toBe('Back')
  })

  it('that cancels a read because of a conflict with the primary leaves it to the primary', async () => {
    await reading.untilUsed()
    const asked = reading.replicas.read(async (db) => {
      const { rows } = await run<{ standby: boolean }>(
        db,
        sql`SELECT pg_is_in_recovery() AS standby, pg_sleep(1) FROM resources`,
      )
      return rows[0]?.standby
    })
    await vi.waitFor(async () => {
      const waiting = await onStandby.query(`SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'`)
      expect(waiting.rowCount).toBe(1)
    }, 5000)
    await onPrimary.query('BEGIN; LOCK TABLE resources IN ACCESS EXCLUSIVE MODE; COMMIT')
    expect(await asked).toBe(false)
    expect(reading.lines.at(-1)?.details['err']).toMatchObject({ code: '40001' })
  })

  it('returns errors that the primary would also return', async () => {
    const error = new Error('Query read timeout')
    const work = vi.fn<() => Promise<never>>(() => Promise.reject(error))
    await expect(reading.replicas.read(work)).rejects.toBe(error)
    expect(work).toHaveBeenCalledOnce()
  })

  it('is in the metrics with its connections', async () => {
    await reading.untilUsed()
    const { text } = await reading.server.call('/metrics')
    expect(text).toContain('db_replica_in_use{replica="replica_1"} 1')
    expect(text).toMatch(/db_pool_connections\{pool="replica_1",state="idle"\} [1-9]/)
  })
})

describe('several replicas', () => {
  it('are read in turn, and one that hangs delays requests only briefly', async () => {
    const proxy = await startProxy(standby)
    const both = await startReading(proxy.connection, standby)
    await vi.waitFor(
      () => expect(both.replicas.list.every((replica) => replica.isInUse())).toBe(true),
      10_000,
    )
    const load = startLoad(both.server)
    await vi.waitFor(
      () => expect(both.replicas.list.every(({ pool }) => pool.totalCount > 0)).toBe(true),
      10_000,
    )
    expect(both.data.totalCount).toBe(0)
    proxy.hang()
    await both.untilUsed(false)
    const before = load.count()
    await vi.waitFor(() => expect(load.count()).toBeGreaterThan(before + 50), 10_000)
    expect(await load.end()).toEqual([])
    await proxy.forward()
    await vi.waitFor(
      () => expect(both.replicas.list.every((replica) => replica.isInUse())).toBe(true),
      10_000,
    )
  })

  it('are excluded if they are not a standby, a standby of another database, or unreachable', async () => {
    const nowhere = { connectionString: `postgres://quoting@127.0.0.1:${await freePort()}/quoting` }
    const { server, lines } = await startReading(primary, onDatabase(standby, 'postgres'), nowhere)
    await vi.waitFor(() => expect(lines.length).toBe(3), 10_000)
    expect(
      new Set(lines.map(({ details }) => `${String(details['replica'])}: ${String(details['reason'])}`)),
    ).toEqual(
      new Set([
        'replica_1: it is not a standby',
        'replica_2: it is a standby of another database',
        'replica_3: it does not answer',
      ]),
    )
    expect((await server.get(PATH, KEY)).status).toBe(200)
  })
})

describe('the lag of a replica', () => {
  const isAt = (position: bigint) => ({ isStandby: true, identity: 'server/quoting', position })
  const history = createHistory(5_000)

  it('is too large before the position of the primary is known', () => {
    expect(whyLeftOut(isAt(100n), history, 1_000)).toBe('it lags behind the primary')
  })

  it('is the time since the primary was at the position of the replica', () => {
    for (const [at, position] of [
      [1_000, 100n],
      [2_000, 200n],
      [3_000, 200n],
      [4_000, 300n],
    ] as const) {
      history.note({ ...isAt(position), isStandby: false }, at)
    }
    expect(whyLeftOut(isAt(99n), history, 4_000)).not.toBe(null)
    expect(whyLeftOut(isAt(100n), history, 6_000)).toBe(null)
    expect(whyLeftOut(isAt(100n), history, 6_001)).not.toBe(null)
    expect(whyLeftOut(isAt(299n), history, 8_000)).toBe(null)
    expect(whyLeftOut(isAt(299n), history, 8_001)).not.toBe(null)
  })

  it('grows while the primary does not report its position', () => {
    expect(whyLeftOut(isAt(300n), history, 9_000)).toBe(null)
    expect(whyLeftOut(isAt(300n), history, 9_001)).not.toBe(null)
  })
})

describe('quoting serve', () => {
  it('reads from DATABASE_REPLICA_URL', async () => {
    const port = await freePort()
    const serving = startCommand(['serve'], {
      PORT: String(port),
      DATABASE_URL: connectionUrl(primary),
      DATABASE_REPLICA_URL: connectionUrl(standby),
      REPLICA_LAG_MAX_SECONDS: '3600',
      APP_SECRET: 'a secret of thirty-two characters',
    })
    await serving.waitFor(/API at/)
    await vi.waitFor(() => expect(serving.stderr()).toContain('reads go to the replica'), 10_000)
    await rename('Old')
    await isOnStandby('Old')
    await whilePaused(async () => {
      await rename('New')
      const answer = await fetch(`http://127.0.0.1:${port}${PATH}`, { headers: { 'x-api-key': KEY } })
      expect(await answer.json()).toMatchObject({ name: 'Old' })
    })
    serving.kill('SIGTERM')
    expect(await serving.ended).toBe(0)
  })
})
