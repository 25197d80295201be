/** Writes of a company that moves to another cell are rejected and store nothing. */
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openPool } from '../src/db/connect.ts'
import { transact } from '../src/db/transaction.ts'
import { beginMove, endMove } from '../src/records/change/moving.ts'
import { runAction, runActionOnce } from '../src/actions/action.ts'
import type { ActionContext } from '../src/actions/action.ts'
import { createTask } from '../src/actions/create-task.ts'
import { contextOf } from './support/actions.ts'
import { atEnd } from './support/at-end.ts'
import { createDatabase } from './support/database.ts'
import { KEY, OTHER_KEY, plant } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'
import { startServer } from './support/server.ts'

const { pool, connection } = await createDatabase()
await insertCompany(pool, 'co_1', { key: KEY })
await insertCompany(pool, 'co_2', { key: OTHER_KEY })
for (const id of ['co_1', 'co_2']) await plant(pool, 'events', id, 'ev_1')
await plant(pool, 'tasks', 'co_1', 'task_1', { event_id: 'ev_1', description: 'Call' })
const server = await startServer(connection)

const move = async (work: typeof beginMove) => {
  const client = await pool.connect()
  await transact(client, (db) => work(db, 'co_1', 'cell b'))
  client.release()
}
const post = (path: string, body: object, headers = {}) =>
  server.call(`/api${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'x-api-key': KEY, 'content-type': 'application/json', ...headers },
  })
const task = { eventId: 'ev_1', description: 'Call the venue' }
const TASK = { ...task, dueDate: null }
const MOVING = { code: 'auth_service_unavailable' }
const newKey = () => ({ key: randomUUID(), bodyHash: 'a' })
const countTasks = async () => (await pool.query("SELECT FROM tasks WHERE company_id = 'co_1'")).rowCount

describe('a company that is being moved', () => {
  it.each([
    ['only inserts rows', () => post('/tasks', task)],
    ['has an idempotency key', () => post('/tasks', task, { 'idempotency-key': 'key' })],
    ['changes a row', () => post('/tasks/task_1', { description: 'Call again' })],
  ])('answers 503 to a write that %s, and accepts it after the move', async (_, write) => {
    const before = await countTasks()
    await move(beginMove)
    const rejected = await write()
    expect([rejected.status, rejected.headers['retry-after']]).toEqual([503, '1'])
    expect(rejected.text).toContain('The company is being moved to another server. Retry in a few seconds.')
    expect(await countTasks()).toBe(before)
    await move((db, companyId) => endMove(db, companyId, null))
    expect((await write()).status).toBeLessThan(300)
  })

  it.each([
    [
      'with',
      async (context: ActionContext) =>
        runActionOnce(context, createTask, TASK, newKey(), (created) => created),
    ],
    ['without', async (context: ActionContext) => runAction(context, createTask, TASK)],
  ])('keeps the connection usable for writes %s an idempotency key', async (_, create) => {
    const single = openPool(connection, 'data', () => undefined, 1)
    atEnd(() => single.end())
    const [moving, other] = [contextOf(single, 'co_1'), contextOf(single, 'co_2')]
    await move(beginMove)
    await expect(runAction(moving, createTask, TASK)).rejects.toMatchObject(MOVING)
    await create(other)
    await expect(create(moving)).rejects.toMatchObject(MOVING)
    await move((db, companyId) => endMove(db, companyId, null))
    await create(moving)
  })
})
