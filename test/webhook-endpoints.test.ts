/** GET, POST, DELETE /webhook-endpoints. */
import { describe, expect, it } from 'vitest'
import { readChanges } from './support/actions.ts'
import { createDatabase } from './support/database.ts'
import { KEY, OTHER_KEY, plant } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'
import { startServer } from './support/server.ts'
import { addTask, readDeliveries } from './support/webhooks.ts'

const { pool, connection } = await createDatabase()
await insertCompany(pool, 'co_1', { key: KEY })
await insertCompany(pool, 'co_2', { key: OTHER_KEY })
await plant(pool, 'events', 'co_1', 'ev_1')
const server = await startServer(connection)

interface EndpointObject {
  id: string
  url: string
  status: string
  secret?: string
  createdAt: string
  updatedAt: string
}

const send = (
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
  key = KEY,
) =>
  server.call(`/api/webhook-endpoints${path}`, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
const errorOf = ({ status, body }: { status: number; body: unknown }) => ({
  status,
  ...(body as { error: object }).error,
})
const create = async (body: object = {}) => {
  const input = { url: 'https://192.0.9.1/hook', types: ['*'], ...body }
  const { status, body: made, text } = await send('POST', '', input)
  expect(status, text).toBe(201)
  return made as EndpointObject
}
const clear = () =>
  pool.query(
    'DELETE FROM webhook_deliveries; DELETE FROM webhook_endpoints; UPDATE change_counters SET has_webhooks = false',
  )

describe('POST /webhook-endpoints', () => {
  it('K1, O23: returns the endpoint with its secret, which is stored encrypted and shown once', async () => {
    const made = await create({ types: ['quote.*', 'task.created'], description: 'CRM' })
    expect(made).toEqual({
      object: 'webhookEndpoint',
      id: expect.stringMatching(/^whe_/),
      url: 'https://192.0.9.1/hook',
      types: ['quote.*', 'task.created'],
      description: 'CRM',
      status: 'enabled',
      disabledReason: null,
      createdAt: expect.any(String),
      updatedAt: made.createdAt,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    })
    const { secret = '', ...shown } = made
    expect((await server.get(`/api/webhook-endpoints/${made.id}`, KEY)).body).toEqual(shown)
    const { rows } = await pool.query<{ row: string }>('SELECT e::text AS row FROM webhook_endpoints e')
    expect(rows).toHaveLength(1)
    expect(rows[0]?.row).not.toContain(secret.slice(6, 40))
    expect(JSON.stringify(server.log)).not.toContain(secret.slice(6, 40))
    await clear()
  })

  it('K1, W10: returns the same secret to a retry with the same idempotency key, without storing it', async () => {
    const body = { url: 'https://192.0.9.1/hook', types: ['*'] }
    const first = await send('POST', '', body, { 'idempotency-key': 'once' })
    const second = await send('POST', '', body, { 'idempotency-key': 'once' })
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(second.text).toBe(first.text)
    const { secret = '', id } = first.body as EndpointObject
    const { rows } = await pool.query<{ row: string }>('SELECT i::text AS row FROM idempotency_records i')
    expect(rows[0]?.row).toContain(id)
    expect(rows[0]?.row).not.toContain(secret.slice(6, 40))
    expect((await pool.query('SELECT FROM webhook_endpoints')).rowCount).toBe(1)
    await clear()
  })

  it.each([
    ['a missing url', { types: ['*'] }, 'url'],
    ['another scheme', { url: 'ftp://example.com/', types: ['*'] }, 'url'],
    ['no host', { url: 'http://', types: ['*'] }, 'url'],
    ['a relative URL', { url: '/hook', types: ['*'] }, 'url'],
    ['a user', { url: 'https://ada@example.com/', types: ['*'] }, 'url'],
    ['an empty user', { url: 'https://@example.com/', types: ['*'] }, 'url'],
    ['a password', { url: ['https://ada', 'word@example.com/'].join(':'), types: ['*'] }, 'url'],
    ['a user after a backslash', { url: 'http://\\ada@192.0.9.1/', types: ['*'] }, 'url'],
    ['a user after three slashes', { url: 'http:///ada@192.0.9.1/', types: ['*'] }, 'url'],
    ['white space', { url: 'https://example.com/a b', types: ['*'] }, 'url'],
    ['a line break', { url: 'https://exam\nple.com/', types: ['*'] }, 'url'],
    ['a long URL', { url: `https://example.com/${'a'.repeat(2_000)}`, types: ['*'] }, 'url'],
    ['a number', { url: 7, types: ['*'] }, 'url'],
    ['no types', { url: 'https://192.0.9.1/' }, 'types'],
    ['empty types', { url: 'https://192.0.9.1/', types: [] }, 'types'],
    ['types that are a text', { url: 'https://192.0.9.1/', types: '*' }, 'types'],
    ['an unknown type', { url: 'https://192.0.9.1/', types: ['*', 'quote.burned'] }, 'types[1]'],
    ['an unknown wildcard', { url: 'https://192.0.9.1/', types: ['key.*'] }, 'types[0]'],
    ['a type twice', { url: 'https://192.0.9.1/', types: ['*', '*'] }, 'types[1]'],
    [
      'a long description',
      { url: 'https://192.0.9.1/', types: ['*'], description: 'x'.repeat(10_001) },
      'description',
    ],
    ['an unknown member', { url: 'https://192.0.9.1/', types: ['*'], secret: 'x' }, 'secret'],
    ['a status', { url: 'https://192.0.9.1/', types: ['*'], status: 'enabled' }, 'status'],
  ])('K1, W4: rejects %s', async (_, body, param) => {
    expect(errorOf(await send('POST', '', body))).toMatchObject({ status: 400, param })
  })

  it.each([
    'http://127.0.0.1:80/',
    'http://[::1]/',
    'http://0x7f.1/',
    'https://169.254.169.254/latest/',
    'http://[::ffff:10.0.0.1]/',
  ])('K6: rejects %s', async (url) => {
    expect(errorOf(await send('POST', '', { url, types: ['*'] }))).toMatchObject({
      status: 400,
      param: 'url',
      message: 'url must have a public address',
    })
  })

  it('K6: accepts a name that does not resolve', async () => {
    await create({ url: 'https://no-such-host.invalid/hook' })
    await clear()
  })

  it('K6: accepts private addresses with WEBHOOK_ALLOW_PRIVATE', async () => {
    const open = await startServer(connection, { webhookAllowPrivate: true })
    const made = await open.call('/api/webhook-endpoints', {
      method: 'POST',
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ url: 'http://127.0.0.1:4000/', types: ['*'] }),
    })
    expect(made.status).toBe(201)
    await clear()
  })

  it('K1: rejects the 21st endpoint, also of concurrent requests', async () => {
    const body = { url: 'https://192.0.9.1/hook', types: ['*'] }
    const all = await Promise.all(Array.from({ length: 25 }, () => send('POST', '', body)))
    expect(all.filter(({ status }) => status === 201)).toHaveLength(20)
    const rejected = all.find(({ status }) => status === 409)
    expect(rejected && errorOf(rejected)).toEqual({
      status: 409,
      type: 'conflict_error',
      code: 'too_many_endpoints',
      message: 'A company can have 20 webhook endpoints. Delete one first.',
    })
    await clear()
  })
})

