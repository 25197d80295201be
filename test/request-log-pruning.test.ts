import { describe, expect, it, vi } from 'vitest'
import { openPool } from '../src/db/connect.ts'
import { LOG_LATEST } from '../src/core/requests/log-allowance.ts'
import { thinRequestLog } from '../src/records/request-log/queries.ts'
import { openReplicas } from '../src/db/replica.ts'
import { atEnd } from './support/at-end.ts'
import { readLog, startLoggingServer } from './support/request-log.ts'
import { DAY_MS, createRequestLog } from './support/request-log-entries.ts'

const { pool, connection, newCompany, entriesOf, lastUseOf } = await createRequestLog()

describe('pruning the log', () => {
  /** Entries at this interval in seconds, the last of them at this time. */
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

  it('keeps seven days of every company, thinned out, when a process begins to write', async () => {
    const { id, key } = await newCompany()
    const silent = await newCompany()
    const now = Date.now()
    await plantEntries(id, LOG_LATEST + 500, endOfSlot(now - DAY_MS))
    await plantEntries(silent.id, 5, now - 7 * DAY_MS - 60_000)
    await plantEntries(silent.id, 3, now - 7 * DAY_MS + 60_000)
    // Several processes can prune at the same time.
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
    expect(others.flatMap(({ messages }) => messages)).toEqual([])
  })

  it('thins out the given companies', async () => {
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

  it('keeps errors however many requests succeed', async () => {
    const { id } = await newCompany()
    const at = endOfSlot(Date.now())
    await plantEntries(id, 100, at - DAY_MS, { status: 404 })
    await plantEntries(id, 12_000, at)
    await thinRequestLog(pool, [id])
    const entries = await readLog(pool, id)
    expect(entries.filter(({ status }) => status === 404)).toHaveLength(100)
    expect(entries.filter(({ status }) => status === 200)).toHaveLength(LOG_LATEST + 1)
  })

  it('keeps entries of every hour of a week', async () => {
    const { id } = await newCompany()
    const now = Date.now()
    for (const status of [200, 500]) await plantEntries(id, 7 * 24 * 180, now, { status, everyMs: 20_000 })
    await thinRequestLog(pool, [id])
    // Slots that are already thinned out stay unchanged.
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
  it('is written soon, and again when the process ends, and never decreases', async () => {
    const { id, key, keyId } = await newCompany()
    const own = await startLoggingServer(connection)
    const before = Date.now()
    await own.get('/api/resources', key)
    await vi.waitFor(async () => expect(await lastUseOf(id, keyId)).toBeGreaterThanOrEqual(before), 5_000)
    const first = await lastUseOf(id, keyId)
    // A later millisecond.
    await expect.poll(() => Date.now(), { interval: 1 }).toBeGreaterThan(first ?? Infinity)
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

  it('is skipped for a deleted key, and the log is written', async () => {
    const { id, key, keyId } = await newCompany()
    const own = await startLoggingServer(connection)
    await own.get('/api/resources', key)
    await pool.query('DELETE FROM api_keys WHERE company_id = $1', [id])
    expect(await entriesOf(id, 1)).toMatchObject([{ key_id: keyId }])
    expect(await lastUseOf(id, keyId)).toBe(null)
    expect(own.messages).toEqual([])
  })
})

describe('several processes', () => {
  it('can write the uses of the same keys at once', async () => {
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
    expect(servers.flatMap(({ messages }) => messages)).toEqual([])
  })

  it('write to the primary if they read from replicas', async () => {
    const { id, key } = await newCompany()
    const data = openPool(connection, 'data', () => undefined)
    atEnd(() => data.end())
    const log = { info: () => undefined, warn: () => undefined }
    // Not a standby, so it is never read.
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
