import { describe, expect, it } from 'vitest'
import { generateApiKey } from '../src/core/security/api-key.ts'
import { newId } from '../src/core/ids.ts'
import { listRequests } from '../src/records/request-log/queries.ts'
import { rawRequest } from './support/raw.ts'
import { insert, insertKey, insertResource } from './support/records.ts'
import { readLog, startLoggingServer } from './support/request-log.ts'
import { DAY_MS, createRequestLog } from './support/request-log-entries.ts'

const { pool, connection, server, newCompany, entriesOf, lastUseOf } = await createRequestLog()

describe('an entry of the request log', () => {
  it('has time, key, request, status, duration and request id', async () => {
    const { id, key, keyId } = await newCompany()
    await insertResource(pool, id, 'res_1')
    const before = Date.now()
    await server.get('/api/resources/res_1', key, { 'x-request-id': 'trace-1' })
    const [entry] = await entriesOf(id, 1)
    expect(entry).toEqual({
      id: expect.stringMatching(/^log_[0-9a-f-]{36}$/) as string,
      at: expect.any(String) as string,
      key_id: keyId,
      method: 'GET',
      path: '/api/resources/res_1',
      status: 200,
      duration_us: expect.any(Number) as number,
      request_id: 'trace-1',
      denial: null,
      error_code: null,
      error_message: null,
      error_param: null,
    })
    const at = Date.parse(String(entry?.['at']))
    expect(at >= before && at <= Date.now()).toBe(true)
    const line = server.log.find(({ company, msg }) => company === id && msg === 'request')
    expect(Number(line?.['durationMs'])).toBeGreaterThan(0)
    expect(entry?.['duration_us']).toBe(Math.round(Number(line?.['durationMs']) * 1_000))
  })

  it('exists for each response to a known key, in order, with the original path and query', async () => {
    const { id, key } = await newCompany()
    await server.get('/api/resources?limit=0', key)
    await server.get('/api/staff/%6eobody?expand[]=%zz', key)
    await server.call('/api/task/create', {
      method: 'POST',
      headers: { 'x-api-key': key },
      body: 'secret body',
    })
    await server.call('/api/quotes', { method: 'HEAD', headers: { 'x-api-key': key } })
    const entries = await entriesOf(id, 4)
    expect(
      entries.map(({ method, path, status }) => `${String(method)} ${String(path)} ${String(status)}`),
    ).toEqual([
      'GET /api/resources?limit=0 400',
      'GET /api/staff/%6eobody?expand[]=%zz 400',
      'POST /api/task/create 400',
      'HEAD /api/quotes 200',
    ])
    expect(JSON.stringify(entries)).not.toContain('secret body')
  })

  it('exists for an unknown path and a wrong method, which are rejected before the key is checked', async () => {
    const { id, key, keyId } = await newCompany()
    await server.get('/api/quote?limit=1', key, { 'x-request-id': 'typo' })
    await server.get('/api/quotes/', key)
    await server.call('/api/quotes', { method: 'PUT', headers: { 'x-api-key': key }, body: '{}' })
    await server.get(`/api/nothing/${key}`, key)
    const entries = await entriesOf(id, 4)
    expect(
      entries.map(({ method, path, status }) => `${String(method)} ${String(path)} ${String(status)}`),
    ).toEqual([
      'GET /api/quote?limit=1 404',
      'GET /api/quotes/ 404',
      'PUT /api/quotes 405',
      'GET /api/nothing/[key] 404',
    ])
    expect(entries[0]).toMatchObject({ key_id: keyId, request_id: 'typo', denial: null })
    // It was denied.
    expect(await lastUseOf(id, keyId)).toBe(null)
  })

  it('belongs to the company of the key for unknown paths, too', async () => {
    const one = await newCompany()
    const other = await newCompany()
    await server.get('/api/mine', one.key)
    await server.get('/api/theirs', other.key)
    expect(await entriesOf(one.id, 1)).toMatchObject([{ path: '/api/mine', key_id: one.keyId }])
    expect(await entriesOf(other.id, 1)).toMatchObject([{ path: '/api/theirs', key_id: other.keyId }])
  })

  it('is written before the process ends for unknown paths, too', async () => {
    const { id, key } = await newCompany()
    const own = await startLoggingServer(connection)
    await own.get('/api/nothing', key)
    await own.requestLog.stop()
    expect(await readLog(pool, id)).toHaveLength(1)
  })

  it('does not exist without a key, for an unknown key, and for paths outside of the API', async () => {
    const { id, key } = await newCompany()
    const { rows } = await pool.query<{ count: number }>('SELECT count(*)::int AS count FROM request_log')
    await server.call('/api/resources')
    await server.get('/api/resources', generateApiKey())
    await server.get('/api/nothing', generateApiKey())
    await server.get('/api/nothing', 'short')
    await server.get('/nothing', key)
    await server.call('/healthz')
    await server.get('/api/resources', key)
    await entriesOf(id, 1)
    const now = await pool.query<{ count: number }>('SELECT count(*)::int AS count FROM request_log')
    expect(now.rows[0]?.count).toBe((rows[0]?.count ?? 0) + 1)
  })

  it('has the key and the reason of a denial', async () => {
    const revoked = await newCompany()
    await pool.query('UPDATE api_keys SET revoked_at = now() WHERE company_id = $1', [revoked.id])
    const elsewhere = await newCompany({ allowedIps: ['192.0.2.1'] })
    const basic = await newCompany({ plan: 'BASIC' })
    for (const [{ id, key, keyId }, denial] of [
      [revoked, 'revoked key'],
      [elsewhere, 'address 127.0.0.1 not allowed'],
      [basic, 'plan BASIC lacks access'],
    ] as const) {
      expect((await server.get('/api/resources', key)).status).toBe(401)
      expect(await entriesOf(id, 1)).toMatchObject([
        { status: 401, denial, key_id: keyId, path: '/api/resources' },
      ])
      // A denial is not a use.
      expect(await lastUseOf(id, keyId)).toBe(null)
    }
  })

  it('belongs to the company of the key only', async () => {
    const one = await newCompany()
    const other = await newCompany()
    await Promise.all([
      server.get('/api/quotes?mine=1', one.key),
      server.get('/api/quotes?theirs=1', other.key),
    ])
    expect(await entriesOf(one.id, 1)).toMatchObject([{ path: '/api/quotes?mine=1', key_id: one.keyId }])
    expect(await entriesOf(other.id, 1)).toMatchObject([
      { path: '/api/quotes?theirs=1', key_id: other.keyId },
    ])
    const filter = { keyId: null, method: null, statuses: [0, 999], pathPart: null, requestId: null } as const
    const page = { before: null, limit: 10, now: Date.now() }
    expect((await listRequests(pool, one.id, filter, page)).map(({ path }) => path)).toEqual([
      '/api/quotes?mine=1',
    ])
    expect(await listRequests(pool, one.id, { ...filter, keyId: other.keyId }, page)).toEqual([])
  })
})

