/** GET /changes?wait=: long polling. */
import { get } from 'node:http'
import { describe, expect, it, vi } from 'vitest'
import { runAction } from '../src/actions/action.ts'
import { createTask } from '../src/actions/create-task.ts'
import { SYSTEM } from '../src/core/change-log/change-types.ts'
import { createChangeListener } from '../src/changes/listener.ts'
import type { ChangeListener } from '../src/changes/listener.ts'
import { openPool } from '../src/db/connect.ts'
import { recordChanges } from '../src/records/change/record.ts'
import { createLogger } from '../src/server/log.ts'
import { contextOf } from './support/actions.ts'
import { createDatabase } from './support/database.ts'
import { KEY, OTHER_KEY, plant } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'
import { startServer } from './support/server.ts'
import type { Answer, TestServer } from './support/server.ts'
import { atEnd } from './support/at-end.ts'

const { pool, connection } = await createDatabase()
await insertCompany(pool, 'co_1', { key: KEY })
await insertCompany(pool, 'co_2', { key: OTHER_KEY })
await plant(pool, 'events', 'co_1', 'ev_1')
await plant(pool, 'events', 'co_2', 'ev_1')

/** A server with its own listener, like a separate process. */
async function startProcess(
  listening = connection,
): Promise<TestServer & { changes: ChangeListener; isHeld: (count: number) => Promise<void> }> {
  const checks = openPool(connection, 'check', () => undefined)
  const log = createLogger('silent', { write: () => undefined })
  const changes = createChangeListener({ connection: listening, db: checks, log })
  const server = await startServer(connection, { changes })
  atEnd(async () => {
    await changes.stop()
    await checks.end()
  })
  const isHeld = (count: number) => vi.waitFor(() => expect(changes.countWatches()).toBe(count), 20_000)
  return { ...server, changes, isHeld }
}

const server = await startProcess()

const create = (description: string, companyId = 'co_1') =>
  runAction(contextOf(pool, companyId), createTask, { eventId: 'ev_1', description, dueDate: null })

