import { describe, expect, it } from 'vitest'
import { postTask, taskOf } from './support/older.ts'
import { OTHER_KEY, plant } from './support/quotes.ts'
import { insertKey } from './support/records.ts'
import { startServer } from './support/server.ts'
import { bodyFor, createIdempotencyApi, expectFirst, expectReplay } from './support/task-idempotency.ts'

const { pool, connection, server, newKey, create, countTasks, recordsOf } = await createIdempotencyApi()

const anError = { error: expect.any(String) as unknown }

describe('L5: same key and same body', () => {
  it('replays the bytes of the first response, marked as replayed, without a second task', async () => {
    const key = newKey()
    const body = { ...bodyFor('Order ice ☃ "quoted" 😀\n'), dueDate: '2026-05-01T09:30:00.9999+02:00' }
    const first = await create(key, body)
    expectFirst(first)
    // A second task would have a later time.
    await expect.poll(() => Date.now(), { interval: 1 }).toBeGreaterThan(Date.parse(taskOf(first).createdAt))
    for (let i = 0; i < 3; i++) expectReplay(await create(key, body), first)
    expect(await countTasks(body.description)).toBe(1)
  })

  it('replays the bytes of any text', async () => {
    for (const description of ['\u0001\u2028\u{1F600}', '\ufffe', '\\u0000', '__proto__', '"', '1e5 1.0']) {
      const key = newKey()
      const first = await create(key, bodyFor(description))
      expectFirst(first)
      expectReplay(await create(key, bodyFor(description)), first)
    }
  })

  it('replays across processes and keys of the company', async () => {
    const key = newKey()
    const first = await create(key, bodyFor('Kept by the company'))
    const second = await startServer(connection)
    await insertKey(pool, 'co_1', 'another-key-of-the-first')
    const headers = { 'idempotency-key': key, 'x-api-key': 'another-key-of-the-first' }
    expectReplay(await postTask(second, bodyFor('Kept by the company'), headers), first)
  })

  it('replays if the event no longer exists', async () => {
    await plant(pool, 'events', 'co_1', 'ev_passing')
    const key = newKey()
    const body = { eventId: 'ev_passing', description: 'Passing' }
    const first = await create(key, body)
    await pool.query(`DELETE FROM tasks WHERE event_id = 'ev_passing'`)
    await pool.query(`DELETE FROM events WHERE id = 'ev_passing'`)
    expectReplay(await create(key, body), first)
  })

  it('compares keys exactly, including case', async () => {
    const answers = [
      await create('Case', bodyFor('Case')),
      await create('case', bodyFor('Case')),
      await create('case1', bodyFor('Case')),
    ]
    for (const answer of answers) expectFirst(answer)
    expect(await countTasks('Case')).toBe(3)
  })

  it('ignores another spelling of the content type', async () => {
    const key = newKey()
    const first = await create(key, bodyFor('Same meaning'))
    const type = 'application/json; charset=UTF-8'
    expectReplay(await create(key, bodyFor('Same meaning'), { 'content-type': type }), first)
  })
})

describe('L5: same key and another body', () => {
  it('responds with 409 in the shape of the endpoint, without a task', async () => {
    const key = newKey()
    const first = await create(key, bodyFor('The first'))
    const answer = await create(key, bodyFor('The second'))
    expect(answer.status).toBe(409)
    expect(answer.body).toEqual(anError)
    expect(answer.headers['idempotent-replayed']).toBeUndefined()
    expect(await countTasks('The second')).toBe(0)
    // The first response is still stored.
    expectReplay(await create(key, bodyFor('The first')), first)
  })

  it.each([
    ['another space', '{"eventId":"ev_1", "description":"Bytes"}'],
    ['another order of members', '{"description":"Bytes","eventId":"ev_1"}'],
    ['another member', '{"eventId":"ev_1","description":"Bytes","x":1}'],
    ['dueDate null', '{"eventId":"ev_1","description":"Bytes","dueDate":null}'],
    ['an escaped letter', String.raw`{"eventId":"ev_1","description":"\u0042ytes"}`],
    ['a trailing line break', '{"eventId":"ev_1","description":"Bytes"}\n'],
    ['another event that does not exist', '{"eventId":"ev_2","description":"Bytes"}'],
  ])('compares bytes: %s', async (_, other) => {
    const key = newKey()
    expectFirst(await create(key, '{"eventId":"ev_1","description":"Bytes"}'))
    expect((await create(key, other)).status).toBe(409)
  })

  it('reports an invalid body with 400 before the 409', async () => {
    const key = newKey()
    expectFirst(await create(key, bodyFor('Right')))
    expect((await create(key, { eventId: 'ev_1' })).status).toBe(400)
  })
})

describe('L5: per company', () => {
  it('two companies can use the same key', async () => {
    const key = newKey()
    const mine = await create(key, bodyFor('Per company'))
    const theirs = await create(key, bodyFor('Per company'), { 'x-api-key': OTHER_KEY })
    expectFirst(mine)
    expectFirst(theirs)
    expect(taskOf(mine).id).not.toBe(taskOf(theirs).id)
    const otherBody = await create(newKey(), bodyFor('x'), { 'x-api-key': OTHER_KEY })
    expectFirst(otherBody)
    expectReplay(await create(key, bodyFor('Per company')), mine)
    expectReplay(await create(key, bodyFor('Per company'), { 'x-api-key': OTHER_KEY }), theirs)
    expect((await recordsOf(key)).map(({ company }) => company)).toEqual(['co_1', 'co_2'])
  })
})

