import { describe, expect, it } from 'vitest'
import type { ChecklistAnswer, Task, TaskAnswer, TasksAnswer } from '../src/console/tasks.ts'
import { ISO_TIME, postTask, taskOf } from './support/older.ts'
import { insert } from './support/records.ts'
import { createEventConsole, success } from './support/console-events.ts'

const { pool, server, admin, member, stranger, event } = await createEventConsole()

const checklist = async (eventId: string, user = admin) =>
  success<ChecklistAnswer>(await user.call('GET', `events/${encodeURIComponent(eventId)}/tasks`)).tasks

describe('GET events/:id/tasks', () => {
  const read = async (query = '') =>
    success<ChecklistAnswer>(await admin.call('GET', `events/ev_pages/tasks${query}`))
  const markedIds = ({ marks }: ChecklistAnswer) => marks.map(({ id }) => id)

  it('returns the first 100 tasks and counts the others', async () => {
    await pool.query(
      `INSERT INTO events (company_id, id, name, service_start_time, service_end_time)
       VALUES ('co_1', 'ev_pages', 'Pages', '2027-05-01T10:00:00Z', '2027-05-01T12:00:00Z')`,
    )
    await pool.query(
      `INSERT INTO tasks (company_id, id, event_id, description, created_at, completed_at)
       SELECT 'co_1', 'page_' || i, 'ev_pages', 'x', '2027-01-01T00:00:00Z'::timestamptz + i * interval '1 hour',
         CASE WHEN i > 120 THEN '2027-03-01T00:00:00Z'::timestamptz END
       FROM generate_series(1, 130) i`,
    )
    const answer = await read()
    expect(answer.tasks.map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, i) => `page_${i + 1}`))
    expect(markedIds(answer)).toEqual(answer.tasks.map(({ id }) => id))
    expect(answer.hidden).toEqual({ open: 20, done: 10 })
    expect(answer.newestAt).toBe('2027-01-06T10:00:00.000Z')
  })

  it('answers 204 to the current version', async () => {
    const { version } = await read()
    const poll = await admin.call('GET', `events/ev_pages/tasks?version=${version}`)
    expect([poll.status, poll.text]).toEqual([204, ''])
  })

  it('returns new, changed and deleted tasks since a version, without their texts', async () => {
    const before = await read()
    const { task: added } = success<TaskAnswer>(
      await admin.call('POST', 'events/ev_pages/tasks', {
        description: 'New',
        dueDate: '2027-04-01T00:00:00Z',
      }),
    )
    await admin.call('PATCH', 'tasks/page_7', { completed: true })
    await admin.call('DELETE', 'tasks/page_8')
    const after = await read(`?version=${before.version}`)
    expect(after.tasks).toEqual([])
    expect(after.version).not.toBe(before.version)
    const marks = new Map(before.marks.map(({ id, mark }) => [id, mark]))
    const changedIds = after.marks.filter(({ id, mark }) => marks.get(id) !== mark).map(({ id }) => id)
    expect(changedIds).toEqual([added.id, 'page_101'])
    expect(markedIds(after)).not.toEqual(expect.arrayContaining(['page_7', 'page_8']))
    expect(after.hidden).toEqual({ open: 19, done: 11 })
  })

  it('lists up to 1,000 marks, and POST tasks/read returns tasks by id', async () => {
    const { version } = await read()
    const more = await read(`?version=${version}&limit=200`)
    expect(more.marks).toHaveLength(130)
    expect(more.hidden).toEqual({ open: 0, done: 0 })
    const ids = ['page_110', 'page_8', 'nothing', 'page_130']
    const answer = await admin.call('POST', 'events/ev_pages/tasks/read', { ids })
    expect(success<TasksAnswer>(answer).tasks.map(({ id }) => id)).toEqual(['page_110', 'page_130'])
  })

  it('reports changes of tasks beyond the limit', async () => {
    const { version } = await read()
    await admin.call('PATCH', 'tasks/page_120', { completed: true })
    expect((await read(`?version=${version}`)).hidden).toEqual({ open: 18, done: 12 })
  })

  it.each(['?limit=0', '?limit=1001', '?limit=x', '?limit=1e2'])('rejects %s', async (query) => {
    const answer = await admin.call('GET', `events/ev_pages/tasks${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ error: { code: 'invalid_body' } })
  })

  it('POST tasks/read rejects more than 50 ids', async () => {
    const ids = Array.from({ length: 51 }, (_, i) => `page_${i}`)
    const answer = await admin.call('POST', 'events/ev_pages/tasks/read', { ids })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ error: { code: 'invalid_body' } })
  })
})

describe('the checklist', () => {
  const add = async (eventId: string, body: object, user = admin) =>
    success<TaskAnswer>(await user.call('POST', `events/${eventId}/tasks`, body)).task
  const patch = (id: string, body: object, user = admin) => user.call('PATCH', `tasks/${id}`, body)
  const newEvent = (id: string) => event('co_1', id, '2027-07-04T10:00:00Z', '2027-07-04T12:00:00Z')

  it('lists tasks from the API and from the console in the same form', async () => {
    await newEvent('ev_add')
    const fromApi = taskOf(
      await postTask(server, {
        eventId: 'ev_add',
        description: 'Order ice',
        dueDate: '2027-07-01T10:00+02:00',
      }),
    )
    const fromConsole = await add(
      'ev_add',
      { description: ' Count\nchairs ', dueDate: '2027-06-30T09:30:00.1239Z' },
      member,
    )
    expect(fromConsole).toEqual({
      id: expect.stringMatching(/^task_/) as unknown,
      description: ' Count\nchairs ',
      dueDate: '2027-06-30T09:30:00.123Z',
      completedAt: null,
      createdAt: expect.stringMatching(ISO_TIME) as unknown,
      updatedAt: fromConsole.createdAt,
    })
    const tasks = await checklist('ev_add')
    expect(tasks[0]).toEqual(fromConsole)
    expect(tasks[1]).toMatchObject({
      id: fromApi.id,
      description: 'Order ice',
      dueDate: '2027-07-01T08:00:00.000Z',
      completedAt: null,
      createdAt: fromApi.createdAt,
    })
    expect(tasks).toHaveLength(2)
  })

  it.each([
    ['no description', {}, 'description'],
    ['a blank description', { description: ' \u0085\ufeff ' }, 'description'],
    ['a description that is not a string', { description: 7 }, 'description'],
    ['a description of 10,001 characters', { description: '😀'.repeat(10_001) }, 'description'],
    ['a NUL character', { description: 'a\0b' }, 'description'],
    ['half of a surrogate pair', { description: '\ud800' }, 'body'],
    ['a date without a time', { description: 'Ice', dueDate: '2027-02-15' }, 'dueDate'],
    ['a date that does not exist', { description: 'Ice', dueDate: '2027-02-30T00:00Z' }, 'dueDate'],
    ['an unknown member', { description: 'Ice', completed: true }, 'body'],
  ])('rejects a new task with %s, like the API', async (_, body, field) => {
    await pool.query(
      `INSERT INTO events (company_id, id, service_start_time, service_end_time)
      VALUES ('co_1', 'ev_bad', now(), now()) ON CONFLICT DO NOTHING`,
    )
    const answer = await admin.call('POST', 'events/ev_bad/tasks', body)
    expect(answer.status, answer.text).toBe(400)
    const { error } = answer.body as { error: { details: Record<string, unknown> } }
    expect(Object.keys(error.details)).toEqual([field])
    expect(await checklist('ev_bad')).toEqual([])
  })

  it('stores a description of 10,000 characters unchanged', async () => {
    await newEvent('ev_long')
    const description = '😀'.repeat(10_000)
    await add('ev_long', { description })
    expect((await checklist('ev_long')).map((task) => task.description)).toEqual([description])
  })

  it('accepts an edit of the current state and answers 409 to an edit of an earlier state', async () => {
    await newEvent('ev_edit')
    const task = await add('ev_edit', { description: 'Ice' })
    const { updatedAt } = task
    const first = success<TaskAnswer>(
      await patch(task.id, { description: 'More ice', dueDate: '2027-07-01T00:00:00Z', updatedAt }),
    ).task
    expect(first).toMatchObject({ description: 'More ice', dueDate: '2027-07-01T00:00:00.000Z' })
    expect(first.updatedAt > updatedAt).toBe(true)
    const second = await patch(task.id, { description: 'No ice', updatedAt }, member)
    expect(second.status).toBe(409)
    expect(second.body).toMatchObject({ error: { code: 'conflict', message: expect.any(String) as unknown } })
    expect(await checklist('ev_edit')).toEqual([first])
    const cleared = await patch(task.id, { dueDate: null, updatedAt: first.updatedAt })
    expect(success<TaskAnswer>(cleared).task).toMatchObject({ description: 'More ice', dueDate: null })
  })

  it.each([
    ['an edit without updatedAt', { description: 'x' }, 'updatedAt'],
    ['an updatedAt that is not a time', { description: 'x', updatedAt: 'now' }, 'updatedAt'],
    ['an empty body', {}, 'body'],
    ['only updatedAt', { updatedAt: '2027-01-01T00:00:00Z' }, 'body'],
    [
      'completion together with an edit',
      { completed: true, description: 'x', updatedAt: '2027-01-01T00:00:00Z' },
      'body',
    ],
    ['a completion that is not a boolean', { completed: 'yes' }, 'completed'],
    ['a blank description', { description: ' ', updatedAt: '2027-01-01T00:00:00Z' }, 'description'],
  ])('rejects %s', async (_, body, field) => {
    await pool.query(
      `INSERT INTO events (company_id, id, service_start_time, service_end_time)
      VALUES ('co_1', 'ev_bad_edit', now(), now()) ON CONFLICT DO NOTHING`,
    )
    const task = await add('ev_bad_edit', { description: 'As it is' })
    const answer = await patch(task.id, body)
    expect(answer.status, answer.text).toBe(400)
    expect(Object.keys((answer.body as { error: { details: object } }).error.details)).toContain(field)
    expect(await checklist('ev_bad_edit')).toContainEqual(task)
  })

  it('completes and reopens a task repeatedly without updatedAt', async () => {
    await newEvent('ev_tick')
    const task = await add('ev_tick', { description: 'Ice' })
    const complete = async (completed: boolean) =>
      success<TaskAnswer>(await patch(task.id, { completed }, member)).task
    const once = await complete(true)
    expect(once.completedAt).toMatch(ISO_TIME)
    expect(await complete(true)).toEqual(once)
    expect(await checklist('ev_tick')).toEqual([once])
    const open = await complete(false)
    expect(open).toMatchObject({ completedAt: null, description: 'Ice' })
    expect(await complete(false)).toEqual(open)
  })

  it('answers 404 to edits, completion and deletion of a deleted task', async () => {
    await newEvent('ev_remove')
    const task = await add('ev_remove', { description: 'Ice' })
    expect((await member.call('DELETE', `tasks/${task.id}`)).status).toBe(204)
    expect(await checklist('ev_remove')).toEqual([])
    for (const answer of [
      await admin.call('DELETE', `tasks/${task.id}`),
      await patch(task.id, { completed: true }),
      await patch(task.id, { description: 'x', updatedAt: task.updatedAt }),
    ])
      expect([answer.status, answer.body]).toEqual([
        404,
        expect.objectContaining({ error: expect.objectContaining({ code: 'not_found' }) as unknown }),
      ])
  })

  it('hides tasks of another company, also those with the same id', async () => {
    await newEvent('ev_scope')
    await event('co_2', 'ev_scope', '2027-07-04T10:00:00Z', '2027-07-04T12:00:00Z')
    const row = { event_id: 'ev_scope', description: 'Ice', updated_at: '2027-01-01T00:00:00Z' }
    await insert(pool, 'tasks', { company_id: 'co_1', id: 'only ours', ...row })
    for (const company_id of ['co_1', 'co_2'])
      await insert(pool, 'tasks', { company_id, id: 'shared', ...row })
    const updatedAt = '2027-01-01T00:00:00.000Z'
    const before = await checklist('ev_scope')
    for (const answer of [
      await patch('only%20ours', { completed: true }, stranger),
      await patch('only%20ours', { description: 'x', updatedAt }, stranger),
      await stranger.call('DELETE', 'tasks/only%20ours'),
    ])
      expect(answer.status).toBe(404)
    expect((await patch('shared', { description: 'Theirs', updatedAt }, stranger)).status).toBe(200)
    expect((await patch('shared', { completed: true }, stranger)).status).toBe(200)
    expect((await checklist('ev_scope', stranger)).map(({ description }) => description)).toEqual(['Theirs'])
    expect((await stranger.call('DELETE', 'tasks/shared')).status).toBe(204)
    expect(await checklist('ev_scope')).toEqual(before)
    const ids = (tasks: Task[]) => tasks.map(({ id }) => id).toSorted((a, b) => (a < b ? -1 : 1))
    expect(ids(before)).toEqual(['only ours', 'shared'])
  })

  it('requires a session for every call', async () => {
    for (const [method, path] of [
      ['GET', 'events/ev_add'],
      ['GET', 'events/ev_add/tasks'],
      ['POST', 'events/ev_add/tasks'],
      ['PATCH', 'tasks/shared'],
      ['DELETE', 'tasks/shared'],
      ['GET', 'agenda/places'],
    ] as const)
      expect((await server.call(`/console/${path}`, { method })).status).toBe(401)
  })
})
