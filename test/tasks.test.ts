/** GET, POST and DELETE /tasks and /tasks/{id}. */
import { describe, expect, it } from 'vitest'
import { readChanges } from './support/actions.ts'
import { createDatabase } from './support/database.ts'
import { KEY, OTHER_KEY, plant } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'
import { startServer } from './support/server.ts'

const { pool, connection } = await createDatabase()
await insertCompany(pool, 'co_1', { key: KEY })
await insertCompany(pool, 'co_2', { key: OTHER_KEY })
for (const id of ['ev_1', 'ev_2']) await plant(pool, 'events', 'co_1', id)
for (const id of ['ev_1', 'ev_foreign']) await plant(pool, 'events', 'co_2', id)
for (const [id, day, event, row] of [
  ['t_1', 1, 'ev_1', { due_date: '2026-02-01T00:00:00Z' }],
  ['t_2', 2, 'ev_1', { due_date: '2026-02-02T00:00:00Z', completed_at: '2026-01-20T00:00:00Z' }],
  ['t_3', 2, 'ev_2', {}],
  ['t_4', 3, 'ev_1', { due_date: '2026-02-03T00:00:00Z' }],
] as const) {
  const time = `2026-01-0${day}T00:00:00Z`
  const times = { created_at: time, updated_at: time }
  await plant(pool, 'tasks', 'co_1', id, { event_id: event, description: id, ...times, ...row })
}
await plant(pool, 'tasks', 'co_2', 't_foreign', { event_id: 'ev_1', description: 'Foreign' })
const server = await startServer(connection)

interface Task {
  id: string
  completedAt: string | null
  updatedAt: string
}

