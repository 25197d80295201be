/** A6, A7 and A9 in real processes: a change by one process takes effect in another (`npm run torture` measures the delay). */
import { describe, expect, it } from 'vitest'
import { CHANGES, measureChange } from '../../test/support/access-changes.ts'
import { freePort } from '../../test/support/command.ts'
import { connectionUrl } from '../../test/support/connections.ts'
import { createDatabase } from '../../test/support/database.ts'
import { startCommand } from '../../test/support/process.ts'
import { rawRequest, sendRaw } from '../../test/support/raw.ts'
import { insertCompany } from '../../test/support/records.ts'

const { pool, connection } = await createDatabase()
const SETTINGS = { DATABASE_URL: connectionUrl(connection), APP_SECRET: 'a secret of thirty-two characters' }

async function serve(settings: Record<string, string>): Promise<number> {
  const port = await freePort()
  await startCommand(['serve'], { ...SETTINGS, ...settings, PORT: String(port) }).waitFor(/API at/)
  return port
}

describe('A6: a change takes effect in another process', () => {
  it('for keys, plans and allowed addresses', { timeout: 60_000 }, async () => {
    const port = await serve({})
    const times = await Promise.all(
      CHANGES.map((change) => measureChange(change, { connection, port, trials: 2, random: Math.random })),
    )
    expect(times.map(({ length }) => length)).toEqual([2, 4, 4])
  })
})

describe('settings of the process', () => {
  it('TRUST_PROXY and RATE_LIMIT_PER_MINUTE take effect', async () => {
    const port = await serve({ TRUST_PROXY: '127.0.0.1, 10.0.0.0/8', RATE_LIMIT_PER_MINUTE: '3' })
    await insertCompany(pool, 'co_1', { allowedIps: ['192.0.2.7'], key: 'key-of-the-first-company' })
    const ask = async (forwardedFor: string) => {
      const lines = ['x-api-key: key-of-the-first-company', `x-forwarded-for: ${forwardedFor}`]
      return sendRaw(port, rawRequest('GET /api/resources HTTP/1.1', lines))
    }
    // The count restarts if a new minute begins in between.
    const statuses: number[] = []
    for (let i = 0; i < 8; i++) statuses.push((await ask('192.0.2.7, 10.1.2.3')).status)
    expect(statuses.slice(0, 3)).toEqual([200, 200, 200])
    expect(statuses).toContain(429)
    expect((await ask('203.0.113.9')).status).toBe(401)
    const rejected = await ask('192.0.2.7')
    expect(Number(rejected.headers['retry-after'] ?? 1)).toBeGreaterThan(0)
  })
})
