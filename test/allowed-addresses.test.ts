import { describe, expect, it } from 'vitest'
import { ADDRESS_ROWS, TRUSTED, insertLists, statusOfRow } from './support/allowed-addresses.ts'
import { createDatabase } from './support/database.ts'
import { startServer } from './support/server.ts'

const { pool, connection } = await createDatabase()
await insertLists(pool)
const ports: Record<string, number> = {}
for (const [name, trustedProxies] of Object.entries(TRUSTED))
  ports[name] = (await startServer(connection, { trustedProxies })).port

describe('A7: allowed addresses', () => {
  it('has at least 60 distinct cases', () => {
    expect(ADDRESS_ROWS.length).toBeGreaterThanOrEqual(60)
    expect(new Set(ADDRESS_ROWS.map((row) => JSON.stringify(row))).size).toBe(ADDRESS_ROWS.length)
  })

  it.each(
    ADDRESS_ROWS.map((row) => [row.trusted, row.list, row.headers, row.allowed ? 200 : 401, row] as const),
  )('trusted proxies %s, list %s, headers %j: %i', async (trusted, _, __, status, row) => {
    expect(await statusOfRow(ports[trusted] ?? 0, row)).toBe(status)
  })
})