describe('keys in paths', () => {
  it('are replaced in any encoding, and paths are cut to 500 characters', async () => {
    const { id, key } = await newCompany()
    const imported = `Imported/${key.slice(-8)}`
    await insertKey(pool, id, imported)
    const hexadecimal = Buffer.from(key).toString('hex').replaceAll(/../g, '%$&')
    await server.get(`/api/resources/${key}`, key)
    await server.get(`/api/resources?key=${hexadecimal}&limit=1`, key)
    await server.get(`/api/resources?key=${generateApiKey()}`, key)
    await server.get(`/api/resources?key=${encodeURIComponent(imported)}`, imported)
    await server.get(`/api/resources?long=${'x'.repeat(474)}${key}`, key, {
      'x-request-id': `a%20${hexadecimal.slice(0, 100)}`,
    })
    await server.raw(rawRequest(`GET http://some.host/api/resources?${key} HTTP/1.1`, [`x-api-key: ${key}`]))
    const entries = await entriesOf(id, 6)
    expect(entries.map(({ path }) => path)).toEqual([
      '/api/resources/[key]',
      '/api/resources?key=[key]&limit=1',
      '/api/resources?key=[key]',
      '/api/resources?key=[key]',
      `/api/resources?long=${'x'.repeat(474)}[key]`,
      'http://some.host/api/resources?[key]',
    ])
    expect(JSON.stringify(entries)).not.toContain(key.slice(4, 16))
  })
})

describe('filters of the log', () => {
  it('find entries by key, method, status, part of the path and request id, newest first, in pages', async () => {
    const { id } = await newCompany()
    const plantEntry = async (row: Record<string, unknown>) => {
      const entry = {
        company_id: id,
        id: newId('log'),
        at: new Date(),
        key_id: 'key_a',
        method: 'GET',
        path: '/api/quotes',
      }
      await insert(pool, 'request_log', { ...entry, status: 200, duration_us: 1, request_id: 'r', ...row })
    }
    await plantEntry({ path: '/api/quotes/1' })
    await plantEntry({ path: '/api/Quotes/2', status: 404, request_id: 'r2' })
    await plantEntry({ path: '/api/staff/3', status: 500, key_id: 'key_b' })
    await plantEntry({ path: '/api/task/create/4', status: 201, method: 'POST' })
    await plantEntry({ path: '/api/100%_5', status: 401, denial: 'revoked key' })
    const all = { keyId: null, method: null, statuses: [0, 999] as const, pathPart: null, requestId: null }
    const find = async (filter: object, page: object = {}) => {
      const rows = await listRequests(
        pool,
        id,
        { ...all, ...filter },
        { before: null, limit: 10, now: Date.now(), ...page },
      )
      return rows.map(({ path }) => path.at(-1)).join('')
    }
    expect(await find({})).toBe('54321')
    expect(await find({ keyId: 'key_b' })).toBe('3')
    expect(await find({ method: 'POST' })).toBe('4')
    expect(await find({ statuses: [400, 599] })).toBe('532')
    expect(await find({ statuses: [200, 299] })).toBe('41')
    expect(await find({ pathPart: 'QUOTES' })).toBe('21')
    expect(await find({ pathPart: '%_' })).toBe('5')
    expect(await find({ requestId: 'r2' })).toBe('2')
    const [first, second] = await listRequests(pool, id, all, { before: null, limit: 2, now: Date.now() })
    expect([first?.path, first?.denial, first?.keyName]).toEqual(['/api/100%_5', 'revoked key', null])
    expect(await find({}, { before: second?.id, limit: 2 })).toBe('32')
    expect(await find({}, { now: Date.now() + 8 * DAY_MS })).toBe('')
  })
})
