import { describe, expect, it } from 'vitest'
import { withClient } from '../src/db/connect.ts'
import { waitUntilBlocked } from './support/blocked.ts'
import { postTask } from './support/older.ts'
import { startServer } from './support/server.ts'
import { bodyFor, createIdempotencyApi, expectFirst } from './support/task-idempotency.ts'

const { pool, connection, server, newKey, create, countTasks } = await createIdempotencyApi()

describe('L5: at once', () => {
  it.each([2, 10, 40])('creates one task for %i equal requests, and answers all alike', async (count) => {
    const key = newKey()
    const body = bodyFor(`At once ${count}`)
    const answers = await Promise.all(Array.from({ length: count }, () => create(key, body)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: count }, () => 201))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    const originals = answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined)
    expect(originals).toHaveLength(1)
    expect(await countTasks(body.description)).toBe(1)
  })

  it('creates one task for equal requests at two servers', async () => {
    const second = await startServer(connection)
    const key = newKey()
    const body = bodyFor('Two servers')
    const answers = await Promise.all(
      [server, second, server, second, server, second].map((one) =>
        postTask(one, body, { 'idempotency-key': key }),
      ),
    )
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(await countTasks('Two servers')).toBe(1)
  })

  it('answers one of several different bodies with 201, and the rest with 409', async () => {
    const key = newKey()
    const bodies = Array.from({ length: 8 }, (_, i) => bodyFor(`Different ${i}`))
    const answers = await Promise.all(bodies.map((body) => create(key, body)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201,
      ...Array(7).fill(409),
    ])
    const { rows } = await pool.query(`SELECT 1 FROM tasks WHERE description LIKE 'Different %'`)
    expect(rows).toHaveLength(1)
  })

  it('creates the task if the request that it waits for is rolled back', async () => {
    const key = newKey()
    const body = bodyFor('Contested')
    // The first, held in the middle of its work.
    await withClient(connection, async (client) => {
      await client.query('BEGIN')
      await client.query(
        `INSERT INTO idempotency_records (company_id, key, body_hash) VALUES ('co_1', $1, 'other')`,
        [key],
      )
      const waiting = create(key, body)
      await waitUntilBlocked(pool)
      expect(await countTasks('Contested')).toBe(0)
      await client.query('ROLLBACK')
      expectFirst(await waiting)
    })
    expect(await countTasks('Contested')).toBe(1)
  })

  it('does not wait for a request with another key', async () => {
    await withClient(connection, async (client) => {
      await client.query('BEGIN')
      await client.query(
        `INSERT INTO idempotency_records (company_id, key, body_hash) VALUES ('co_1', 'held', 'hash')`,
      )
      expectFirst(await create(newKey(), bodyFor('Not held up')))
      await client.query('ROLLBACK')
    })
  })
})