describe('GET /webhook-endpoints', () => {
  it('K1, R17, R19: lists newest first, in pages', async () => {
    const ids: string[] = []
    for (let i = 0; i < 3; i++) ids.unshift((await create()).id)
    const list = async (query: string) => {
      const { body, headers } = await server.get(`/api/webhook-endpoints${query}`, KEY)
      const { data, hasMore } = body as { data: EndpointObject[]; hasMore: boolean }
      return [data.map(({ id }) => id), hasMore, headers['x-cursor']]
    }
    expect(await list('')).toEqual([ids, false, undefined])
    expect(await list('?limit=2')).toEqual([ids.slice(0, 2), true, undefined])
    expect(await list(`?limit=2&starting_after=${ids[1]}`)).toEqual([ids.slice(2), false, undefined])
    expect(await list('?starting_after=unknown')).toEqual([[], false, 'not-found'])
    expect((await server.get('/api/webhook-endpoints', OTHER_KEY)).body).toMatchObject({ data: [] })
    expect(errorOf(await server.get('/api/webhook-endpoints?expand[]=data.x', KEY))).toMatchObject({
      status: 400,
      param: 'expand',
    })
    await clear()
  })
})

describe('POST, DELETE /webhook-endpoints/{id}', () => {
  it('K1, W3, W8: changes the members that are sent', async () => {
    const { id, secret: _, ...made } = await create({ description: 'CRM' })
    const same = await send('POST', `/${id}`, { description: 'CRM', status: 'enabled' })
    expect(same.body).toEqual({ ...made, id })
    const changed = await send('POST', `/${id}`, { types: ['task.*'], description: null })
    expect(changed.body).toMatchObject({ url: made.url, types: ['task.*'], description: null })
    expect((changed.body as EndpointObject).updatedAt > made.updatedAt).toBe(true)
    for (const [body, param] of [
      [{ status: 'paused' }, 'status'],
      [{ url: null }, 'url'],
      [{ url: 'http://10.0.0.1/' }, 'url'],
      [{ types: ['x'] }, 'types[0]'],
    ] as const)
      expect(errorOf(await send('POST', `/${id}`, body))).toMatchObject({ status: 400, param })
    await clear()
  })

  it('K1: a disabled endpoint gets no deliveries, and its pending ones fail', async () => {
    const { id } = await create()
    await addTask(pool)
    expect((await send('POST', `/${id}`, { status: 'disabled' })).body).toMatchObject({
      status: 'disabled',
      disabledReason: null,
    })
    await addTask(pool)
    expect((await readDeliveries(pool)).map(({ status }) => status)).toEqual(['failed'])
    await pool.query(`UPDATE webhook_endpoints SET disabled_reason = 'x'`)
    expect((await send('POST', `/${id}`, { status: 'enabled' })).body).toMatchObject({
      status: 'enabled',
      disabledReason: null,
    })
    await addTask(pool)
    expect((await readDeliveries(pool)).map(({ status }) => status)).toEqual(['failed', 'pending'])
    await clear()
  })

  it('K1, W9: deletes the endpoint with its deliveries', async () => {
    const { id } = await create()
    await addTask(pool)
    expect((await send('DELETE', `/${id}`)).body).toEqual({ object: 'webhookEndpoint', id, deleted: true })
    expect(await readDeliveries(pool)).toEqual([])
    expect(errorOf(await send('DELETE', `/${id}`))).toMatchObject({ status: 404 })
    const { rows } = await pool.query(`SELECT has_webhooks FROM change_counters WHERE company_id = 'co_1'`)
    expect(rows).toEqual([{ has_webhooks: false }])
  })

  it.each([
    ['GET', '', undefined],
    ['POST', '', {}],
    ['DELETE', '', undefined],
    ['POST', '/rotate', {}],
    ['POST', '/replay', { since: '2026-01-01T00:00:00Z' }],
  ])(
    'W6, A11: %s %s responds with the same 404 to an unknown and a foreign endpoint',
    async (method, path, body) => {
      const { id } = await create()
      const foreign = await send(method, `/${id}${path}`, body, {}, OTHER_KEY)
      expect(errorOf(foreign)).toEqual({
        status: 404,
        type: 'invalid_request_error',
        code: 'not_found',
        message: 'Webhook endpoint not found',
        param: 'id',
      })
      expect((await send(method, `/unknown${path}`, body)).text).toBe(foreign.text)
      await clear()
    },
  )

  it('F1: records no change', async () => {
    const before = (await readChanges(pool)).length
    const { id } = await create()
    await send('POST', `/${id}/rotate`, {})
    await send('DELETE', `/${id}`)
    expect((await readChanges(pool)).length).toBe(before)
  })
})

