/** A database on a real Citus coordinator and two workers, one of which is lost. */
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { withClient } from '../src/db/connect.ts'
import { migrate } from '../src/db/migrate.ts'
import { DEMO_PASSWORD } from '../src/world/demo/users.ts'
import { fillWithDemo } from '../src/world/demo/fill-with-demo.ts'
import { startCluster, workerOf } from '../test/support/citus.ts'
import { exportHash, readEverything, startService } from '../test/support/citus-service.ts'
import { CONSOLE_REQUESTS } from '../test/support/console-requests.ts'
import { connectionUrl } from '../test/support/connections.ts'
import { runCommand, temporaryFolder } from '../test/support/process.ts'
import { RECORD_EXAMPLES } from '../test/support/record-requests.ts'
import { startPrimary } from '../test/support/standby.ts'

const { coordinator, workers, addWorkers } = await startCluster()
const single = { DATABASE_URL: connectionUrl(coordinator) }
const settings = { ...single, DATABASE_DISTRIBUTED: 'true' }
/** Two companies on different workers */
const [KEPT, LOST] = [
  { id: 'co_harborlight', key: 'eqs_demo_harborlight' },
  { id: 'co_maison_rivage', key: 'eqs_demo_maison_rivage' },
] as const

describe('quoting distribute', () => {
  it('reports a missing extension or missing workers', async () => {
    const { primary } = await startPrimary()
    expect(await runCommand(['distribute'], { DATABASE_URL: connectionUrl(primary) })).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('the database does not have the extension citus') as string,
    })
    expect(await runCommand(['distribute'], single)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Citus has no workers') as string,
    })
  })

  it('distributes a filled database without changing responses', async () => {
    await migrate(coordinator)
    await fillWithDemo(coordinator)
    const hash = await exportHash(single)
    const findings = (await runCommand(['doctor'], single)).stderr
    const before = await startService(single)
    const answers = await readEverything(before, KEPT.key)
    before.stop()

    await addWorkers()
    const distributed = await runCommand(['distribute'], single)
    expect(distributed).toMatchObject({ status: 0, stderr: '' })
    expect(distributed.stdout).toMatch(/^Distributed by company over 2 workers: quotes, /)
    expect(distributed.stdout).toContain('Set DATABASE_DISTRIBUTED=true')

    for (const [name, value] of [
      ['timezone', 'UTC'],
      ['enable_seqscan', 'off'],
    ]) {
      const { rows } = await withClient(coordinator, (client) =>
        client.query(`SELECT result FROM run_command_on_workers('SHOW ${name}')`),
      )
      expect(rows).toEqual([{ result: value }, { result: value }])
    }
    expect(await exportHash(settings)).toBe(hash)
    expect((await runCommand(['doctor'], settings)).stderr).toBe(findings)
    const after = await startService(settings)
    expect(await readEverything(after, KEPT.key)).toEqual(answers)
    after.stop()
  }, 240_000)

  it('makes commands require the setting', async () => {
    expect(await runCommand(['export'], single)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('set DATABASE_DISTRIBUTED=true') as string,
    })
  })

  it('changes nothing if it is repeated, and distributes a remaining table', async () => {
    const again = await runCommand(['distribute'], settings)
    expect(again).toMatchObject({ status: 0 })
    expect(again.stdout).toMatch(
      /^All tables are distributed already, over 2 workers\.\nOn the coordinator: /,
    )
    await withClient(coordinator, (client) => client.query("SELECT undistribute_table('resources')"))
    const one = await runCommand(['distribute'], settings)
    expect(one.stdout).toMatch(/^Distributed by company over 2 workers: resources\.\n/)
  })
})

