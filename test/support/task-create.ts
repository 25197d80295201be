/** POST /api/task/create: a server with events, and functions that send a task and read the stored row. */
import { expect } from 'vitest'
import { createOlderApi, postTask } from './older.ts'
import { plant } from './quotes.ts'
import type { Answer } from './server.ts'

export const KIB_256 = 256 * 1024

type SentHeaders = Parameters<typeof postTask>[2]

export const anError = { error: expect.any(String) as unknown }
const messages = { _errors: expect.toSatisfy(isListOfTexts) as unknown }
/** The 400 body with exactly these members of `details`. */
const rejection = (...fields: string[]) => ({
  error: expect.any(String) as unknown,
  details: Object.fromEntries(fields.map((field) => [field, messages])),
})

function isListOfTexts(value: unknown): boolean {
  return (
    Array.isArray(value) && value.length > 0 && value.every((text) => typeof text === 'string' && text !== '')
  )
}

export async function expectRejected(answer: Answer | Promise<Answer>, ...fields: string[]): Promise<void> {
  const { status, body, headers, text } = await answer
  expect(status, text).toBe(400)
  expect(body).toEqual(rejection(...fields))
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
}

/** A body of exactly this size. The unknown member `extra` is the padding. */
export function bodyOfSize(
  bytes: number,
  members: object = { eventId: 'ev_1', description: 'Large' },
): string {
  const empty = JSON.stringify({ ...members, extra: '' })
  return JSON.stringify({ ...members, extra: 'x'.repeat(bytes - Buffer.byteLength(empty)) })
}

export async function createTaskApi() {
  const { pool, connection, server } = await createOlderApi()
  await plant(pool, 'events', 'co_1', 'ev_1')
  await plant(pool, 'events', 'co_1', 'ev_other')
  await plant(pool, 'events', 'co_1', 'ev_shared')
  await plant(pool, 'events', 'co_2', 'ev_shared')
  await plant(pool, 'events', 'co_2', 'ev_foreign')

  const post = (body: unknown, headers: SentHeaders = {}) => postTask(server, body, headers)
  const create = (members: object, headers: SentHeaders = {}) =>
    post({ eventId: 'ev_1', description: 'Order ice', ...members }, headers)

  async function countTasks(): Promise<number> {
    return Number((await pool.query<{ n: string }>('SELECT count(*) AS n FROM tasks')).rows[0]?.n)
  }
  return { pool, connection, server, post, create, countTasks }
}