describe('POST /webhook-endpoints/{id}/rotate', () => {
  it('K1, W10: returns a new secret, also to a retry', async () => {
    const made = await create()
    const first = await send('POST', `/${made.id}/rotate`, undefined, { 'idempotency-key': 'rotate' })
    const { secret } = first.body as EndpointObject
    expect(secret).toMatch(/^whsec_/)
    expect(secret).not.toBe(made.secret)
    const again = await send('POST', `/${made.id}/rotate`, undefined, { 'idempotency-key': 'rotate' })
    expect(again.text).toBe(first.text)
    const { rows } = await pool.query<{ until: string | null }>(
      `SELECT s->>'until' AS until FROM webhook_endpoints, jsonb_array_elements(secrets) s`,
    )
    const hours = rows.map(({ until }) => until && Math.round((Date.parse(until) - Date.now()) / 3_600_000))
    expect(hours).toEqual([null, 24])
    await clear()
  })

  it.each([-1, 73, 1.5, '24', null])('K1: rejects overlapHours %j', async (overlapHours) => {
    const { id } = await create()
    expect(errorOf(await send('POST', `/${id}/rotate`, { overlapHours }))).toMatchObject({
      status: 400,
      param: 'overlapHours',
    })
    await clear()
  })
})

describe('POST /webhook-endpoints/{id}/replay', () => {
  it('K5: adds deliveries of the stored changes of its types since a time, in order', async () => {
    await addTask(pool)
    const { id } = await create({ types: ['task.created'] })
    await addTask(pool)
    const total = (await readChanges(pool)).length
    expect((await readDeliveries(pool)).map(({ change }) => change)).toEqual([total])
    const replayed = await send('POST', `/${id}/replay`, { since: '2026-01-01T00:00:00Z' })
    expect(replayed.body).toMatchObject({ object: 'webhookEndpoint', id })
    const all = Array.from({ length: total }, (_, i) => i + 1)
    expect((await readDeliveries(pool)).map(({ change }) => change)).toEqual([total, ...all])
    await send('POST', `/${id}/replay`, { since: '2100-01-01T00:00:00Z' })
    expect(await readDeliveries(pool)).toHaveLength(total + 1)
    for (const body of [{}, { since: 'yesterday' }, { since: null }])
      expect(errorOf(await send('POST', `/${id}/replay`, body))).toMatchObject({
        status: 400,
        param: 'since',
      })
    await send('POST', `/${id}`, { status: 'disabled' })
    expect(errorOf(await send('POST', `/${id}/replay`, { since: '2026-01-01T00:00:00Z' }))).toMatchObject({
      status: 409,
      type: 'conflict_error',
      code: 'endpoint_disabled',
    })
    await clear()
  })
})
