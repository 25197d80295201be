import { describe, expect, it } from 'vitest'
import { generateApiKey } from '../src/core/security/api-key.ts'
import { ENDPOINTS } from '../src/api/endpoints.ts'
import { createDatabase } from './support/database.ts'
import { TEST_ENDPOINTS } from './support/endpoints.ts'
import { startProxy } from './support/database-proxy.ts'
import { rawRequest } from './support/raw.ts'
import { insert, insertCompany, insertKey, insertResource } from './support/records.ts'
import { startServer } from './support/server.ts'
import type { TestServer } from './support/server.ts'

const KEY = generateApiKey()
const REVOKED = generateApiKey()
const IMPORTED = 'Imported-Key-0123456789'
const UNKNOWN = generateApiKey()
const { pool, connection } = await createDatabase()
const server = await startServer(connection)

await insertCompany(pool, 'co_1', { key: KEY })
await insertKey(pool, 'co_1', IMPORTED, { id: 'key_imported' })
await insertKey(pool, 'co_1', REVOKED, { id: 'key_revoked', revokedAt: '2026-01-01T00:00:00Z' })
await insertCompany(pool, 'co_list', { allowedIps: ['192.0.2.1'] })
await insertKey(pool, 'co_list', 'key-for-another-address', { id: 'key_list' })
await insertCompany(pool, 'co_pro', { plan: 'PRO' })
await insertKey(pool, 'co_pro', 'key-of-a-pro-plan', { id: 'key_pro' })
await insertResource(pool, 'co_1', 'res_1')

async function linesOf(
  path: string,
  headers: Record<string, string>,
  method = 'GET',
): Promise<Record<string, unknown>[]> {
  const answer = await server.call(path, { method, headers })
  return server.log.filter(({ requestId }) => requestId === answer.headers['x-request-id'])
}

/** Sends a key in every place of a request, correctly or by mistake. */
async function sendEverywhere(on: TestServer, key: string): Promise<void> {
  const encoded = encodeURIComponent(key)
  const own = { 'x-api-key': key }
  for (const headers of [{}, own]) {
    for (const path of [
      `/api/resources?x-api-key=${encoded}`,
      `/api/resources?${encoded}=1`,
      `/api/resources?location_id=${encoded}&starting_after=${encoded}`,
      `/api/resources?expand[]=${encoded}`,
      `/api/resources?limit=${encoded}`,
      `/api/resources?limit[${encoded}]=1`,
      `/api/resources/${encoded}`,
      `/api/staff/${encoded}?expand[]=${encoded}`,
      `/api/resources/${encoded}/`,
      `/api/resources/?${encoded}`,
      `/api/${encoded}`,
      `/${encoded}`,
      `/api/resources/%zz${encoded}`,
      `/api/resources?${'x'.repeat(17_000)}${encoded}`,
    ]) {
      await on.call(path, { headers })
    }
    for (const name of [
      'x-forwarded-for',
      'authorization',
      'cookie',
      'user-agent',
      'referer',
      'host',
      'x-other',
    ]) {
      await on.call('/api/resources', { headers: { ...headers, [name]: key } })
    }
  }
  for (const id of [key, `trace-${key}`, `${key}.1`]) {
    await on.call('/api/resources', { headers: { ...own, 'x-request-id': id } })
  }
  await on.call(`/api/resources/${encoded}`, { method: 'POST', headers: own, body: key })
  const post = { method: 'POST', headers: { ...own, 'content-type': 'application/json' } }
  await on.call('/api/test-structured-post', { ...post, body: `{${key}` })
  await on.call('/api/test-structured-post', { ...post, body: `"${key.repeat(7000)}"` })
  await on.raw(rawRequest(`GET /api/resources HTTP/1.1`, [`x-api-key: ${key}`, `nonsense ${key}`]))
  await on.raw(rawRequest(`${key} / HTTP/1.1`))
}

