import { describe, expect, it, vi } from 'vitest'
import { generateApiKey } from '../src/core/security/api-key.ts'
import { readLog, startLoggingServer } from './support/request-log.ts'
import { watchedPool } from './support/watched-pool.ts'
import { createRequestLog } from './support/request-log-entries.ts'

const { pool, connection, server, newCompany, entriesOf, lastUseOf } = await createRequestLog()

describe('the request log', () => {
  it('keeps some of very many requests, errors first, and counts the rest', async () => {
    const { id, key } = await newCompany()
    const before = server.requestLog.counts().notKept
    const send = (path: string, count: number) =>
      Promise.all(Array.from({ length: count }, () => server.get(path, key)))
    // All within one second.
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      await send('/api/resources?limit=1', 150)
      await send('/api/resources?limit=0', 20)
    } finally {
      vi.useRealTimers()
    }
    const entries = await entriesOf(id, 25)
    expect(server.requestLog.counts().notKept - before).toBe(145)
    expect(entries.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(15)
    // On a busy machine, some of them are rejected as too many at once: also errors.
    expect(entries.filter(({ status }) => Number(status) >= 400).length).toBeGreaterThanOrEqual(10)
    const { text } = await server.call('/metrics')
    expect(text).toContain(`request_log_entries{state="not kept"} ${server.requestLog.counts().notKept}`)
    expect(text).toContain('request_log_entries{state="lost"} 0')
  })

  it('looks up 50 unknown keys at once, in one statement that no request waits for', async () => {
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
    // There is room for later requests.
    await Promise.all(Array.from({ length: 30 }, () => flooded.get('/api/nothing', key)))
    await stop()
    const entries = await readLog(pool, id)
    expect(entries.length).toBeGreaterThanOrEqual(25)
    expect(counts().kept).toBe(entries.length)
    expect(flooded.messages).toEqual([])
  })

  it('sends its statements on a separate connection', async () => {
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

  it('writes nothing before the schema exists', async () => {
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