describe('a distributed database', () => {
  it('imports its world again, and creates backups', async () => {
    const world = (await runCommand(['export'], settings)).stdout
    const imported = await runCommand(['import', '-'], settings, world)
    expect(imported).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^Imported \d+ records/) as string,
    })
    expect((await runCommand(['export'], settings)).stdout).toBe(world)
    const invalid = `${JSON.stringify({ object: 'task', id: 'task_new', companyId: KEPT.id, eventId: 'no', description: 'x' })}\n`
    expect(await runCommand(['import', '-'], settings, invalid)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('there is no event "no" in the file or the database') as string,
    })
    expect(await runCommand(['backup', join(temporaryFolder(), 'backup')], settings)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^Backed up \d+ rows/) as string,
    })
  }, 120_000)

  it('accepts writes, and separates companies', async () => {
    const { call, stop } = await startService(settings)
    const post = async (path: string, body: object, key: string = KEPT.key) => {
      const { status, text } = await call(path, key, 'POST', body)
      return { status, body: JSON.parse(text) as { id: string; number?: string } }
    }
    const task = await post('/api/tasks', { eventId: 'event_0246_1', description: 'Sweep the hall' })
    expect(task.status).toBe(201)
    expect((await post(`/api/tasks/${task.body.id}`, { completed: true })).status).toBe(200)
    for (const [path, body] of [
      ['/api/leads', { firstName: 'Nadia' }],
      ['/api/quotes/quote_0296', { guestCount: 7, taxRateId: 'tax_brooklyn' }],
      ['/api/quotes/quote_0293/send', { message: 'Hello' }],
      ['/api/quotes/quote_0300/lose', { lostReason: 'PRICE' }],
      ['/api/quotes/quote_0287/book', {}],
      ['/api/events/event_0294_1/cancel', {}],
      ['/api/invoices/inv_0288_2/payments', { amountCents: 1 }],
      ['/api/webhook-endpoints', { url: 'https://no-such-host.invalid/', types: ['task.*'] }],
    ] as const) {
      const { status, body: answer } = await post(path, body)
      expect([path, status < 300, JSON.stringify(answer)]).toEqual([path, true, expect.any(String)])
    }
    expect((await call(`/api/tasks/${task.body.id}`, KEPT.key)).status).toBe(200)
    for (const path of [`/api/tasks/${task.body.id}`, '/api/quotes/quote_0296'])
      expect([path, (await call(path, KEPT.key)).text]).not.toEqual([path, (await call(path, LOST.key)).text])
    expect((await call(`/api/tasks/${task.body.id}`, LOST.key)).status).toBe(404)
    expect((await post(`/api/tasks/${task.body.id}`, { completed: false }, LOST.key)).status).toBe(404)
    expect(await runCommand(['doctor', '--repair'], settings)).toMatchObject({
      stdout: expect.stringContaining('Repaired 0 deviation(s)') as string,
    })
    stop()
  }, 120_000)

  it('times out waiting for a row that another transaction has locked on a worker', async () => {
    const { call, stop } = await startService(settings)
    const rename = () => call('/api/leads/lead_0145', KEPT.key, 'POST', { firstName: 'Nadia' })
    await withClient(coordinator, async (client) => {
      await client.query('BEGIN')
      await client.query(`UPDATE leads SET notes = 'Locked' WHERE company_id = $1 AND id = 'lead_0145'`, [
        KEPT.id,
      ])
      const { status, text } = await rename()
      expect([status, text]).toEqual([503, expect.stringContaining('is being changed by an import')])
      await client.query('ROLLBACK')
    })
    expect((await rename()).status).toBe(200)
    stop()
  })
})

describe('the application on a distributed database', () => {
  it('responds to every call, and serves the pages of customers', async () => {
    const { open, stop } = await startService(settings)
    const signIn = await open('/console/session', 'POST', {
      email: 'admin@harborlight.example',
      password: DEMO_PASSWORD,
    })
    expect(signIn.status).toBe(204)
    const cookie = String(signIn.headers.get('set-cookie')).split(';')[0] ?? ''
    const ids = new Map<string, string>([
      ['quotes', 'quote_0296'],
      ['events', 'event_0246_1'],
    ])
    for (const kind of [...Object.keys(RECORD_EXAMPLES), 'forms']) {
      const { text } = await open(`/console/${kind}`, 'GET', undefined, { cookie })
      ids.set(kind, /"id":"([^"]+)"/.exec(text)?.[1] ?? 'none')
    }
    expect([...ids].filter(([, id]) => id === 'none')).toEqual([])
    const failed: string[] = []
    const statuses = new Set<number>()
    for (const [name, { body, query }] of Object.entries(CONSOLE_REQUESTS)) {
      const [method = '', path = ''] = name.split(' ')
      const id = ids.get(path.split('/')[2] ?? '') ?? 'unknown'
      const answer = await open(`${path.replace(':id', id)}?${query ?? ''}`, method, body, { cookie })
      statuses.add(answer.status)
      if (answer.status >= 500 || answer.status === 401)
        failed.push(`${name}: ${answer.status} ${answer.text}`)
    }
    expect(failed).toEqual([])
    expect([...statuses]).toEqual(expect.arrayContaining([200, 404, 409]))

    const readUrl = async (path: string) => {
      const { text } = await open(path, 'GET', undefined, { 'x-api-key': KEPT.key })
      return new URL(/"(?:url|publicUrl|link)":"([^"]+)"/.exec(text)?.[1] ?? text).pathname
    }
    for (const path of [
      await readUrl('/api/quotes/quote_0293/link'),
      await readUrl('/api/invoices/inv_0288_2'),
    ])
      for (const page of [path, `${path}/pdf`]) expect([page, (await open(page)).status]).toEqual([page, 200])
    stop()
  }, 240_000)
})

