import type { Pool, PoolClient } from 'pg'
import { describe, expect, it } from 'vitest'
import { runOnce } from '../src/actions/idempotency.ts'
import { taskOf } from './support/older.ts'
import { OTHER_KEY } from './support/quotes.ts'
import { bodyFor, createIdempotencyApi, expectFirst, expectReplay } from './support/task-idempotency.ts'

const { pool, newKey, create, countTasks, recordsOf } = await createIdempotencyApi()

const makeOlder = (key: string, interval: string) =>
  pool.query('UPDATE idempotency_records SET created_at = created_at - $2::interval WHERE key = $1', [
    key,
    interval,
  ])

describe('L5: keys expire after 24 hours', () => {
  it('replays the response shortly before', async () => {
    const key = newKey()
    const first = await create(key, bodyFor('Before'))
    await makeOlder(key, '23 hours 59 minutes')
    expectReplay(await create(key, bodyFor('Before')), first)
    expect((await create(key, bodyFor('Before, another'))).status).toBe(409)
    expect(await countTasks('Before')).toBe(1)
  })

  it('accepts the key again afterwards, for the same body and for another', async () => {
    for (const second of ['After', 'After, another']) {
      const key = newKey()
      const first = await create(key, bodyFor('After'))
      await makeOlder(key, '24 hours 1 second')
      const again = await create(key, bodyFor(second))
      expectFirst(again)
      expect(taskOf(again).id).not.toBe(taskOf(first).id)
      // Stored for another 24 hours.
      const [record] = await recordsOf(key)
      expect(Number(record?.age)).toBeLessThan(60)
      expectReplay(await create(key, bodyFor(second)), again)
    }
  })

  it('deletes expired records of a company when it uses another key', async () => {
    const [old, recent, foreign] = [newKey(), newKey(), newKey()]
    await create(old, bodyFor('x'))
    await create(recent, bodyFor('x'))
    await create(foreign, bodyFor('x'), { 'x-api-key': OTHER_KEY })
    await makeOlder(old, '25 hours')
    await makeOlder(recent, '23 hours')
    await makeOlder(foreign, '25 hours')
    await create(newKey(), bodyFor('x'))
    expect(await recordsOf(old)).toEqual([])
    expect(await recordsOf(recent)).toHaveLength(1)
    await create(newKey(), bodyFor('x'), { 'x-api-key': OTHER_KEY })
    expect(await recordsOf(foreign)).toEqual([])
  })

  it('creates one task for ten concurrent requests with an expired key', async () => {
    const key = newKey()
    const first = await create(key, bodyFor('Past it'))
    await makeOlder(key, '25 hours')
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(key, bodyFor('Past it'))))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers[0]?.text).not.toBe(first.text)
    expect(answers.every(({ status }) => status === 201)).toBe(true)
    expect(await countTasks('Past it')).toBe(2)
  })

  it('accepts many concurrent requests while many records expire', async () => {
    const keys = Array.from({ length: 60 }, newKey)
    await Promise.all(keys.map((key) => create(key, bodyFor('Crowd'))))
    for (const [i, key] of keys.entries()) await makeOlder(key, `${25 + ((i * 37) % 60)} hours`)
    const answers = await Promise.all(keys.map((key) => create(key, bodyFor('Crowd'))))
    for (const answer of answers) expectFirst(answer)
    expect(await countTasks('Crowd')).toBe(120)
  })

  it('runs the action if a record expires while it is read', async () => {
    const record = { key: newKey(), bodyHash: 'hash' }
    const done = await runOnce(pool, 'co_1', record, async () => ({ n: 1 }))
    expect(done).toEqual({ answer: { n: 1 }, isReplayed: false })
    // Deletes the record after the attempt to claim the key, before it is read.
    const racingPool = {
      connect: async () => {
        const client = await pool.connect()
        const query = client.query.bind(client) as (statement: unknown) => Promise<unknown>
        const queryThenDelete = async (statement: { text?: string }) => {
          const result = await query(statement)
          if (statement.text?.includes('ON CONFLICT') === true)
            await pool.query('DELETE FROM idempotency_records WHERE key = $1', [record.key])
          return result
        }
        const release = client.release.bind(client)
        return { query: queryThenDelete, release } as unknown as PoolClient
      },
    } as unknown as Pool
    const again = await runOnce(racingPool, 'co_1', record, async () => ({ n: 2 }))
    expect(again).toEqual({ answer: { n: 2 }, isReplayed: false })
  })
})
