/** Rules of all writes: bodies, errors, idempotency keys. */
import { describe, expect, it } from 'vitest'
import { createDatabase } from './support/database.ts'
import { KEY, OTHER_KEY, plant } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'
import { startServer } from './support/server.ts'

const { pool, connection } = await createDatabase()
for (const [id, key] of [
  ['co_1', KEY],
  ['co_2', OTHER_KEY],
] as const) {
  await insertCompany(pool, id, { key })
  await plant(pool, 'events', id, 'ev_1')
  await plant(pool, 'leads', id, 'l_1', { first_name: 'Ada' })
  await plant(pool, 'tasks', id, 't_1', { event_id: 'ev_1', description: 'Ice' })
}
const server = await startServer(connection)

const send = (
  path: string,
  body: string | undefined,
  { headers = {}, key = KEY, method = 'POST' }: { headers?: object; key?: string; method?: string } = {},
) =>
  server.call(path, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body }),
  })
const post = (path: string, body: object, headers = {}) => send(path, JSON.stringify(body), { headers })
const errorOf = ({ status, body }: { status: number; body: unknown }) => ({
  status,
  ...(body as { error: object }).error,
})
const counts = async () => {
  const { rows } = await pool.query<Record<string, string>>(
    `SELECT (SELECT count(*) FROM leads) AS leads, (SELECT count(*) FROM tasks) AS tasks,
      (SELECT count(*) FROM changes) AS changes`,
  )
  return rows[0]
}

describe('W1: bodies', () => {
  it.each([
    ['not JSON', '{', {}],
    ['an array', '[]', {}],
    ['a string', '"a"', {}],
    ['null', 'null', {}],
    ['another content type', '{"firstName":"Ada"}', { 'content-type': 'text/plain' }],
    ['another charset', '{"firstName":"Ada"}', { 'content-type': 'application/json; charset=latin1' }],
    ['an unpaired surrogate', String.raw`{"firstName":"\ud800"}`, {}],
  ])('rejects %s without param', async (_, body, headers) => {
    const error = errorOf(await send('/api/leads', body, { headers }))
    expect(error).toMatchObject({ status: 400, code: 'invalid_parameter' })
    expect(error).not.toHaveProperty('param')
  })

  it.each([
    ['a deeply nested member', 'lastName', `{"lastName":${'['.repeat(15_000)}${']'.repeat(15_000)}}`],
    ['a deeply nested unknown member', 'deep', `{"deep":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`],
    [
      'thousands of unknown members',
      'x0',
      `{${Array.from({ length: 3_000 }, (_, i) => `"x${i}":1`).join(',')}}`,
    ],
  ])('names %s', async (_, param, body) => {
    expect(errorOf(await send('/api/leads', body))).toMatchObject({
      status: 400,
      code: 'invalid_parameter',
      param,
    })
  })

  it('treats a missing body as {}', async () => {
    expect((await send('/api/leads/l_1', undefined)).status).toBe(200)
    expect(errorOf(await send('/api/tasks', undefined))).toMatchObject({ status: 400, param: 'eventId' })
  })

  it('R13: rejects a body over the limit', async () => {
    const error = errorOf(await post('/api/leads', { firstName: 'x'.repeat(257 * 1024) }))
    expect(error).toMatchObject({ status: 413, code: 'body_too_large' })
  })
})