describe('L5: only a 201 is stored', () => {
  it('after 404 the key can be used with the same body and with another', async () => {
    const key = newKey()
    const body = { eventId: 'ev_later', description: 'Later' }
    expect((await create(key, body)).status).toBe(404)
    expect((await create(key, body)).status).toBe(404)
    expect(await recordsOf(key)).toEqual([])
    await plant(pool, 'events', 'co_1', 'ev_later')
    const first = await create(key, body)
    expectFirst(first)
    expectReplay(await create(key, body), first)

    const another = newKey()
    expect((await create(another, { eventId: 'ev_nowhere', description: 'x' })).status).toBe(404)
    expectFirst(await create(another, bodyFor('Another')))
  })

  it('after 400 the key can be used', async () => {
    const key = newKey()
    expect((await create(key, { eventId: 'ev_1' })).status).toBe(400)
    expect((await create(key, '{')).status).toBe(400)
    expectFirst(await create(key, bodyFor('After 400')))
  })

  it('after 401 and 413 the key can be used', async () => {
    const key = newKey()
    expect((await create(key, bodyFor('x'), { 'x-api-key': 'key-that-is-unknown' })).status).toBe(401)
    expect((await create(key, 'x'.repeat(300_000))).status).toBe(413)
    expectFirst(await create(key, bodyFor('After 413')))
  })

  it('after 500 the key can be used, and nothing is written', async () => {
    await pool.query(`ALTER TABLE tasks ADD CONSTRAINT no_trouble CHECK (description <> 'Trouble')`)
    const key = newKey()
    const answer = await create(key, bodyFor('Trouble'))
    expect(answer.status).toBe(500)
    expect(answer.body).toEqual(anError)
    expect(await recordsOf(key)).toEqual([])
    await pool.query('ALTER TABLE tasks DROP CONSTRAINT no_trouble')
    const first = await create(key, bodyFor('Trouble'))
    expectFirst(first)
    expectReplay(await create(key, bodyFor('Trouble')), first)
    expect(await countTasks('Trouble')).toBe(1)
  })

  it('creates no task if the response cannot be stored', async () => {
    await pool.query(
      'ALTER TABLE idempotency_records ADD CONSTRAINT no_answer CHECK (answer IS NULL) NOT VALID',
    )
    const answer = await create(newKey(), bodyFor('Not kept'))
    await pool.query('ALTER TABLE idempotency_records DROP CONSTRAINT no_answer')
    expect(answer.status).toBe(500)
    expect(await countTasks('Not kept')).toBe(0)
  })
})

describe('L5: invalid keys', () => {
  const offending = {
    error: expect.any(String) as unknown,
    details: { 'idempotency-key': { _errors: [expect.stringContaining('idempotency-key')] } },
  }

  it.each<[name: string, key: string | string[]]>([
    ['an empty key', ''],
    ['spaces', '   '],
    ['a space inside', 'a b'],
    ['a tab inside', 'a\tb'],
    ['256 characters', 'k'.repeat(256)],
    ['5,000 characters', 'k'.repeat(5000)],
    ['letters outside ASCII', 'schlüssel'],
    ['a no-break space', 'a\u00a0b'],
    ['a byte outside ASCII', 'a\u00ffb'],
    ['two keys', ['a', 'b']],
    ['two equal keys', ['a', 'a']],
  ])('responds to %s with 400 and the member idempotency-key', async (_, key) => {
    const answer = await create(key, bodyFor('Broken rule'))
    expect(answer.status, answer.text).toBe(400)
    expect(answer.body).toEqual(offending)
    expect((answer.body as { error: string }).error).not.toContain('body')
    expect(await countTasks('Broken rule')).toBe(0)
  })

  it('reports them together with errors of the body', async () => {
    const answer = await create('a b', { eventId: 'ev_1', description: '' })
    expect(answer.status).toBe(400)
    expect(Object.keys((answer.body as { details: object }).details).toSorted()).toEqual([
      'description',
      'idempotency-key',
    ])
    const notAnObject = await create('a b', '[]')
    expect(Object.keys((notAnObject.body as { details: object }).details).toSorted()).toEqual([
      'body',
      'idempotency-key',
    ])
  })

  it.each([
    ['one character', '!'],
    ['255 characters', '~'.repeat(255)],
    [
      'every visible ASCII character',
      Array.from({ length: 94 }, (_, i) => String.fromCodePoint(33 + i)).join(''),
    ],
    ['a UUID', '018f4e1c-7b1a-7c3e-9a51-2f0d8b6a4c11'],
  ])('accepts %s', async (_, key) => {
    const first = await create(key, bodyFor('A good key'))
    expectFirst(first)
    expectReplay(await create(key, bodyFor('A good key')), first)
  })

  it('accepts the header name in any case', async () => {
    const key = newKey()
    const headers = { 'Idempotency-Key': key }
    const first = await postTask(server, bodyFor('Any case'), headers)
    expectReplay(await create(key, bodyFor('Any case')), first)
  })
})
