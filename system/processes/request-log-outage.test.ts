import { describe, expect, it, vi } from 'vitest'
import { startProxy } from '../../test/support/database-proxy.ts'
import { readLog, startLoggingServer } from '../../test/support/request-log.ts'
import type { LoggingServer } from '../../test/support/request-log.ts'
import { createRequestLog } from '../../test/support/request-log-entries.ts'

const { pool, connection, newCompany, entriesOf } = await createRequestLog()

describe('while the database of the log is away', () => {
  it.each([
    ['refuse', [0, 1]],
    // The connections of the log time out after two seconds, and the request does not wait for that.
    ['hang', [0]],
  ] as const)(
    'connections %s: requests are answered as ever, and what was held is written when it is back',
    async (how, reportsSoFar) => {
      const { id, key } = await newCompany()
      const proxy = await startProxy(connection)
      const away = await startLoggingServer(connection, { logConnection: proxy.connection })
      await away.get('/api/resources?before=1', key)
      await entriesOf(id, 1)
      await proxy[how]()
      expect((await away.get('/api/resources?during=1', key)).status).toBe(200)
      expect(reportsSoFar).toContain(away.said.length)
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

  /** Calls the log directly: the limits would allow this many requests only in ten seconds. */
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
    // Within a second the first of them are being written.
    const before = proxy.countSent()
    await expect.poll(proxy.countSent).toBeGreaterThan(before)
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