describe('W4, W5: invalid members', () => {
  const event = { eventId: 'ev_1' }
  it.each([
    ['/api/leads', { nickname: 'Ada' }, 'nickname', 'nickname is not a known member'],
    ['/api/leads', { nickname: null }, 'nickname', 'nickname is not a known member'],
    ['/api/leads', { id: 'l_9', firstName: 'Ada' }, 'id', 'id is not a known member'],
    ['/api/leads', { firstName: 5 }, 'firstName', 'firstName must be a string'],
    ['/api/leads', { firstName: 'x'.repeat(10_001) }, 'firstName', /at most 10000/],
    ['/api/leads', { firstName: 'a\0' }, 'firstName', /NUL/],
    ['/api/leads', { email: 'ada' }, 'email', /email address/],
    ['/api/leads', { email: 'a b@example.com' }, 'email', /email address/],
    ['/api/leads', { email: `${'x'.repeat(309)}@example.com` }, 'email', /at most 320/],
    ['/api/leads', { phone: 1, nickname: 'Ada' }, 'phone', /string/],
    ['/api/leads', { nickname: 'Ada', phone: 1 }, 'nickname', /not a known/],
    ['/api/tasks', {}, 'eventId', 'eventId is required'],
    ['/api/tasks', { description: 'Ice' }, 'eventId', 'eventId is required'],
    ['/api/tasks', event, 'description', 'description is required'],
    ['/api/tasks', { ...event, description: null }, 'description', 'description is required'],
    ['/api/tasks', { eventId: null, description: 5 }, 'description', 'description must be a string'],
    ['/api/tasks', { description: 5, done: true }, 'description', /string/],
    ['/api/tasks', { done: true }, 'done', /not a known/],
    ['/api/tasks', { ...event, description: ' \u0085\ufeff' }, 'description', /blank/],
    ['/api/tasks', { ...event, description: 'Ice', dueDate: '2026-05-01' }, 'dueDate', /ISO 8601/],
    ['/api/tasks', { ...event, description: 'Ice', dueDate: 5 }, 'dueDate', /ISO 8601/],
    ['/api/tasks', { ...event, description: 'Ice', completed: true }, 'completed', /not a known/],
    ['/api/tasks/t_1', { completed: 'true' }, 'completed', 'completed must be true or false'],
    ['/api/tasks/t_1', { completed: null }, 'completed', /true or false/],
    ['/api/tasks/t_1', { description: null }, 'description', /string/],
    ['/api/tasks/t_1', { eventId: 'ev_1' }, 'eventId', /not a known/],
    ['/api/tasks/unknown', { completed: 1 }, 'completed', /true or false/],
  ])('%s rejects %j', async (path, body, param, message) => {
    const before = await counts()
    const error = errorOf(await post(path, body))
    expect(error).toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      code: 'invalid_parameter',
      param,
    })
    expect(error).toHaveProperty('message', expect.stringMatching(message))
    expect(await counts()).toEqual(before)
  })

  it('rejects a member named __proto__', async () => {
    const error = errorOf(await send('/api/leads', '{"firstName":"Ada","__proto__":{"a":1}}'))
    expect(error).toMatchObject({ status: 400, param: '__proto__' })
  })

  it('W5: accepts the longest values', async () => {
    const email = `${'x'.repeat(308)}@example.com`
    const { status, body } = await post('/api/leads', { firstName: '😀'.repeat(10_000), email })
    expect(status).toBe(201)
    expect(body).toMatchObject({ email })
  })

  it('W6: responds with 404 to an unknown id', async () => {
    expect(errorOf(await post('/api/leads/unknown', {}))).toMatchObject({
      status: 404,
      message: 'Lead not found',
      param: 'id',
    })
  })
})

describe('W10: idempotency keys', () => {
  const lead = JSON.stringify({ firstName: 'Nadia' })
  const once = (key: string) => ({ headers: { 'idempotency-key': key } })

  it('returns the first response again and writes once', async () => {
    const first = await send('/api/leads', lead, once('a'))
    expect(first.headers['idempotent-replayed']).toBeUndefined()
    const before = await counts()
    const second = await send('/api/leads', lead, once('a'))
    expect([second.status, second.text]).toEqual([201, first.text])
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(await counts()).toEqual(before)
  })

  it('returns the response of a deletion again', async () => {
    await plant(pool, 'tasks', 'co_1', 't_gone', { event_id: 'ev_1', description: 'Ice' })
    const remove = () => send('/api/tasks/t_gone', undefined, { ...once('a'), method: 'DELETE' })
    const [first, second] = [await remove(), await remove()]
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text])
  })

  it('writes once for concurrent requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => send('/api/leads', lead, once('together'))),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  })

  it('rejects another body with 409, before it is parsed', async () => {
    await send('/api/leads', lead, once('b'))
    for (const body of ['{"firstName":"Omar"}', '{', '{"nickname":1}']) {
      expect(errorOf(await send('/api/leads', body, once('b')))).toMatchObject({
        status: 409,
        type: 'idempotency_error',
        code: 'idempotency_key_reused',
      })
    }
  })

  it('is scoped to company, method and path', async () => {
    const ids = new Set<unknown>()
    for (const [path, key] of [
      ['/api/leads', KEY],
      ['/api/leads', OTHER_KEY],
    ] as const) {
      const { body } = await send(path, lead, { ...once('c'), key })
      ids.add((body as { id: string }).id)
    }
    expect(ids.size).toBe(2)
    const updated = await send('/api/leads/l_1', lead, once('c'))
    expect(updated.status).toBe(200)
    expect(updated.headers['idempotent-replayed']).toBeUndefined()
    const task = JSON.stringify({ eventId: 'ev_1', description: 'Ice' })
    const older = await send('/api/task/create', task, once('d'))
    const newer = await send('/api/tasks', task, once('d'))
    expect([older.status, newer.status, newer.headers['idempotent-replayed']]).toEqual([201, 201, undefined])
  })

  it('can be used again after an error', async () => {
    expect((await send('/api/leads', '{}', once('e'))).status).toBe(400)
    expect((await send('/api/leads', lead, once('e'))).status).toBe(201)
  })

  it.each(['', 'a b', 'ä', 'x'.repeat(256)])('rejects the key %j, also with an invalid body', async (key) => {
    expect(errorOf(await send('/api/leads', '{', once(key)))).toMatchObject({
      status: 400,
      code: 'invalid_parameter',
      param: 'idempotency-key',
    })
  })
})