describe('a lost worker', () => {
  /** Written by the company of the lost worker */
  const LEAD = { firstName: 'Nadia', lastName: 'Retried' }

  it('that hangs leads to 503 for its companies, while other companies soon continue', async () => {
    const lost = await workerOf(coordinator, LOST.id)
    const worker = workers.find(({ port }) => port === lost)
    const { call, stop } = await startService(settings)
    const list = async (key: string) => (await call('/api/quotes?limit=2', key)).status
    expect([await list(LOST.key), await list(KEPT.key)]).toEqual([200, 200])
    const thaw = worker?.freeze()
    // More than the number of connections
    const waiting = Array.from({ length: 8 }, () => list(LOST.key))
    for (const status of await Promise.all(waiting)) expect(status).toBeGreaterThanOrEqual(500)
    // Fast rejections leave the connections to the other companies.
    const statuses = await Promise.all(Array.from({ length: 20 }, () => list(LOST.key)))
    expect(new Set(statuses)).toEqual(new Set([503]))
    expect(await list(KEPT.key)).toBe(200)
    const created = await call('/api/tasks', KEPT.key, 'POST', {
      eventId: 'event_0246_1',
      description: 'While it hangs',
    })
    expect(created.status).toBe(201)
    expect((await call('/api/leads', LOST.key, 'POST', LEAD)).status).toBe(503)
    expect((await call('/readyz', '')).text).toBe('{"status":"degraded"}')
    thaw?.()
    await vi.waitFor(async () => expect(await list(LOST.key)).toBe(200), { timeout: 10_000 })
    stop()
  })

  it('leads to 503 for its companies only, until it is back', async () => {
    const [kept, lost] = [await workerOf(coordinator, KEPT.id), await workerOf(coordinator, LOST.id)]
    expect(kept).not.toBe(lost)
    const worker = workers.find(({ port }) => port === lost)
    const { call, stop } = await startService(settings)
    const create = (description: string) =>
      call('/api/tasks', KEPT.key, 'POST', { eventId: 'event_0246_1', description })
    const createLead = () => call('/api/leads', LOST.key, 'POST', LEAD, { 'idempotency-key': 'lost' })
    await worker?.kill()

    for (const answer of [await call('/api/quotes?limit=2', LOST.key), await createLead()]) {
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
      expect(JSON.parse(answer.text)).toEqual({
        error: {
          type: 'api_error',
          code: 'auth_service_unavailable',
          message: 'The data of this company is temporarily unavailable. Retry in a few seconds.',
        },
      })
    }
    expect((await call('/api/quotes?limit=2', KEPT.key)).status).toBe(200)
    expect((await create('While it is lost')).status).toBe(201)
    const probe = await call('/readyz', '')
    expect([probe.status, probe.text]).toEqual([200, '{"status":"degraded"}'])

    for (const { id } of [KEPT, LOST]) {
      const made = await runCommand(['keys', 'create', '--company', id, '--name', 'Second'], settings)
      expect(made).toMatchObject({ status: 0 })
      const key = made.stdout.trim()
      expect((await call('/api/quotes?limit=1', key)).status).toBe(id === KEPT.id ? 200 : 503)
      const listed = await runCommand(['keys', 'list', '--company', id], settings)
      const [keyId = ''] =
        listed.stdout
          .split('\n')
          .find((line) => line.endsWith('Second'))
          ?.split(/\s/) ?? []
      expect(await runCommand(['keys', 'revoke', keyId, '--company', id], settings)).toMatchObject({
        status: 0,
      })
      await vi.waitFor(async () => expect((await call('/api/quotes?limit=1', key)).status).toBe(401), {
        timeout: 10_000,
      })
    }

    await worker?.start()
    await vi.waitFor(async () => expect((await call('/api/quotes?limit=2', LOST.key)).status).toBe(200), {
      timeout: 10_000,
    })
    expect((await call('/readyz', '')).text).toBe('{"status":"ready"}')
    // The failed requests stored nothing.
    expect((await createLead()).status).toBe(201)
    const { text } = await call('/api/leads?limit=100', LOST.key)
    expect(text.split(`"${LEAD.lastName}"`)).toHaveLength(2)
    stop()
  }, 120_000)
})