const list = async (query = '') => {
  const { status, body, headers, text } = await server.get(`/api/tasks${query}`, KEY)
  expect(status, text).toBe(200)
  const { data, hasMore } = body as { data: Task[]; hasMore: boolean }
  return { ids: data.map(({ id }) => id), hasMore, cursor: headers['x-cursor'] }
}
const call = (method: string, path: string, body?: object) =>
  server.call(path, {
    method,
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
const post = (path: string, body?: object) => call('POST', path, body)
const errorOf = ({ status, body }: { status: number; body: unknown }) => ({
  status,
  ...(body as { error: object }).error,
})
const changesOf = async (id: string) =>
  (await readChanges(pool)).filter(({ subject }) => subject === `task ${id}`)
const create = async (description = 'Ice') =>
  (await post('/api/tasks', { eventId: 'ev_2', description })).body as Task

describe('GET /tasks', () => {
  it('I1: lists newest first, then by id', async () => {
    expect(await list()).toEqual({ ids: ['t_4', 't_3', 't_2', 't_1'], hasMore: false, cursor: undefined })
    expect(await list('?limit=2&starting_after=t_4')).toMatchObject({ ids: ['t_3', 't_2'], hasMore: true })
  })

  it.each(['starting_after=unknown', 'starting_after=t_foreign', 'event_id=ev_2&starting_after=t_1'])(
    'I1, R19: returns an empty page for %s',
    async (query) => {
      expect(await list(`?${query}`)).toEqual({ ids: [], hasMore: false, cursor: 'not-found' })
    },
  )

  it.each([
    ['event_id=ev_1', ['t_4', 't_2', 't_1']],
    ['event_id=ev_foreign', []],
    ['event_id=', []],
    ['completed=true', ['t_2']],
    ['completed=false', ['t_4', 't_3', 't_1']],
    ['due_date[gt]=2026-02-02T00:00:00Z', ['t_4']],
    ['due_date[gte]=2026-02-02T00:00:00Z', ['t_4', 't_2']],
    ['due_date[lt]=2026-02-02T00:00:00Z', ['t_1']],
    ['due_date[lte]=2026-02-02T00:00:00Z', ['t_2', 't_1']],
    ['created_at[gte]=2026-01-02T00:00:00Z', ['t_4', 't_3', 't_2']],
    ['created_at[lt]=2026-01-02T00:00:00Z', ['t_1']],
    ['updated_at[gt]=2026-01-02T00:00:00Z', ['t_4']],
    ['updated_at[lte]=2026-01-02T00:00:00Z', ['t_3', 't_2', 't_1']],
    ['event_id=ev_1&completed=false&due_date[gt]=2026-02-01T00:00:00Z', ['t_4']],
    ['due_date[gt]=2026-02-01T00:00:00Z&updated_at[lt]=2026-01-03T00:00:00Z', ['t_2']],
  ])('I2: filters by %s', async (query, ids) => {
    expect((await list(`?${query}`)).ids).toEqual(ids)
    const [first = 'none', ...rest] = ids
    expect((await list(`?${query}&starting_after=${first}`)).ids).toEqual(rest)
  })

  it.each([
    ['completed=yes', 'completed'],
    ['completed=', 'completed'],
    ['completed=TRUE', 'completed'],
    ['due_date=2026-01-01T00:00:00Z', 'due_date'],
    ['due_date[gt]=2026-01-01', 'due_date[gt]'],
    ['event_id[]=ev_1', 'event_id[]'],
    ['expand[]=data.event', 'expand'],
  ])('I2, I4: rejects %s', async (query, param) => {
    expect(errorOf(await server.get(`/api/tasks?${query}`, KEY))).toMatchObject({
      status: 400,
      code: 'invalid_parameter',
      param,
    })
  })
})

describe('GET /tasks/{id}', () => {
  it('I4, O21: returns the task', async () => {
    expect((await server.get('/api/tasks/t_2', KEY)).body).toEqual({
      object: 'task',
      id: 't_2',
      eventId: 'ev_1',
      description: 't_2',
      dueDate: '2026-02-02T00:00:00.000Z',
      completed: true,
      completedAt: '2026-01-20T00:00:00.000Z',
      createdAt: '2026-01-02T00:00:00.000Z',
      updatedAt: '2026-01-02T00:00:00.000Z',
    })
  })

  it.each(['GET', 'POST', 'DELETE'])(
    'W6, I4, A11: %s responds with the same 404 to an unknown and a foreign id',
    async (method) => {
      const [unknown, foreign] = await Promise.all(
        ['unknown', 't_foreign'].map((id) => call(method, `/api/tasks/${id}`)),
      )
      expect(unknown?.text).toBe(foreign?.text)
      expect(errorOf(unknown ?? { status: 0, body: {} })).toMatchObject({
        status: 404,
        message: 'Task not found',
        param: 'id',
      })
    },
  )

  it('W11, R12: lists every method in a 405', async () => {
    const { status, headers } = await call('PATCH', '/api/tasks/t_1')
    expect([status, headers['allow']]).toEqual([405, 'GET, HEAD, POST, DELETE'])
  })
})

describe('POST /tasks', () => {
  it('W2, W5, I6: creates a task as a get returns it', async () => {
    const body = { eventId: 'ev_2', description: ' Ice ', dueDate: '2026-05-01T09:30:00.1239+02:00' }
    const created = await post('/api/tasks', body)
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({
      object: 'task',
      eventId: 'ev_2',
      description: ' Ice ',
      dueDate: '2026-05-01T07:30:00.123Z',
      completed: false,
      completedAt: null,
    })
    const { id } = created.body as Task
    expect((await server.get(`/api/tasks/${id}`, KEY)).body).toEqual(created.body)
    expect(await changesOf(id)).toMatchObject([{ type: 'task.created', data: { object: created.body } }])
  })

  it.each(['unknown', 'ev_foreign', '', '\0', 'x'.repeat(300)])(
    'W7: rejects an event that does not exist: %j',
    async (eventId) => {
      const error = errorOf(await post('/api/tasks', { eventId, description: 'Ice' }))
      expect(error).toMatchObject({ status: 400, code: 'invalid_parameter', param: 'eventId' })
    },
  )
})

describe('POST /tasks/{id}', () => {
  it('W3, I6: changes the members that are sent', async () => {
    const { id } = await create()
    const dueDate = '2026-05-01T00:00:00.000Z'
    expect((await post(`/api/tasks/${id}`, { dueDate })).body).toMatchObject({ description: 'Ice', dueDate })
    expect((await post(`/api/tasks/${id}`, { dueDate: null })).body).toMatchObject({ dueDate: null })
  })

  it('I6: completes and reopens a task, and keeps the time of the first completion', async () => {
    const { id } = await create()
    const done = (await post(`/api/tasks/${id}`, { completed: true })).body as Task
    expect(done.completedAt).toEqual(expect.any(String))
    expect((await post(`/api/tasks/${id}`, { completed: true })).body).toEqual(done)
    expect((await post(`/api/tasks/${id}`, { completed: false })).body).toMatchObject({ completedAt: null })
    const types = (await changesOf(id)).map(({ type }) => type)
    expect(types).toEqual(['task.created', 'task.completed', 'task.updated'])
  })

  it.each([
    [undefined],
    [{}],
    [{ description: 't_1', completed: false, dueDate: '2026-02-01T01:00:00+01:00' }],
  ])('W8: changes and records nothing for %j', async (body) => {
    const before = await server.get('/api/tasks/t_1', KEY)
    const { status, body: task } = await post('/api/tasks/t_1', body)
    expect(status).toBe(200)
    expect(task).toEqual(before.body)
    expect(await changesOf('t_1')).toEqual([])
  })
})

describe('DELETE /tasks/{id}', () => {
  it('W9, F6: deletes the task and records all of it', async () => {
    const task = await create()
    const answer = await call('DELETE', `/api/tasks/${task.id}`)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ object: 'task', id: task.id, deleted: true })
    expect((await server.get(`/api/tasks/${task.id}`, KEY)).status).toBe(404)
    expect((await call('DELETE', `/api/tasks/${task.id}`)).status).toBe(404)
    expect((await changesOf(task.id))[1]).toMatchObject({
      type: 'task.deleted',
      data: { object: null },
      previous: task,
    })
  })
})
