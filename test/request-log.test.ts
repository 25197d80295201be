import { describe, expect, it, vi } from 'vitest'
import { generateApiKey } from '../src/core/security/api-key.ts'
import { newId } from '../src/core/ids.ts'
import { openPool } from '../src/db/connect.ts'
import { LOG_LATEST } from '../src/core/requests/log-allowance.ts'
import { listRequests, thinRequestLog } from '../src/records/request-log/queries.ts'
import { openReplicas } from '../src/db/replica.ts'
import { atEnd } from './support/at-end.ts'
import { createDatabase } from './support/database.ts'
import { startProxy } from './support/database-proxy.ts'
import { rawRequest } from './support/raw.ts'
import { insert, insertCompany, insertKey, insertResource } from './support/records.ts'
import { readLog, startLoggingServer } from './support/request-log.ts'
import type { LoggingServer } from './support/request-log.ts'
import { watchedPool } from './support/watched-pool.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const { pool, connection } = await createDatabase()
const server = await startLoggingServer(connection)

let companies = 0
/** A company of its own for a test, with a key that no cache has seen. */
async function newCompany(
  options: Parameters<typeof insertCompany>[2] = {},
): Promise<{ id: string; key: string; keyId: string }> {
  const id = `co_${++companies}`
  const key = generateApiKey()
  await insertCompany(pool, id, options)
  await insertKey(pool, id, key, { id: `key_${companies}` })
  return { id, key, keyId: `key_${companies}` }
}

/** What the log holds as soon as it is so many entries. */
async function entriesOf(companyId: string, count: number): Promise<Record<string, unknown>[]> {
  await vi.waitFor(async () => expect(await readLog(pool, companyId)).toHaveLength(count), {
    timeout: 8_000,
    interval: 100,
  })
  return readLog(pool, companyId)
}

async function lastUseOf(companyId: string, keyId: string): Promise<number | null> {
  const { rows } = await pool.query<{ at: string }>(
    'SELECT last_used_at AS at FROM api_key_uses WHERE company_id = $1 AND key_id = $2',
    [companyId, keyId],
  )
  return rows[0] === undefined ? null : Date.parse(rows[0].at)
}

