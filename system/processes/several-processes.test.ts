/** Several `quoting serve` on one database. */
import { randomBytes } from 'node:crypto'
import { describe, expect, inject, it } from 'vitest'
import { openPool, withClient } from '../../src/db/connect.ts'
import { DEMO_KEYS } from '../../src/world/demo/demo-world.ts'
import { atEnd } from '../../test/support/at-end.ts'
import { freePort } from '../../test/support/command.ts'
import { connectionUrl, onDatabase } from '../../test/support/connections.ts'
import { runCommand, startCommand } from '../../test/support/process.ts'
import { PATHS_IN_TWO, expandQuery } from '../../test/support/quotes.ts'

// An empty database without the schema
const name = `quoting_test_${randomBytes(6).toString('hex')}`
await withClient(inject('server'), (client) => client.query(`CREATE DATABASE ${name}`))
const connection = onDatabase(inject('server'), name)
const pool = openPool(connection, 'data', () => undefined)
atEnd(async () => {
  await pool.end()
  // Only a superuser can end an autovacuum worker with a connection to the database.
  await withClient(inject('superuser'), (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`))
})

const SETTINGS = {
  DATABASE_URL: connectionUrl(connection),
  APP_SECRET: 'a secret of thirty-two characters',
  PUBLIC_URL: 'https://quotes.example.com',
}
const [{ key: KEY }] = DEMO_KEYS

const ports = [await freePort(), await freePort(), await freePort()]
// Concurrent starts
const processes = ports.map((port) =>
  startCommand(['serve', '--demo'], { ...SETTINGS, PORT: String(port), LOG_LEVEL: 'info' }),
)
await Promise.all(processes.map((serving) => serving.waitFor(/Try it/)))

interface Init {
  method?: string
  headers?: Record<string, string>
  body?: string
}

async function ask(port: number, path: string, init: Init = {}, key = KEY) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json', ...init.headers }
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers })
  return {
    status: answer.status,
    text: await answer.text(),
    replayed: answer.headers.get('idempotent-replayed'),
  }
}

const askAll = (path: string, init?: Init, key?: string) =>
  Promise.all(ports.map((port) => ask(port, path, init, key)))

describe('several processes on one database', () => {
  it('migrate an empty database once and fill it once in concurrent starts', async () => {
    const { rows } = await pool.query<{ companies: number }>(
      'SELECT count(*)::int AS companies FROM companies',
    )
    expect(rows[0]?.companies).toBe(5)
    const applied = processes.flatMap((serving) =>
      [...serving.stderr().matchAll(/"applied":(\[[^\]]*\])/g)].flatMap(
        ([, names = '']) => JSON.parse(names) as string[],
      ),
    )
    const migrations = await pool.query<{ name: string }>('SELECT name FROM schema_migrations ORDER BY name')
    expect(applied.toSorted()).toEqual(migrations.rows.map((row) => row.name))
    for (const serving of processes) expect(serving.stderr()).not.toMatch(/"level":"?(error|fatal|50|60)/)
  })

  it.each([
    '/api/quotes?limit=100',
    `/api/quotes?limit=50&${expandQuery(PATHS_IN_TWO[0], 'data.')}`,
    '/api/resources?limit=100',
    '/api/quotes/quote_0246',
    '/api/quotes/unknown',
  ])('send equal responses to %s', async (path) => {
    const [first, ...others] = await askAll(path)
    for (const other of others) expect(other).toEqual(first)
  })

  it('open the invoice links of each other', async () => {
    const { text } = await ask(ports[0] ?? 0, '/api/invoice/book_0246')
    const [, path = ''] = /https:\/\/quotes\.example\.com(\/i\/[^"]+)/.exec(text) ?? []
    for (const page of await askAll(path)) {
      expect(page.status).toBe(200)
      expect(page.text).toContain('<html')
    }
  })

  it('create one task for concurrent requests to all of them with one idempotency key', async () => {
    const init = {
      method: 'POST',
      headers: { 'idempotency-key': 'sent-to-all' },
      body: JSON.stringify({ eventId: 'event_0246_1', description: 'Hang the lanterns' }),
    }
    const answers = (
      await Promise.all(Array.from({ length: 5 }, () => askAll('/api/task/create', init)))
    ).flat()
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(201)
    expect(answers.filter(({ replayed }) => replayed === null)).toHaveLength(1)
    const tasks = await pool.query(`SELECT FROM tasks WHERE description = 'Hang the lanterns'`)
    expect(tasks.rowCount).toBe(1)
  })

  it('accept a new key immediately, and reject a revoked one', async () => {
    const company = ['--company', 'co_harborlight']
    const { stdout } = await runCommand(['keys', 'create', ...company, '--name', 'Everywhere'], SETTINGS)
    const statuses = async () =>
      (await askAll('/api/resources', {}, stdout.trim())).map(({ status }) => status)
    expect(await statuses()).toEqual([200, 200, 200])
    const listed = await runCommand(['keys', 'list', ...company], SETTINGS)
    const [, id = ''] = /^(\S+)\t\S+\tactive\tEverywhere$/m.exec(listed.stdout) ?? []
    // Requests during the revocation keep the caches fresh.
    const revoking = runCommand(['keys', 'revoke', ...company, id], SETTINGS)
    const asking = setInterval(() => void statuses(), 50)
    expect(await revoking).toMatchObject({ status: 0 })
    await expect.poll(statuses).toEqual([401, 401, 401])
    clearInterval(asking)
  })

  it('can be stopped one by one while the others serve', async () => {
    const [first, ...others] = processes
    first?.kill('SIGTERM')
    expect(await first?.ended).toBe(0)
    for (const port of ports.slice(1)) expect((await ask(port, '/api/resources')).status).toBe(200)
    for (const serving of others) serving.kill('SIGTERM')
    expect(await Promise.all(others.map((serving) => serving.ended))).toEqual([0, 0])
  })
})
