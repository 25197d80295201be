/** What is a hang of the database and what is not (test/database-hang.test.ts: what a real process does then). */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
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
function watch(primary: Connection) {
  const data = openPool(connection, 'data', () => undefined)
  const warnings: object[] = []
  const watching = watchForHangs({ data, primary, log: { warn: (details) => warnings.push(details) } })
  atEnd(async () => {
    await watching.stop()
    await data.end()
  })
  const work = data.query('SELECT pg_sleep(4)').then(
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