describe('an entry of the request log', () => {
  it('says when, which key, what, with which result, how long, and which request', async () => {
    const { id, key, keyId } = await newCompany()
    await insertResource(pool, id, 'res_1')
    const before = Date.now()
    await server.get('/api/resources/res_1', key, { 'x-request-id': 'trace-1' })
    const after = Date.now()
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
    expect(at >= before && at <= after + 50).toBe(true)
    expect(entry?.['duration_us']).toBeGreaterThan(0)
    expect(entry?.['duration_us']).toBeLessThan((after - before + 50) * 1000)
  })

  it('is there for each answer to a known key, in their order, with path and query as they were sent', async () => {
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

  it('is there for mistakes in path and method, which are answered before anybody asks for the key', async () => {
    const { id, key, keyId } = await newCompany()
    await server.get('/api/quote?limit=1', key, { 'x-request-id': 'typo' })
    await server.get('/api/quotes/', key)
    await server.call('/api/quotes', { method: 'POST', headers: { 'x-api-key': key }, body: '{}' })
    await server.get(`/api/nothing/${key}`, key)
    const entries = await entriesOf(id, 4)
    expect(
      entries.map(({ method, path, status }) => `${String(method)} ${String(path)} ${String(status)}`),
    ).toEqual([
      'GET /api/quote?limit=1 404',
      'GET /api/quotes/ 404',
      'POST /api/quotes 405',
      'GET /api/nothing/[key] 404',
    ])
    expect(entries[0]).toMatchObject({ key_id: keyId, request_id: 'typo', denial: null })
    // Nobody was let in with it.
    expect(await lastUseOf(id, keyId)).toBe(null)
  })

  it('is for the company of the key there, too', async () => {
    const one = await newCompany()
    const other = await newCompany()
    await server.get('/api/mine', one.key)
    await server.get('/api/theirs', other.key)
    expect(await entriesOf(one.id, 1)).toMatchObject([{ path: '/api/mine', key_id: one.keyId }])
    expect(await entriesOf(other.id, 1)).toMatchObject([{ path: '/api/theirs', key_id: other.keyId }])
  })

  it('is written before the process ends, there too', async () => {
    const { id, key } = await newCompany()
    const own = await startLoggingServer(connection)
    await own.get('/api/nothing', key)
    await own.requestLog.stop()
    expect(await readLog(pool, id)).toHaveLength(1)
  })

  it('is not there where no company is known: no key, an unknown key, a path that is not the API’s', async () => {
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

  it('of a refused key says why, and to whom it belongs', async () => {
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
      // It was tried, but nobody was let in with it.
      expect(await lastUseOf(id, keyId)).toBe(null)
    }
  })

  it('is for the company of the key alone', async () => {
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

describe('no key is in the log', () => {
  it('however it was put into a path, and of a path no more than 500 characters', async () => {
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

describe('the log costs little', () => {
  it('a storm is kept in part, errors in preference, and the rest is counted', async () => {
    const { id, key } = await newCompany()
    const before = server.requestLog.counts().notKept
    const send = (path: string, count: number) =>
      Promise.all(Array.from({ length: count }, () => server.get(path, key)))
    const startedAt = Date.now()
    await send('/api/resources?limit=1', 150)
    await send('/api/resources?limit=0', 20)
    // From the first to the last answer, in seconds that were begun.
    const seconds = Math.floor(Date.now() / 1000) - Math.floor(startedAt / 1000) + 1
    const notKept = server.requestLog.counts().notKept - before
    const entries = await entriesOf(id, 170 - notKept)
    expect(entries.length).toBeLessThanOrEqual(25 * seconds)
    expect(entries.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(15 * seconds)
    // On a busy machine there are some among them that were too many at once: errors, too.
    expect(entries.filter(({ status }) => Number(status) >= 400).length).toBeGreaterThanOrEqual(10)
    const { text } = await server.call('/metrics')
    expect(text).toContain(`request_log_entries{state="not kept"} ${server.requestLog.counts().notKept}`)
    expect(text).toContain('request_log_entries{state="lost"} 0')
  })

  it('of keys that nobody has, 50 are looked up at once, in one statement that no request waits for', async () => {
    const { id, key } = await newCompany()
    const lookUps: string[][] = []
    const logPool = watchedPool(connection, 'log', (text, [hashes]) => {
      if (text.includes('key_hash = ANY')) lookUps.push(hashes as string[])
    })
    const flooded = await startLoggingServer(connection, { logPool })
    await Promise.all(Array.from({ length: 120 }, () => flooded.get('/api/nothing', generateApiKey())))
    const { counts, stop } = flooded.requestLog
    await stop()
    expect(lookUps.length).toBeGreaterThan(0)
    for (const hashes of lookUps) expect(hashes.length).toBeLessThanOrEqual(50)
    expect(counts()).toEqual({ kept: 0, notKept: 120 - lookUps.flat().length, lost: 0 })
    // What comes then finds a place again.
    await Promise.all(Array.from({ length: 30 }, () => flooded.get('/api/nothing', key)))
    await stop()
    const entries = await readLog(pool, id)
    expect(entries.length).toBeGreaterThanOrEqual(25)
    expect(counts().kept).toBe(entries.length)
    expect(flooded.said).toEqual([])
  })

  it('with one statement a second, on a connection of its own', async () => {
    const { id, key } = await newCompany()
    const statements: string[] = []
    const watched = await startLoggingServer(connection, {
      data: watchedPool(connection, 'data', (text) => statements.push(text)),
      keys: watchedPool(connection, 'keys', (text) => statements.push(text)),
    })
    for (let i = 0; i < 5; i++) await watched.get('/api/resources', key)
    await entriesOf(id, 5)
    expect(statements.length).toBeGreaterThan(0)
    expect(statements.filter((text) => /request_log|api_key_uses/.test(text))).toEqual([])
  })

  it('and none at all before the schema is there', async () => {
    const { id, key, keyId } = await newCompany()
    let migrated = false
    const early = await startLoggingServer(connection, { isMigrated: () => migrated })
    await early.get('/api/resources?early=1', key)
    await early.requestLog.stop()
    expect(await readLog(pool, id)).toEqual([])
    expect(await lastUseOf(id, keyId)).toBe(null)
    migrated = true
    await early.get('/api/resources?late=1', key)
    expect(await entriesOf(id, 1)).toMatchObject([{ path: '/api/resources?late=1' }])
  })
})

describe('while the database of the log is away', () => {
  it.each(['refuse', 'hang'] as const)(
    'connections %s: requests are answered as ever, and what was held is written when it is back',
    async (how) => {
      const { id, key } = await newCompany()
      const proxy = await startProxy(connection)
      const away = await startLoggingServer(connection, { logConnection: proxy.connection })
      await away.get('/api/resources?before=1', key)
      await entriesOf(id, 1)
      await proxy[how]()
      const startedAt = performance.now()
      expect((await away.get('/api/resources?during=1', key)).status).toBe(200)
      // The log's own connections wait for two seconds.
      expect(performance.now() - startedAt).toBeLessThan(1_900)
      await vi.waitFor(() => expect(away.said).toHaveLength(1), 10_000)
      expect((await away.get('/api/resources?during=2', key)).status).toBe(200)
      expect((await away.get('/api/nothing?during=3', key)).status).toBe(404)
      await proxy.forward()
      await vi.waitFor(async () => expect(await readLog(pool, id)).toHaveLength(4), 15_000)
      const entries = await readLog(pool, id)
      expect(entries.map(({ path }) => String(path).split('?')[1])).toEqual([
        'before=1',
        'during=1',
        'during=2',
        'during=3',
      ])
      // The rows may be there before their writer hears of it.
      await vi.waitFor(() => expect(away.said).toHaveLength(2), 10_000)
      expect(away.said).toEqual([
        { level: 'warn', message: 'the request log cannot be written; some of it may be lost' },
        { level: 'info', message: 'the request log is written again' },
      ])
    },
  )

  /** Through the log itself: by requests it would take ten seconds to be allowed so many. */
  const noteMany = ({ requestLog }: LoggingServer, count: number, status: number) => {
    const now = vi.spyOn(Date, 'now')
    let time = Date.now()
    now.mockImplementation(() => (time += 100))
    const holder = { companyId: 'co_storm', keyId: 'key', plan: 'PREMIUM', allowedIps: [], revoked: false }
    const request = {
      holder,
      denial: null,
      failure: null,
      raw: { headers: {} },
      originalUrl: '/api/x',
      id: 'r',
      method: 'GET',
    }
    for (let i = 0; i < count; i++) requestLog.note(request as never, status, 1)
    now.mockRestore()
  }

  it('the log holds 2,000 entries and no more; the rest is lost, and counted', async () => {
    const proxy = await startProxy(connection)
    const away = await startLoggingServer(connection, { logConnection: proxy.connection })
    await proxy.refuse()
    noteMany(away, 2_500, 404)
    expect(away.requestLog.counts()).toEqual({ kept: 2_000, notKept: 0, lost: 500 })
    await vi.waitFor(() => expect(away.said).toHaveLength(1), 5_000)
    await proxy.forward()
    await entriesOf('co_storm', 2_000)
    await pool.query(`DELETE FROM request_log WHERE company_id = 'co_storm'`)
  })

  it('those on their way to a database that hangs are among them, and errors take the places of others', async () => {
    const proxy = await startProxy(connection)
    const away = await startLoggingServer(connection, { logConnection: proxy.connection })
    proxy.hang()
    noteMany(away, 2_500, 200)
    expect(away.requestLog.counts()).toEqual({ kept: 2_000, notKept: 0, lost: 500 })
    // A second later the first of them are on their way.
    await new Promise((resolve) => setTimeout(resolve, 1_300))
    expect(away.said).toEqual([])
    noteMany(away, 100, 200)
    expect(away.requestLog.counts()).toEqual({ kept: 2_000, notKept: 0, lost: 600 })
    noteMany(away, 100, 500)
    expect(away.requestLog.counts()).toEqual({ kept: 2_000, notKept: 0, lost: 700 })
    await vi.waitFor(() => expect(away.said).toHaveLength(1), 10_000)
    noteMany(away, 2_500, 500)
    const { kept, lost } = away.requestLog.counts()
    expect([kept, lost]).toEqual([2_000, 3_200])
    await proxy.forward()
    await entriesOf('co_storm', 2_000)
    const errors = (await readLog(pool, 'co_storm')).filter(({ status }) => status === 500)
    // All but those that were on their way at that moment, if there were any.
    expect(errors.length).toBeGreaterThanOrEqual(1_500)
  }, 30_000)

  it('a row that the database refuses takes no later one with it', async () => {
    const { id, key } = await newCompany()
    const refusing = await startLoggingServer(connection)
    const holder = { companyId: id, keyId: 'key', plan: 'PREMIUM', allowedIps: [], revoked: false }
    const request = {
      holder,
      denial: null,
      failure: null,
      raw: { headers: {} },
      originalUrl: '/api/\0',
      id: 'r',
      method: 'GET',
    }
    refusing.requestLog.note(request as never, 200, 1)
    await vi.waitFor(() => expect(refusing.said).toHaveLength(1), 5_000)
    expect(refusing.requestLog.counts().lost).toBe(1)
    await refusing.get('/api/resources', key)
    expect(await entriesOf(id, 1)).toMatchObject([{ path: '/api/resources' }])
  })
})

describe('the log is pruned', () => {
  /** One entry each so many seconds, the last of them at this time. */
  const plantEntries = (companyId: string, count: number, last: number, { status = 200, everyMs = 1 } = {}) =>
    pool.query(
      `INSERT INTO request_log (company_id, id, at, key_id, method, path, status, duration_us, request_id)
       SELECT $1, 'log_' || left(hex, 8) || '-' || substr(hex, 9) || '-7' || $4::int || '-8000-' || lpad(n::text, 12, '0'),
         to_timestamp(ms / 1000.0), 'key', 'GET', '/api/' || n, $4::int, 1, 'r'
       FROM generate_series(1, $2::int) n
       CROSS JOIN LATERAL (SELECT $3::bigint - ($2::int - n)::bigint * $5::bigint AS ms) t
       CROSS JOIN LATERAL (SELECT lpad(to_hex(ms), 12, '0') AS hex) h`,
      [companyId, count, last, status, everyMs],
    )
  const countOf = async (companyId: string) => (await readLog(pool, companyId)).length
  const MINUTES_5 = 5 * 60_000
  /** Its end, so that all that is planted just before lies within it. */
  const endOfSlot = (time: number) => Math.floor(time / MINUTES_5) * MINUTES_5 - 1

  it('to seven days, of every company, and thinned out, when a process begins to write', async () => {
    const { id, key } = await newCompany()
    const silent = await newCompany()
    const now = Date.now()
    await plantEntries(id, LOG_LATEST + 500, endOfSlot(now - DAY_MS))
    await plantEntries(silent.id, 5, now - 7 * DAY_MS - 60_000)
    await plantEntries(silent.id, 3, now - 7 * DAY_MS + 60_000)
    // Processes that do it at the same time do no harm.
    const others = await Promise.all([1, 2, 3].map(() => startLoggingServer(connection)))
    await Promise.all(others.map((other) => other.get('/api/resources', key)))
    await vi.waitFor(async () => {
      const entries = await readLog(pool, id)
      expect(entries).toHaveLength(LOG_LATEST + 1)
      // The first of those that are too many is the first in its five minutes. The latest are those that are kept.
      expect(entries.slice(0, 2).map(({ path }) => path)).toEqual(['/api/1', '/api/504'])
      expect(entries.at(-1)?.['path']).toBe('/api/resources')
    }, 10_000)
    await vi.waitFor(async () => expect(await countOf(silent.id)).toBe(3), 10_000)
    expect(others.flatMap(({ said }) => said)).toEqual([])
  })

  it('for the companies that it is asked for', async () => {
    const one = await newCompany()
    const other = await newCompany()
    const at = endOfSlot(Date.now())
    await plantEntries(one.id, LOG_LATEST + 10, at)
    await plantEntries(other.id, LOG_LATEST + 10, at)
    await thinRequestLog(pool, [one.id])
    expect([await countOf(one.id), await countOf(other.id)]).toEqual([LOG_LATEST + 1, LOG_LATEST + 10])
    await thinRequestLog(pool, [one.id, other.id])
    expect([await countOf(one.id), await countOf(other.id)]).toEqual([LOG_LATEST + 1, LOG_LATEST + 1])
  })

  it('errors are kept however many requests succeed', async () => {
    const { id } = await newCompany()
    const at = endOfSlot(Date.now())
    await plantEntries(id, 100, at - DAY_MS, { status: 404 })
    await plantEntries(id, 12_000, at)
    await thinRequestLog(pool, [id])
    const entries = await readLog(pool, id)
    expect(entries.filter(({ status }) => status === 404)).toHaveLength(100)
    expect(entries.filter(({ status }) => status === 200)).toHaveLength(LOG_LATEST + 1)
  })

  it('a request that succeeds and one that fails each twenty seconds, for a week: there is something of every hour', async () => {
    const { id } = await newCompany()
    const now = Date.now()
    for (const status of [200, 500]) await plantEntries(id, 7 * 24 * 180, now, { status, everyMs: 20_000 })
    await thinRequestLog(pool, [id])
    // What is thinned out already stays as it is.
    const count = await countOf(id)
    await thinRequestLog(pool, [id])
    const entries = await readLog(pool, id)
    expect(entries).toHaveLength(count)
    for (const status of [200, 500]) {
      const ofKind = entries.filter((entry) => entry['status'] === status)
      expect(ofKind.length).toBeGreaterThan(4_000)
      expect(ofKind.length).toBeLessThanOrEqual(5_000)
      const hours = ofKind.map(({ at }) => Math.floor((now - Date.parse(String(at))) / 3_600_000))
      expect(new Set(hours).size).toBe(7 * 24)
    }
  })
})

describe('the last use of a key', () => {
  it('is written soon, never goes back, and again when the process ends', async () => {
    const { id, key, keyId } = await newCompany()
    const own = await startLoggingServer(connection)
    const before = Date.now()
    await own.get('/api/resources', key)
    await vi.waitFor(async () => expect(await lastUseOf(id, keyId)).toBeGreaterThanOrEqual(before), 5_000)
    const first = await lastUseOf(id, keyId)
    await new Promise((resolve) => setTimeout(resolve, 600))
    await own.get('/api/resources', key)
    await entriesOf(id, 2)
    // Within the minute it is not written again, except at the end.
    expect(await lastUseOf(id, keyId)).toBe(first)
    await own.requestLog.stop()
    expect(await lastUseOf(id, keyId)).toBeGreaterThan(first ?? Infinity)
    await pool.query(
      `UPDATE api_key_uses SET last_used_at = now() + interval '1 hour' WHERE company_id = $1`,
      [id],
    )
    const later = await startLoggingServer(connection)
    await later.get('/api/resources', key)
    await later.requestLog.stop()
    expect(await lastUseOf(id, keyId)).toBeGreaterThan(Date.now() + 1_000_000)
  })

  it('that is no longer there does not keep the log from being written', async () => {
    const { id, key, keyId } = await newCompany()
    const own = await startLoggingServer(connection)
    await own.get('/api/resources', key)
    await pool.query('DELETE FROM api_keys WHERE company_id = $1', [id])
    expect(await entriesOf(id, 1)).toMatchObject([{ key_id: keyId }])
    expect(await lastUseOf(id, keyId)).toBe(null)
    expect(own.said).toEqual([])
  })
})

describe('processes side by side', () => {
  it('that write the uses of the same keys at once do not get into each other’s way', async () => {
    const owners = await Promise.all([1, 2, 3, 4, 5].map(() => newCompany()))
    const servers = await Promise.all([1, 2, 3].map(() => startLoggingServer(connection)))
    for (const [i, one] of servers.entries()) {
      const order = i % 2 === 0 ? owners : owners.toReversed()
      for (const { key } of order) await one.get('/api/resources', key)
    }
    await Promise.all(servers.map(({ requestLog }) => requestLog.stop()))
    for (const { id, keyId } of owners) {
      expect(await readLog(pool, id)).toHaveLength(3)
      expect(await lastUseOf(id, keyId)).not.toBe(null)
    }
    expect(servers.flatMap(({ said }) => said)).toEqual([])
  })

  it('that read from replicas write to the primary', async () => {
    const { id, key } = await newCompany()
    const data = openPool(connection, 'data', () => undefined)
    atEnd(() => data.end())
    const log = { info: () => undefined, warn: () => undefined }
    // No standby, so that it is never read from; that the log has nothing to do with it is what counts.
    const replicas = openReplicas({
      data,
      primary: connection,
      replicas: [connection],
      connections: 1,
      lagMaxSeconds: 1,
      log,
    })
    atEnd(() => replicas.stop())
    const reading = await startLoggingServer(connection, { data, replicas })
    await reading.get('/api/resources', key)
    expect(await entriesOf(id, 1)).toMatchObject([{ status: 200 }])
  })
})

describe('filters of the log', () => {
  it('by key, method, status, part of the path and request; the latest first, page by page', async () => {
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