describe('the line of a request', () => {
  it('has time, request id, method, route, status, duration and company', async () => {
    const [line, ...others] = await linesOf('/api/resources/res_1', {
      'x-api-key': KEY,
      'x-request-id': 'trace-1',
    })
    expect(others).toEqual([])
    expect(line).toEqual({
      level: 30,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      pid: process.pid,
      requestId: 'trace-1',
      method: 'GET',
      route: '/api/resources/:id',
      status: 200,
      durationMs: expect.any(Number) as number,
      company: 'co_1',
      msg: 'request',
    })
    expect(line?.['durationMs']).toBeGreaterThan(0)
  })

  it.each([
    ['/api/resources', 'GET', 200, '/api/resources', 'co_1'],
    ['/api/resources?limit=0', 'GET', 400, '/api/resources', 'co_1'],
    ['/api/resources/unknown', 'GET', 404, '/api/resources/:id', 'co_1'],
    ['/api/staff/unknown', 'HEAD', 404, '/api/staff/:id', 'co_1'],
    ['/api/unknown', 'GET', 404, 'unknown', undefined],
    ['/api/resources', 'POST', 405, 'unknown', undefined],
    ['/healthz', 'GET', 200, '/healthz', undefined],
  ])('has the route and company of %s, %s: %i', async (path, method, status, route, company) => {
    const lines = await linesOf(path, { 'x-api-key': KEY }, method)
    expect(lines.length).toBe(1)
    expect(lines[0]).toMatchObject({ msg: 'request', method, status, route })
    expect(lines[0]?.['company']).toBe(company)
  })
})

describe('A3: the reason of a denial', () => {
  it.each([
    ['no key', {}, undefined, undefined],
    ['malformed key', { 'x-api-key': 'short' }, undefined, undefined],
    ['unknown key', { 'x-api-key': UNKNOWN }, undefined, undefined],
    ['revoked key', { 'x-api-key': REVOKED }, 'co_1', 'key_revoked'],
    ['address 127.0.0.1 not allowed', { 'x-api-key': 'key-for-another-address' }, 'co_list', 'key_list'],
    ['plan PRO lacks access', { 'x-api-key': 'key-of-a-pro-plan' }, 'co_pro', 'key_pro'],
  ])(
    'is in the log with known company and key id, but not in the response: %s',
    async (reason, headers, company, keyId) => {
      const requestId = `denied: ${reason}`.replaceAll(' ', '_')
      const answer = await server.call('/api/resources', {
        headers: { ...headers, 'x-request-id': requestId },
      })
      expect(answer.status).toBe(401)
      expect(answer.text).not.toMatch(/revoked|malformed|unknown|address|plan|127\.0\.0\.1/i)
      const lines = server.log.filter((line) => line['requestId'] === requestId)
      expect(lines.map(({ msg }) => msg)).toEqual(['access denied', 'request'])
      expect(lines[0]).toMatchObject({ level: 30, reason })
      expect([lines[0]?.['company'], lines[0]?.['keyId']]).toEqual([company, keyId])
    },
  )
})

describe('A5: the log', () => {
  const endpoints = [...ENDPOINTS, ...TEST_ENDPOINTS]
  const keys: [name: string, key: string][] = [
    ['a valid key', KEY],
    ['an imported key', IMPORTED],
    ['a revoked key', REVOKED],
    ['an unknown key', UNKNOWN],
  ]

  it.each(keys)('does not contain %s, with and without a trusted proxy', async (_, key) => {
    for (const trustedProxies of [[], ['127.0.0.1']]) {
      const on = await startServer(connection, { endpoints, trustedProxies })
      await sendEverywhere(on, key)
      expect(on.log.length).toBeGreaterThan(40)
      expect(JSON.stringify(on.log)).not.toContain(key)
      // Also no part from which the key can be guessed.
      expect(JSON.stringify(on.log)).not.toContain(key.slice(6, 18))
    }
  })

  it('contains no keys while the database of keys or data is unavailable', async () => {
    const proxy = await startProxy(connection)
    const denying = await startServer(connection, { endpoints, keysConnection: proxy.connection })
    const failing = await startServer(connection, { endpoints, dataConnection: proxy.connection })
    await proxy.refuse()
    for (const on of [denying, failing]) {
      await sendEverywhere(on, KEY)
      expect(on.log.some(({ level }) => level === 50)).toBe(true)
      expect(JSON.stringify(on.log)).not.toContain(KEY)
    }
    expect(denying.log.some(({ status }) => status === 503)).toBe(true)
    expect(failing.log.some(({ status }) => status === 500)).toBe(true)
  })

  it('contains no keys from request ids', async () => {
    for (const id of [KEY, UNKNOWN, `a-${KEY}-b`]) {
      const answer = await server.call('/api/resources', { headers: { 'x-request-id': id } })
      expect(answer.headers['x-request-id']).toMatch(/^req_/)
    }
    expect(JSON.stringify(server.log)).not.toContain(KEY)
  })
})

