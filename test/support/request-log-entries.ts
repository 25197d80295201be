/** A server with a request log, and functions that read its entries. */
import { expect, vi } from 'vitest'
import { generateApiKey } from '../../src/core/security/api-key.ts'
import { createDatabase } from './database.ts'
import { insertCompany, insertKey } from './records.ts'
import { readLog, startLoggingServer } from './request-log.ts'

export const DAY_MS = 24 * 60 * 60 * 1000

export async function createRequestLog() {
  const { pool, connection } = await createDatabase()
  const server = await startLoggingServer(connection)

  let companies = 0
  /** A separate company for a test, with a key that is not cached. */
  async function newCompany(
    options: Parameters<typeof insertCompany>[2] = {},
  ): Promise<{ id: string; key: string; keyId: string }> {
    const id = `co_${++companies}`
    const key = generateApiKey()
    await insertCompany(pool, id, options)
    await insertKey(pool, id, key, { id: `key_${companies}` })
    return { id, key, keyId: `key_${companies}` }
  }

  /** Waits until the log has this number of entries. Those of `server` are written immediately. */
  async function entriesOf(companyId: string, count: number): Promise<Record<string, unknown>[]> {
    await server.requestLog.stop()
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
  return { pool, connection, server, newCompany, entriesOf, lastUseOf }
}
