/** DATABASE_POOLER=transaction with a real pgbouncer, where each transaction can use another connection. */
import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openPool, withClient } from '../src/db/connect.ts'
import { migrate } from '../src/db/migrate.ts'
import { DEMO_KEYS } from '../src/world/demo/demo-world.ts'
import { fillWithDemo } from '../src/world/demo/fill-with-demo.ts'
import { atEnd } from '../test/support/at-end.ts'
import { connectionUrl } from '../test/support/connections.ts'
import { createDatabase } from '../test/support/database.ts'
import { SERVER_CONNECTIONS, startPgbouncer } from '../test/support/pgbouncer.ts'
import { freePort } from '../test/support/command.ts'
import { runCommand, startCommand, temporaryFolder } from '../test/support/process.ts'
import { PATHS_IN_TWO, expandQuery } from '../test/support/quotes.ts'
import { createBareDatabase, readAllRows } from '../test/support/schema.ts'
import { startServer } from '../test/support/server.ts'
import type { Answer } from '../test/support/server.ts'

const { pool, connection } = await createDatabase()
await fillWithDemo(connection)
// pgbouncer does not forward startup options. Other defaults of the database reveal missing settings.
const { rows } = await pool.query<{ name: string }>('SELECT current_database() AS name')
const name = rows[0]?.name ?? ''
await pool.query(`ALTER DATABASE ${name} SET TimeZone = 'Asia/Kolkata'`)
await pool.query(`ALTER DATABASE ${name} SET DateStyle = 'German'`)
const pgbouncer = await startPgbouncer(connection)
const [{ key: KEY }] = DEMO_KEYS

const direct = await startServer(connection)
const pooled = await startServer(pgbouncer.connection)

const READS = [
  '/api/quotes?limit=100',
  `/api/quotes?limit=20&${expandQuery(PATHS_IN_TWO[0], 'data.')}`,
  `/api/quotes?limit=20&${expandQuery(PATHS_IN_TWO[1], 'data.')}`,
  '/api/quotes?service_start_time[gte]=2027-02-01T00:00:00Z&service_start_time[lt]=2027-03-01T00:00:00Z',
  '/api/quotes?created_at[gt]=2020-01-01T00:00:00Z&updated_at[gt]=2020-01-01T00:00:00Z&starting_after=quote_0200',
  '/api/quotes/quote_0246?expand[]=lead,booking.events.staff',
  '/api/quotes/quote_unknown',
  '/api/resources?limit=100',
  '/api/staff/staff_0001',
  '/api/form-response/resp_0085_2',
  '/api/invoice/book_0246',
]

/**
 * Sends 32 requests at a time: more than the number of connections, but few enough that none waits for seconds. Requests
 * that a slow machine rejects with 503 are repeated.
 */
async function askMany(count: number, ask: (i: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  let next = 0
  const work = async () => {
    for (let i = next++; i < count; i = next++) {
      let answer = await ask(i)
      for (let again = 0; again < 20 && answer.headers['retry-after'] === '1'; again++) {
        await sleep(100)
        answer = await ask(i)
      }
      answers[i] = answer
    }
  }
  await Promise.all(Array.from({ length: 32 }, work))
  return answers
}

const createTask = (on: typeof direct, eventId: string, description: string, idempotencyKey?: string) =>
  on.call('/api/task/create', {
    method: 'POST',
    headers: {
      'x-api-key': KEY,
      'content-type': 'application/json',
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    body: JSON.stringify({ eventId, description, dueDate: '2027-05-01T09:30:00+02:00' }),
  })

const countTasks = async (description: string) =>
  (await pool.query('SELECT FROM tasks WHERE description = $1', [description])).rowCount

describe('with pgbouncer in transaction mode', () => {
  it.each(READS)('%s has the same response as without', async (path) => {
    const [expected, answer] = [await direct.get(path, KEY), await pooled.get(path, KEY)]
    expect(expected.status).toBe(path.includes('unknown') ? 404 : 200)
    expect([answer.status, answer.text]).toEqual([expected.status, expected.text])
  })

  it('hundreds of concurrent requests get correct responses on a few connections', async () => {
    const paths = READS.slice(3, 10)
    const expected = await Promise.all(paths.map((path) => direct.get(path, KEY)))
    const answers = await askMany(400, (i) => pooled.get(paths[i % paths.length] ?? '', KEY))
    for (const [i, { status, text }] of answers.entries()) {
      expect(status).toBe(expected[i % paths.length]?.status)
      expect(text === expected[i % paths.length]?.text).toBe(true)
    }
    expect((await pgbouncer.showServers()).length).toBeLessThanOrEqual(SERVER_CONNECTIONS)
  })

  it('POST /task/create creates a task with times in UTC', async () => {
    const answer = await createTask(pooled, 'event_0246_1', 'Count the glasses')
    expect(answer).toMatchObject({ status: 201, body: { task: { dueDate: '2027-05-01T07:30:00.000Z' } } })
    const { createdAt } = (answer.body as { task: { createdAt: string } }).task
    expect(Math.abs(Date.now() - Date.parse(createdAt))).toBeLessThan(60_000)
    expect(await countTasks('Count the glasses')).toBe(1)
  })

  it('concurrent requests with one idempotency key to both servers create one task', async () => {
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, i) =>
        createTask(i % 3 === 0 ? direct : pooled, 'event_0246_1', 'Fold the napkins', 'once'),
      ),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1)
    expect(await countTasks('Fold the napkins')).toBe(1)
  })

  it('concurrent reads and writes do not affect each other through session state', async () => {
    const answers = await askMany(200, (i) =>
      i % 2 === 0
        ? pooled.get(READS[i % 7] ?? '', KEY)
        : createTask(pooled, 'event_0246_1', 'Press the linen', `linen-${i % 20}`),
    )
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    expect(await countTasks('Press the linen')).toBe(10)
  })
})

