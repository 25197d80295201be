/** POST /api/task/create with an idempotency key. */
import { expect } from 'vitest'
import { createOlderApi, postTask } from './older.ts'
import { plant } from './quotes.ts'
import type { Answer } from './server.ts'

type SentHeaders = Parameters<typeof postTask>[2]

export const bodyFor = (description: string) => ({ eventId: 'ev_1', description })

export function expectReplay(answer: Answer, first: Answer): void {
  expect(answer.status).toBe(201)
  expect(answer.text).toBe(first.text)
  expect(answer.headers['idempotent-replayed']).toBe('true')
  expect(answer.headers['content-type']).toBe(first.headers['content-type'])
}

export function expectFirst(answer: Answer): void {
  expect(answer.status, answer.text).toBe(201)
  expect(answer.headers['idempotent-replayed']).toBeUndefined()
}

export async function createIdempotencyApi() {
  const { pool, connection, server } = await createOlderApi()
  await plant(pool, 'events', 'co_1', 'ev_1')
  await plant(pool, 'events', 'co_2', 'ev_1')

  let lastKey = 0
  /** A key that no other test uses. */
  const newKey = () => `key-${++lastKey}`

  const create = (key: string | string[], body: unknown, headers: SentHeaders = {}) =>
    postTask(server, body, { 'idempotency-key': key, ...headers })

  async function countTasks(description: string): Promise<number> {
    const { rows } = await pool.query<{ n: string }>(
      'SELECT count(*) AS n FROM tasks WHERE description = $1',
      [description],
    )
    return Number(rows[0]?.n)
  }

  async function recordsOf(key: string): Promise<{ company: string; age: string }[]> {
    const { rows } = await pool.query<{ company: string; age: string }>(
      `SELECT company_id AS company, extract(epoch FROM now() - created_at)::text AS age
    FROM idempotency_records WHERE key = $1 ORDER BY company_id`,
      [key],
    )
    return rows
  }
  return { pool, connection, server, newKey, create, countTasks, recordsOf }
}