describe('a database error', () => {
  const PRIVATE = 'call ada@example.com'
  const settings = (id: string) => ({
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json', 'x-request-id': id },
    body: JSON.stringify({ eventId: 'evt_1', description: PRIVATE }),
  })

  it.each([
    [
      'a check constraint, whose detail contains the row',
      `ALTER TABLE tasks ADD CONSTRAINT no_call CHECK (description NOT LIKE 'call%')`,
      'ALTER TABLE tasks DROP CONSTRAINT no_call',
      { code: '23514', table: 'tasks', constraint: 'no_call' },
    ],
    [
      'a unique index, whose detail contains the values',
      `CREATE UNIQUE INDEX one_each ON tasks (company_id, description);
       INSERT INTO tasks (company_id, id, event_id, description) VALUES ('co_1', 'first', 'evt_1', '${PRIVATE}')`,
      'DROP INDEX one_each',
      { code: '23505', table: 'tasks', constraint: 'one_each' },
    ],
    [
      'a conversion, whose message and context contain the value',
      `CREATE FUNCTION as_number() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN EXECUTE format('SELECT %L::integer', NEW.description); RETURN NEW; END $$;
       CREATE TRIGGER as_number BEFORE INSERT ON tasks FOR EACH ROW EXECUTE FUNCTION as_number()`,
      'DROP FUNCTION as_number CASCADE',
      { code: '22P02', message: 'invalid input syntax for type integer …' },
    ],
  ])('is logged without values: %s', async (_, provoke, undo, logged) => {
    await insert(pool, 'events', {
      company_id: 'co_1',
      id: 'evt_1',
      service_start_time: '2026-06-01T10:00:00Z',
      service_end_time: '2026-06-01T18:00:00Z',
    }).catch(() => undefined)
    await pool.query(provoke)
    try {
      const answer = await server.call('/api/task/create', settings(`id-${logged.code}`))
      expect(answer.status).toBe(500)
    } finally {
      await pool.query(undo)
    }
    const failures = server.log.filter(
      ({ requestId, level }) => requestId === `id-${logged.code}` && level === 50,
    )
    expect(failures).toMatchObject([{ err: { severity: 'ERROR', ...logged } }])
    expect(JSON.stringify(server.log)).not.toContain('ada@example.com')
  })
})

describe('LOG_LEVEL', () => {
  it.each([
    ['debug', ['access denied', 'request', 'request']],
    ['info', ['access denied', 'request', 'request']],
    ['warn', []],
    ['error', []],
  ])('%s logs %j for a denial and a response', async (logLevel, messages) => {
    const on = await startServer(connection, { logLevel })
    await on.call('/api/resources')
    await on.get('/api/resources', KEY)
    const written = on.log.map(({ msg }) => String(msg)).filter((msg) => !msg.startsWith('Server listening'))
    expect(written).toEqual(messages)
  })

  it('error logs failures with request id and company', async () => {
    const proxy = await startProxy(connection)
    const on = await startServer(connection, { logLevel: 'error', dataConnection: proxy.connection })
    await proxy.refuse()
    await on.get('/api/resources', KEY, { 'x-request-id': 'trace-2' })
    expect(on.log.length).toBe(1)
    expect(on.log[0]).toMatchObject({
      level: 50,
      msg: 'request failed',
      requestId: 'trace-2',
      company: 'co_1',
    })
    expect(on.log[0]?.['err']).toMatchObject({ message: expect.any(String) as string })
  })
})

describe('R14: the request id', () => {
  it('is in every line of a request', async () => {
    const proxy = await startProxy(connection)
    const on = await startServer(connection, { dataConnection: proxy.connection })
    await on.get('/api/resources', KEY)
    await proxy.refuse()
    for (const path of ['/api/resources', '/api/unknown', '/readyz', '/api/resources/'])
      await on.get(path, KEY)
    await on.call('/api/resources')
    const written = on.log.filter(({ msg }) => !String(msg).startsWith('Server listening'))
    expect(written.length).toBe(8)
    expect(written.filter(({ requestId }) => typeof requestId !== 'string')).toEqual([])
  })
})
