import { describe, expect, it } from 'vitest'
import { openPool } from '../src/db/connect.ts'
import { onDatabase } from './support/connections.ts'
import { TASK_PATH, postTask } from './support/older.ts'
import { KEY } from './support/quotes.ts'
import { insertCompany, insertKey } from './support/records.ts'
import { startServer } from './support/server.ts'
import type { Answer } from './support/server.ts'
import { KIB_256, anError, bodyOfSize, createTaskApi, expectRejected } from './support/task-create.ts'

const { pool, connection, server, post, create } = await createTaskApi()

describe('A3, A4: denials and failures have the shape {error}', () => {
  it('sends the same 401 for every reason', async () => {
    await insertCompany(pool, 'co_pro', { key: 'key-of-a-pro-plan', plan: 'PRO' })
    await insertCompany(pool, 'co_basic', { key: 'key-of-a-basic-plan', plan: 'BASIC' })
    await insertCompany(pool, 'co_legacy', { key: 'key-of-a-legacy-plan', plan: 'LEGACY_PRO' })
    await insertCompany(pool, 'co_far', { key: 'key-from-elsewhere', allowedIps: ['192.0.2.1'] })
    await insertKey(pool, 'co_1', 'key-that-is-revoked', { revokedAt: '2026-01-01T00:00:00Z' })
    const answers: Answer[] = []
    for (const key of [
      undefined,
      '',
      'short',
      'key-that-is-unknown',
      'key-that-is-revoked',
      'key-of-a-pro-plan',
      'key-of-a-basic-plan',
      'key-of-a-legacy-plan',
      'key-from-elsewhere',
    ]) {
      answers.push(await create({}, { 'x-api-key': key }))
    }
    for (const { status, body } of answers) {
      expect(status).toBe(401)
      expect(body).toEqual(anError)
    }
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })

  it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'responds to %s with 405 and Allow, also without a key',
    async (method) => {
      for (const headers of [{}, { 'x-api-key': KEY }]) {
        const answer = await server.call(TASK_PATH, { method, headers })
        expect(answer.status).toBe(405)
        expect(answer.headers['allow']).toBe('POST')
        expect(answer.body).toEqual(anError)
      }
    },
  )

  it('responds to HEAD with 405 without a body', async () => {
    const answer = await server.call(TASK_PATH, { method: 'HEAD', headers: { 'x-api-key': KEY } })
    expect([answer.status, answer.headers['allow'], answer.text]).toEqual([405, 'POST', ''])
  })

  it('A9: responds with 429 and retry-after, and counts authenticated requests only', async () => {
    const limited = await startServer(connection, { rateLimitPerMinute: 1 })
    const body = { eventId: 'ev_1', description: 'x' }
    for (let i = 0; i < 5; i++) {
      expect((await postTask(limited, body, { 'x-api-key': 'key-that-is-unknown' })).status).toBe(401)
    }
    // A new minute can begin in between. Two of four consecutive requests are in one minute.
    const answers: Answer[] = []
    for (let i = 0; i < 4; i++) answers.push(await postTask(limited, body))
    expect(answers[0]?.status).toBe(201)
    const limitedAnswer = answers.find(({ status }) => status === 429)
    expect(limitedAnswer?.body).toEqual(anError)
    expect(Number(limitedAnswer?.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect(Number(limitedAnswer?.headers['retry-after'])).toBeLessThanOrEqual(60)
  })

  it('responds with 500 without details if the database fails after authentication', async () => {
    const data = openPool(onDatabase(connection, 'no_such_database'), 'data', () => undefined)
    const broken = await startServer(connection, { data })
    const body = { eventId: 'ev_1', description: 'x' }
    for (const headers of [{}, { 'idempotency-key': 'k' }]) {
      const answer = await postTask(broken, body, headers)
      expect(answer.status).toBe(500)
      expect(answer.body).toEqual(anError)
      expect(answer.text).not.toMatch(/no_such_database|postgres|FATAL/i)
    }
    // Checks without the database still run.
    await expectRejected(postTask(broken, {}), 'eventId', 'description')
    await data.end()
  })

  it('responds with 503 and retry-after if keys cannot be read', async () => {
    const keys = openPool(onDatabase(connection, 'no_such_database'), 'keys', () => undefined)
    const broken = await startServer(connection, { keys })
    const answer = await postTask(broken, { eventId: 'ev_1', description: 'x' })
    expect(answer.status).toBe(503)
    expect(answer.headers['retry-after']).toBe('1')
    expect(answer.body).toEqual(anError)
    expect((await postTask(broken, {}, { 'x-api-key': undefined })).status).toBe(401)
    await keys.end()
  })
})

describe('R1: the order of checks', () => {
  const large = bodyOfSize(KIB_256 + 1)
  const unknownKey = { 'x-api-key': 'key-that-is-unknown' }

  it('checks the method before key, size and body', async () => {
    for (const headers of [{}, { 'content-type': 'nonsense' }, { 'content-type': 'application/json' }]) {
      const answer = await server.call(TASK_PATH, { method: 'PUT', headers, body: large })
      expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST'])
      expect(answer.body).toEqual(anError)
    }
  })

  it('checks the path before key, size and body', async () => {
    for (const path of ['/api/task/create/', '/api/task', '/api/task/created']) {
      const headers = { 'content-type': 'nonsense' }
      const answer = await server.call(path, { method: 'POST', headers, body: large })
      expect(answer.status).toBe(404)
      expect(answer.body).toMatchObject({ error: { type: 'invalid_request_error', code: 'not_found' } })
    }
  })

  it('checks the key before size, content type, idempotency-key and body', async () => {
    expect((await post(large, unknownKey)).status).toBe(401)
    expect((await post(large, { ...unknownKey, 'transfer-encoding': 'chunked' })).status).toBe(401)
    expect((await post('{', unknownKey)).status).toBe(401)
    expect((await post('{', { ...unknownKey, 'content-type': 'nonsense' })).status).toBe(401)
    expect((await create({ eventId: 'ev_unknown' }, { ...unknownKey, 'idempotency-key': ' ' })).status).toBe(
      401,
    )
    expect((await post(undefined, { 'x-api-key': undefined, 'content-type': undefined })).status).toBe(401)
  })

  it('checks the size before content type, idempotency-key and body', async () => {
    expect((await post(large, { 'content-type': 'text/plain' })).status).toBe(413)
    expect((await post(large, { 'content-type': 'nonsense' })).status).toBe(413)
    expect((await post(large, { 'content-type': '' })).status).toBe(413)
    expect((await post(large, { 'content-type': undefined })).status).toBe(413)
    expect((await post(large, { 'idempotency-key': '' })).status).toBe(413)
    expect((await post('x'.repeat(KIB_256 + 1))).status).toBe(413)
  })

  it('checks the body before the event', async () => {
    await expectRejected(create({ eventId: 'ev_foreign', dueDate: 'x' }), 'dueDate')
    await expectRejected(create({ eventId: 'ev_foreign' }, { 'idempotency-key': '' }), 'idempotency-key')
  })
})
