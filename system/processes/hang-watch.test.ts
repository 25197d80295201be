/** Detection of a database that hangs (database-hang.test.ts: effect on a real process). */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Pool } from 'pg'
import { describe, expect, it } from 'vitest'
import { openPool } from '../../src/db/connect.ts'
import type { Connection } from '../../src/db/connect.ts'
import { watchForHangs } from '../../src/db/hang-watch.ts'
import { openReplicas } from '../../src/db/replica.ts'
import { atEnd } from '../../test/support/at-end.ts'
import { createDatabase } from '../../test/support/database.ts'
import { blockThread } from '../../test/support/block-thread.ts'
import { startProxy } from '../../test/support/database-proxy.ts'

const { connection } = await createDatabase()

/** A watch that sends its checks on a separate connection, and a statement that takes four seconds. */
function watch(
  primary: Connection,
  run: (data: Pool) => Promise<unknown> = (data) => data.query('SELECT pg_sleep(4)'),
) {
  const data = openPool(connection, 'data', () => undefined)
  const warnings: object[] = []
  const watching = watchForHangs({
    pools: [data],
    primary,
    log: { warn: (details) => warnings.push(details) },
  })
  atEnd(async () => {
    await watching.stop()
    await data.end()
  })
  const work = run(data).then(
    () => 'done',
    () => 'cut',
  )
  return { warnings, work }
}

describe('the watch for hangs', () => {
  it('does not report a connection that is slow to open', async () => {
    const proxy = await startProxy(connection)
    proxy.delayConnections(1_400)
    const { warnings, work } = watch(proxy.connection)
    expect(await work).toBe('done')
    expect(warnings).toEqual([])
  })

  it('reports a connection that never opens', async () => {
    const proxy = await startProxy(connection)
    proxy.hang()
    const { warnings, work } = watch(proxy.connection)
    expect(await work).toBe('cut')
    expect(warnings).toHaveLength(1)
  })

  it('checks again on another connection, because a pooler can delay the first check', async () => {
    const proxy = await startProxy(connection)
    const { warnings, work } = watch({ ...proxy.connection, pooler: 'transaction' })
    await expect.poll(proxy.countChecks).toBeGreaterThan(0)
    proxy.holdResponses()
    expect(await work).toBe('done')
    expect(warnings).toEqual([])

    const hung = await startProxy(connection)
    const after = watch({ ...hung.connection, pooler: 'transaction' })
    await expect.poll(hung.countChecks).toBeGreaterThan(0)
    hung.hang()
    expect(await after.work).toBe('cut')
    expect(after.warnings).toHaveLength(1)
  })
})

describe('a database that hangs', () => {
  it('fails statements that wait for an idle or new connection, and notifies listeners first', async () => {
    const proxy = await startProxy(connection)
    const data = openPool(proxy.connection, 'data', () => undefined, 1)
    const events: string[] = []
    const watching = watchForHangs({
      pools: [data],
      primary: proxy.connection,
      log: { warn: () => undefined },
    })
    watching.onHang(() => events.push('hang'))
    atEnd(async () => {
      await watching.stop()
      await data.end()
    })
    await data.query('SELECT 1')
    await expect.poll(proxy.countChecks).toBe(2)
    proxy.hang()
    const query = (name: string) => data.query('SELECT 1').catch(() => events.push(name))
    // One uses the connection, the others wait for it.
    await Promise.all([query('sent'), query('waiting'), data.connect().catch(() => events.push('waiting'))])
    expect(events[0]).toBe('hang')
    expect(events.toSorted()).toEqual(['hang', 'sent', 'waiting', 'waiting'])
    // The next connection does not open.
    await query('opening')
    expect(events.slice(4)).toEqual(['hang', 'opening'])
    await proxy.forward()
    expect((await data.query('SELECT 1')).rowCount).toBe(1)
  })

  it('is distinguished from a slow one: no statement fails while others get responses', async () => {
    const proxy = await startProxy(connection)
    const { warnings, work } = watch(proxy.connection, async (data) => {
      const until = performance.now() + 3_500
      while (performance.now() < until) await data.query('SELECT pg_sleep(0.1)')
    })
    proxy.hang()
    expect(await work).toBe('done')
    expect(warnings).toEqual([])
  })
})

/** The connections that have sent a check since then. */
const CHECKS_SINCE = `SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND query LIKE '%pg_last_wal_replay_lsn%' AND pid <> pg_backend_pid() AND query_start > $1`

describe('the check of a replica', () => {
  it('reads responses that arrived while this process was busy before it reports a missing response', async () => {
    const data = openPool(connection, 'data', () => undefined)
    const reasons: unknown[] = []
    const note = (details: object) => reasons.push(details)
    const replicas = openReplicas({
      data,
      primary: connection,
      replicas: [connection],
      connections: undefined,
      lagMaxSeconds: 10,
      log: { info: note, warn: note },
    })
    atEnd(async () => {
      await replicas.stop()
      await data.end()
    })
    await expect.poll(() => reasons.length).toBeGreaterThan(0)
    // The first block makes a check due. The next ones begin after a check was sent.
    for (let turn = 0; turn < 5; turn++) {
      await nextTurn()
      blockThread(1_200)
    }
    const { rows: times } = await data.query<{ now: string }>('SELECT clock_timestamp() AS now')
    // Primary and replica are checked in turn, so after two more checks the last response was read.
    await expect.poll(async () => (await data.query(CHECKS_SINCE, [times[0]?.now])).rowCount).toBe(2)
    // The only reason is that the replica is the primary.
    expect(reasons).toEqual([{ replica: 'replica_1', reason: 'it is not a standby' }])
  })
})