const descriptionsOf = (answer: Answer) => {
  expect(answer.status, answer.text).toBe(200)
  const { data } = answer.body as { data: { data: { object: { description: string } } }[] }
  return data.map((change) => change.data.object.description)
}
const newest = async () => {
  const { body } = await server.get('/api/changes?order=desc&limit=1', KEY)
  return (body as { data: { id: string }[] }).data[0]?.id ?? ''
}
/** The sessions that listen for changes, including those of other tests in this file. */
const listListeners = async () => {
  const { rows } = await pool.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query = 'LISTEN "changes"'`,
  )
  return rows.map(({ pid }) => pid)
}
await create('First')

describe('F11: waiting for changes', () => {
  it('answers immediately if there are changes', async () => {
    expect(descriptionsOf(await server.get('/api/changes?wait=30', KEY))).toContain('First')
  })

  it('answers as soon as the company records a change', async () => {
    const last = await newest()
    const waiting = server.get(`/api/changes?wait=30&starting_after=${last}`, KEY)
    await server.isHeld(1)
    await create('Of another company', 'co_2')
    await create('Second')
    expect(descriptionsOf(await waiting)).toEqual(['Second'])
    await server.isHeld(0)
  })

  it('keeps waiting while the changes do not match the filters', async () => {
    const last = await newest()
    const waiting = server.get(
      `/api/changes?wait=30&type=lead.created,task.created&object_id=task_none&starting_after=${last}`,
      KEY,
    )
    const other = server.get(`/api/changes?wait=30&type=task.created&starting_after=${last}`, KEY)
    await server.isHeld(2)
    await create('Third')
    expect(descriptionsOf(await other)).toEqual(['Third'])
    await server.isHeld(1)
    await server.changes.stop()
    expect(descriptionsOf(await waiting)).toEqual([])
  })

  it('answers with changes that another process records', async () => {
    const [here, there] = [await startProcess(), await startProcess()]
    const waiting = here.get(`/api/changes?wait=30&starting_after=${await newest()}`, KEY)
    await here.isHeld(1)
    const body = JSON.stringify({ eventId: 'ev_1', description: 'Elsewhere' })
    const headers = { 'x-api-key': KEY, 'content-type': 'application/json' }
    await there.call('/api/tasks', { method: 'POST', headers, body })
    expect(descriptionsOf(await waiting)).toEqual(['Elsewhere'])
  })

  it('finds changes without notifications, which a pooler does not deliver', async () => {
    const here = await startProcess({ ...connection, pooler: 'transaction' })
    const waiting = here.get(`/api/changes?wait=30&starting_after=${await newest()}`, KEY)
    await here.isHeld(1)
    const change = { type: 'task.created', subject: { object: 'task', id: 'task_x' } } as const
    const data = JSON.stringify({ object: { description: 'Unannounced' } })
    await recordChanges(pool, 'co_1', SYSTEM, [{ ...change, data, previous: '{}' }])
    expect((await waiting).text).toContain('Unannounced')
  })

  // Before the test that ends the sessions of all processes: they reconnect later.
  it('uses one listening session per process for any number of requests', async () => {
    const before = await listListeners()
    const listOwn = async () => (await listListeners()).filter((pid) => !before.includes(pid))
    const here = await startProcess()
    const last = await newest()
    const wait = () => here.get(`/api/changes?wait=30&starting_after=${last}`, KEY)
    const waiting = [wait()]
    await here.isHeld(1)
    const session = await vi.waitFor(async () => {
      const pids = await listOwn()
      expect(pids).toHaveLength(1)
      return pids
    })
    waiting.push(...Array.from({ length: 39 }, wait))
    await here.isHeld(40)
    expect(await listOwn()).toEqual(session)
    await create('For every request')
    for (const answer of await Promise.all(waiting))
      expect(descriptionsOf(answer)).toEqual(['For every request'])
    // By now, additional sessions of the other requests would be visible.
    expect(await listOwn()).toEqual(session)
    await here.changes.stop()
  })

  it('listens again after a lost connection', async () => {
    const here = await startProcess()
    const waiting = here.get(`/api/changes?wait=30&type=lead.created&starting_after=${await newest()}`, KEY)
    await here.isHeld(1)
    const lost = await vi.waitFor(async () => {
      const pids = await listListeners()
      expect(pids).not.toEqual([])
      return pids
    })
    await pool.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid', [lost])
    await vi.waitFor(async () => {
      const pids = await listListeners()
      expect(pids.some((pid) => !lost.includes(pid))).toBe(true)
    }, 20_000)
    await here.changes.stop()
    expect(descriptionsOf(await waiting)).toEqual([])
  })

  it('answers with an empty page when the server stops', async () => {
    const here = await startProcess()
    const waiting = here.get(`/api/changes?wait=30&starting_after=${await newest()}`, KEY)
    await here.isHeld(1)
    await here.changes.stop()
    expect((await waiting).body).toEqual({ object: 'list', data: [], hasMore: false, url: '/api/changes' })
  })

  it('takes no slot: other requests are served while many wait', async () => {
    const here = await startProcess()
    const last = await newest()
    const waiting = Array.from({ length: 40 }, () =>
      here.get(`/api/changes?wait=30&starting_after=${last}`, KEY),
    )
    await here.isHeld(40)
    expect((await here.get('/api/tasks', KEY)).status).toBe(200)
    await create('For all')
    for (const answer of await Promise.all(waiting)) expect(descriptionsOf(answer)).toEqual(['For all'])
  })

  it('stops waiting when the client disconnects', async () => {
    const here = await startProcess()
    const request = get({
      port: here.port,
      path: `/api/changes?wait=30&starting_after=${await newest()}`,
      headers: { 'x-api-key': KEY },
    })
    request.on('error', () => undefined)
    await here.isHeld(1)
    request.destroy()
    await here.isHeld(0)
  })

  it('rejects the 101st waiting request of a company', async () => {
    const here = await startProcess()
    const last = await newest()
    const waiting = Array.from({ length: 100 }, () =>
      here.get(`/api/changes?wait=30&starting_after=${last}`, KEY),
    )
    await here.isHeld(100)
    const rejected = await here.get(`/api/changes?wait=30&starting_after=${last}`, KEY)
    expect(rejected.status).toBe(429)
    expect(rejected.headers['retry-after']).toBe('5')
    expect((await here.get('/api/changes?wait=30', OTHER_KEY)).status).toBe(200)
    await here.changes.stop()
    await Promise.all(waiting)
  })

  it.each([
    ['wait=31', 'wait must be an integer between 0 and 30'],
    ['wait=-1', 'wait must be an integer between 0 and 30'],
    ['wait=1.5', 'wait must be an integer between 0 and 30'],
    ['wait=', 'wait must be an integer between 0 and 30'],
    ['wait=5&order=desc', 'wait works with order asc only'],
  ])('rejects %s', async (query, message) => {
    const { status, body } = await server.get(`/api/changes?${query}`, KEY)
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: { code: 'invalid_parameter', message, param: 'wait' } })
  })

  it.each(['starting_after=chg_999999', 'starting_after=chg_x'])(
    'does not wait with the unknown cursor %s',
    async (query) => {
      const answer = await server.get(`/api/changes?wait=30&${query}`, KEY)
      expect(answer.headers['x-cursor']).toBe('not-found')
    },
  )
})
