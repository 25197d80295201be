/** What is a hang of the database and what is not (test/database-hang.test.ts: what a real process does then). */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { describe, expect, it } from 'vitest'
import { openPool } from '../src/db/connect.ts'
import type { Connection } from '../src/db/connect.ts'
import { watchForHangs } from '../src/db/hang-watch.ts'
import { openReplicas } from '../src/db/replica.ts'
import { atEnd } from './support/at-end.ts'
import { createDatabase } from './support/database.ts'
import { startProxy } from './support/database-proxy.ts'

const { connection } = await createDatabase()

/** A watch that asks on its own connection, and a statement that takes four seconds on another. */
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
  it('takes a connection that is slow to come for no hang', async () => {
    const proxy = await startProxy(connection)
    proxy.delayConnections(1_400)
    const { warnings, work } = watch(proxy.connection)
    expect(await work).toBe('done')
    expect(warnings).toEqual([])
  })

  it('but one that never comes', async () => {
    const proxy = await startProxy(connection)
    proxy.hang()
    const began = performance.now()
    const { warnings, work } = watch(proxy.connection)
    expect(await work).toBe('cut')
    expect(performance.now() - began).toBeLessThan(2_900)
    expect(warnings).toHaveLength(1)
  })

  it('asks a second time, on another connection, where a pooler may have kept the first question waiting', async () => {
    const proxy = await startProxy(connection)
    const { warnings, work } = watch({ ...proxy.connection, pooler: 'transaction' })
    await sleep(700)
    proxy.holdAnswers()
    expect(await work).toBe('done')
    expect(warnings).toEqual([])

    const hung = await startProxy(connection)
    const after = watch({ ...hung.connection, pooler: 'transaction' })
    await sleep(700)
    hung.hang()
    expect(await after.work).toBe('cut')
    expect(after.warnings).toHaveLength(1)
  })
})

describe('a database that hangs', () => {
  it('fails also what waits for a connection, free or new, and tells listeners first', async () => {
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
    await sleep(700)
    proxy.hang()
    const query = (name: string) => data.query('SELECT 1').catch(() => events.push(name))
    // One has the connection, the others wait for it.
    await Promise.all([query('sent'), query('waiting'), data.connect().catch(() => events.push('waiting'))])
    expect(events[0]).toBe('hang')
    expect(events.toSorted()).toEqual(['hang', 'sent', 'waiting', 'waiting'])
    // The next connection is never opened.
    await query('opening')
    expect(events.slice(4)).toEqual(['hang', 'opening'])
    await proxy.forward()
    expect((await data.query('SELECT 1')).rowCount).toBe(1)
  })

  it('is told from a slow one: with other statements answered, none is cut off', async () => {
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

describe('the check of a replica', () => {
  it('reads what has arrived while this process was busy before it says that nothing has', async () => {
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
    while (reasons.length === 0) await sleep(10)
    // The first makes a check due, the next ones begin when a question was just sent.
    for (let turn = 0; turn < 5; turn++) {
      await nextTurn()
      const until = performance.now() + 1_200
      while (performance.now() < until);
    }
    await sleep(300)
    // It is the primary itself, and never anything else.
    expect(reasons).toEqual([{ replica: 'replica_1', reason: 'it is not a standby' }])
  })
})