describe('without DATABASE_POOLER', () => {
  const HINT = 'set DATABASE_POOLER=transaction'

  it('names the setting if pgbouncer rejects startup options', async () => {
    const { connectionString } = pgbouncer.connection
    const plain = openPool({ connectionString }, 'data', () => undefined)
    atEnd(() => plain.end())
    await expect(plain.query('SELECT 1')).rejects.toThrow(
      new RegExp(`unsupported startup parameter.*${HINT}`),
    )
  })

  it.each([['migrate'], ['keys', 'list', '--company', 'co_harborlight'], ['serve']])(
    'quoting %s fails with an error that names the setting',
    async (...args) => {
      const ended = await runCommand(args, {
        DATABASE_URL: connectionUrl({ connectionString: pgbouncer.connection.connectionString }),
        APP_SECRET: 'a secret of thirty-two characters',
        PORT: String(await freePort()),
      })
      expect(ended.status).toBe(1)
      expect(ended.stderr.trim().split('\n').at(-1)).toMatch(new RegExp(`^quoting: .*${HINT}`))
    },
  )

  it('names the setting in the log if pgbouncer ignores the options and a statement fails', async () => {
    const ignoring = await startPgbouncer(
      connection,
      'ignore_startup_parameters = options,statement_timeout,extra_float_digits\n',
    )
    const { connectionString } = ignoring.connection
    const server = await startServer({ connectionString })
    // A transaction can get another connection, without the prepared statement or with that of another client.
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => server.get(READS[i % READS.length] ?? '', KEY)),
    )
    expect(answers.some(({ status }) => status >= 500)).toBe(true)
    const messages = server.log.map(({ err }) => (err as { message?: string } | undefined)?.message ?? '')
    const ofPooler = messages.filter((message) =>
      /prepared statement .* (does not|already) exist/.test(message),
    )
    expect(ofPooler.length).toBeGreaterThan(0)
    for (const message of ofPooler) expect(message).toContain(HINT)
  })
})

describe('commands with pgbouncer', async () => {
  const empty = await createDatabase()
  await withClient(empty.connection, (client) =>
    client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public'),
  )
  const bouncer = await startPgbouncer(empty.connection)
  const settings = {
    DATABASE_URL: connectionUrl(bouncer.connection),
    DATABASE_POOLER: 'transaction',
    APP_SECRET: 'a secret of thirty-two characters',
  }

  it('concurrent migrations are applied once', async () => {
    const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(bouncer.connection)))
    const names = applied.flat()
    expect(names.length).toBeGreaterThan(2)
    expect(new Set(names).size).toBe(names.length)
  })

  it('serve --demo, keys and users succeed', async () => {
    const port = await freePort()
    const serving = startCommand(['serve', '--demo'], { ...settings, PORT: String(port) })
    await serving.waitFor(/Try it/)
    const created = await runCommand(
      ['keys', 'create', '--company', 'co_harborlight', '--name', 'Pooled'],
      settings,
    )
    expect(created).toMatchObject({ status: 0, stderr: '' })
    const answer = await fetch(`http://127.0.0.1:${port}/api/quotes`, {
      headers: { 'x-api-key': created.stdout.trim() },
    })
    expect(answer.status).toBe(200)
    const user = ['--company', 'co_harborlight', '--email', 'pooled@example.com']
    for (const args of [
      ['create', ...user, '--name', 'Pooled', '--role', 'MEMBER', '--generate'],
      ['password', ...user, '--generate'],
      ['disable', ...user],
    ]) {
      expect(await runCommand(['users', ...args], settings)).toMatchObject({ status: 0, stderr: '' })
    }
    serving.kill('SIGTERM')
    expect(await serving.ended).toBe(0)
  })

  it('backup and restore succeed', async () => {
    const bare = await createBareDatabase()
    const other = await startPgbouncer(bare.connection)
    const file = join(temporaryFolder(), 'backup.gz')
    expect(await runCommand(['backup', file], settings)).toMatchObject({ status: 0, stderr: '' })
    const elsewhere = { ...settings, DATABASE_URL: connectionUrl(other.connection) }
    expect(await runCommand(['restore', file], elsewhere)).toMatchObject({ status: 0, stderr: '' })
    expect(await readAllRows(bare.pool)).toEqual(await readAllRows(empty.pool))
  })
})
