import { describe, expect, it, vi } from 'vitest'
import { startProxy } from '../../test/support/database-proxy.ts'
import { readLog, startLoggingServer } from '../../test/support/request-log.ts'
import type { LoggingServer } from '../../test/support/request-log.ts'
import { createRequestLog } from '../../test/support/request-log-entries.ts'

const { pool, connection, newCompany, entriesOf } = await createRequestLog()

describe('while the database of the request log is unavailable', () => {
  it.each([
    ['refuse', [0, 1]],
    // Connections of the log time out after two seconds, but requests do not wait for that.
    ['hang', [0]],
  ] as const)(
    'requests succeed and their entries are written later, if connections %s',
    async (how, reportsSoFar) => {
      const { id, key } = await newCompany()
      const proxy = await startProxy(connection)
      const away = await startLoggingServer(connection, { logConnection: proxy.connection })
      await away.get('/api/resources?before=1', key)
      await entriesOf(id, 1)
      await proxy[how]()
      expect((await away.get('/api/resources?during=1', key)).status).toBe(200)
      expect(reportsSoFar).toContain(away.messages.length)
      await vi.waitFor(() => expect(away.messages).toHaveLength(1), 10_000)
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
      // The rows can exist before their writer gets the response.
      await vi.waitFor(() => expect(away.messages).toHaveLength(2), 10_000)
      expect(away.messages).toEqual([
        { level: 'warn', message: 'the request log cannot be written; some of it may be lost' },
        { level: 'info', message: 'the request log is written again' },
      ])
    },
  )

  /** Calls the log directly, because the limits allow this number of requests only in ten seconds. */
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

  it('buffers at most 2,000 entries, and counts lost ones', async () => {
    const proxy = await startProxy(connection)
    const away = await startLoggingServer(connection, { logConnection: proxy.connection })
    await proxy.refuse()
    noteMany(away, 2_500, 404)
    expect(away.requestLog.counts()).toEqual({ kept: 2_000, notKept: 0, lost: 500 })
    await vi.waitFor(() => expect(away.messages).toHaveLength(1), 5_000)
    await proxy.forward()
    await entriesOf('co_storm', 2_000)
    await pool.query(`DELETE FROM request_log WHERE company_id = 'co_storm'`)
  })

  it('includes unfinished writes in the buffer, and replaces other entries with errors', async () => {
    const proxy = await startProxy(connection)
    const away = await startLoggingServer(connection, { logConnection: proxy.connection })
    proxy.hang()
    noteMany(away, 2_500, 200)
    expect(away.requestLog.counts()).toEqual({ kept: 2_000, notKept: 0, lost: 500 })
    // The log begins to write them within a second.
    const before = proxy.countSent()
    await expect.poll(proxy.countSent).toBeGreaterThan(before)
    expect(away.messages).toEqual([])
    noteMany(away, 100, 200)
    expect(away.requestLog.counts()).toEqual({ kept: 2_000, notKept: 0, lost: 600 })
    noteMany(away, 100, 500)
    expect(away.requestLog.counts()).toEqual({ kept: 2_000, notKept: 0, lost: 700 })
    await vi.waitFor(() => expect(away.messages).toHaveLength(1), 10_000)
    noteMany(away, 2_500, 500)
    const { kept, lost } = away.requestLog.counts()
    expect([kept, lost]).toEqual([2_000, 3_200])
    await proxy.forward()
    await entriesOf('co_storm', 2_000)
    const errors = (await readLog(pool, 'co_storm')).filter(({ status }) => status === 500)
    // All except entries that were being written at that moment.
    expect(errors.length).toBeGreaterThanOrEqual(1_500)
  }, 30_000)

  it('writes later rows after the database rejects one', async () => {
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
    await vi.waitFor(() => expect(refusing.messages).toHaveLength(1), 5_000)
    expect(refusing.requestLog.counts().lost).toBe(1)
    await refusing.get('/api/resources', key)
    expect(await entriesOf(id, 1)).toMatchObject([{ path: '/api/resources' }])
  })
})
