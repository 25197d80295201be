/** Retries of calls that create records, after the browser did not receive a response. */
import { describe, expect, it } from 'vitest'
import { CONSOLE_ROUTES } from '../src/console/routes.ts'
import { IMPORT_PATHS, RECORD_PATHS } from '../src/core/record-kinds.ts'
import { CONSOLE_REQUESTS } from './support/console-requests.ts'
import { signedIn } from './support/console.ts'
import { createDatabase } from './support/database.ts'
import { readAllRows } from './support/schema.ts'
import { startServer } from './support/server.ts'
import { MINIMAL_WORLD, importValid } from './support/world.ts'

const database = await createDatabase()
const { pool, connection } = database
const server = await startServer(connection)
await importValid(connection, MINIMAL_WORLD)
await pool.query(`UPDATE services SET prices = '[{"currency": "USD", "unitPriceCents": 500}]'`)
const admin = await signedIn(server, database, 'c')
const member = await signedIn(server, database, 'c', 'MEMBER')

const CREATIONS = CONSOLE_ROUTES.filter(({ isCreation }) => isCreation)

function send(path: string, body: object, headers: Record<string, string>, { cookie } = member) {
  const all = { cookie, 'content-type': 'application/json', ...headers }
  return server.call(path, { method: 'POST', headers: all, body: JSON.stringify(body) })
}

const withKey = (key: string) => ({ 'idempotency-key': key })

/** All rows that a retry could insert twice. */
async function readRows(): Promise<Record<string, unknown>> {
  const { sessions: _, ...rows } = await readAllRows(pool)
  return rows
}

describe('a retry of a call that creates records', () => {
  it('N11: is supported for quotes, records, tasks, forms and imports', () => {
    const paths = CREATIONS.map(({ path }) => path.replace('/console/', ''))
    const events = ['quotes', 'quotes/:id/duplicate', 'events/:id/tasks', 'forms']
    const definitions = ['definitions/discounts', 'definitions/service-charges', 'definitions/tax-rates']
    const imports = IMPORT_PATHS.map((path) => `${path}/import`)
    expect(paths.toSorted()).toEqual([...events, ...definitions, ...RECORD_PATHS, ...imports].toSorted())
  })

  it.each(CREATIONS.map(({ path }) => path))('N11: POST %s creates records once', async (path) => {
    const { id = '', body = {} } = CONSOLE_REQUESTS[`POST ${path}`] ?? {}
    const sent = path.endsWith('/import') ? { ...body, dryRun: false } : body
    const url = path.replace(':id', id)
    const before = await readRows()
    const first = await send(url, sent, withKey(path))
    expect(first.status, first.text).toBe(200)
    const after = await readRows()
    expect(after).not.toEqual(before)
    const again = await send(url, sent, withKey(path))
    expect(again.status, again.text).toBe(200)
    expect(again.body).toEqual(first.body)
    expect(await readRows()).toEqual(after)
  })

  const TAG = { values: { name: 'Brunch' } }
  const EVENT_TYPES = '/console/event-types'
  const count = async () => {
    const { rows } = await pool.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM event_types WHERE name = 'Brunch'`,
    )
    return rows[0]?.count
  }

  it('N11: creates another record without a key, with another key, and for another user', async () => {
    const statuses = []
    for (const headers of [{}, {}, withKey('k1'), withKey('k2')])
      statuses.push((await send(EVENT_TYPES, TAG, headers)).status)
    statuses.push((await send(EVENT_TYPES, TAG, withKey('k1'), admin)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200])
    expect(await count()).toBe(5)
  })

  it('N11: waits for the first call if it is still running', async () => {
    const before = (await count()) ?? 0
    const all = await Promise.all([1, 2, 3, 4].map(() => send(EVENT_TYPES, TAG, withKey('together'))))
    expect(new Set(all.map(({ text }) => text)).size).toBe(1)
    expect(await count()).toBe(before + 1)
  })

  it('N11: is rejected with the key of another call and with an invalid key', async () => {
    await send(EVENT_TYPES, TAG, withKey('used'))
    const other = await send(EVENT_TYPES, { values: { name: 'Lunch' } }, withKey('used'))
    expect(other.status).toBe(409)
    expect(other.text).toContain('idempotency_key_reused')
    const invalid = await send(EVENT_TYPES, TAG, withKey('a b'))
    expect(invalid.status).toBe(400)
    expect(invalid.text).toContain('idempotency-key must be 1 to 255')
  })
})
