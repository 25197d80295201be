/** Delivery of webhooks to a real receiver. */
import type { ServerResponse } from 'node:http'
import { describe, expect, it, vi } from 'vitest'
import { runAction } from '../src/actions/action.ts'
import { rotateWebhookSecret, updateWebhookEndpoint } from '../src/actions/webhook-endpoints.ts'
import { updateTask } from '../src/actions/update-task.ts'
import { expireDeliveries } from '../src/changes/expiry.ts'
import { newWebhookSecret, showSecret } from '../src/core/security/webhook-secret.ts'
import { contextOf } from './support/actions.ts'
import { createDatabase } from './support/database.ts'
import { plant } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'
import { startReceiver, verify } from './support/webhook-receiver.ts'
import {
  SECRETS,
  addEndpoint,
  addTask,
  passTime,
  readDeliveries,
  startWorker,
  untilSettled,
} from './support/webhooks.ts'

const { pool } = await createDatabase()
let companies = 0

/** Each test has a separate company. */
async function newCompany(): Promise<string> {
  const id = `co_${++companies}`
  await insertCompany(pool, id)
  await plant(pool, 'events', id, 'ev_1')
  return id
}

const setDescription = (companyId: string, id: string, description: string) =>
  runAction(contextOf(pool, companyId), updateTask, { id, description })

startWorker(pool, { timeoutMs: 1_000 })

describe('K2: a delivery', () => {
  it('K2: is a signed POST with the change', async () => {
    const company = await newCompany()
    const receiver = await startReceiver()
    const { secret } = await addEndpoint(pool, receiver.url, { companyId: company })
    const taskId = await addTask(pool, company)
    await untilSettled(pool, company)
    const [one] = receiver.received
    if (one === undefined) throw new Error('no request was received')
    expect(one.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': 'chg_1',
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    })
    const { data } = verify(one, secret) as { data: { createdAt: string } }
    expect(JSON.parse(one.text)).toEqual({
      type: 'task.created',
      timestamp: data.createdAt,
      data: expect.objectContaining({
        object: 'change',
        id: 'chg_1',
        subject: { object: 'task', id: taskId },
      }) as object,
    })
    expect(() => verify(one, `whsec_${Buffer.alloc(32).toString('base64')}`)).toThrow(/signature/)
    expect(await readDeliveries(pool, company)).toMatchObject([
      { number: 1, change: 1, status: 'delivered', wait: null, attempts: [{ status: 200, error: null }] },
    ])
  })

  it('K1: is sent only for the types of the endpoint, and only for changes after its creation', async () => {
    const company = await newCompany()
    await addTask(pool, company)
    const receiver = await startReceiver()
    await addEndpoint(pool, `${receiver.url}/created`, { companyId: company, types: ['task.created'] })
    await addEndpoint(pool, `${receiver.url}/tasks`, { companyId: company, types: ['task.*', 'lead.*'] })
    await addEndpoint(pool, `${receiver.url}/quotes`, { companyId: company, types: ['quote.*'] })
    const id = await addTask(pool, company)
    await setDescription(company, id, 'Call again')
    await untilSettled(pool, company)
    expect(receiver.received.map(({ path, id: change }) => `${path} ${change}`).toSorted()).toEqual([
      '/hook/created chg_2',
      '/hook/tasks chg_2',
      '/hook/tasks chg_3',
    ])
  })

  it('A11: is sent only to endpoints of the company of the change, also if ids are equal', async () => {
    const receiver = await startReceiver()
    const add = async (path: string) => {
      const companyId = await newCompany()
      const secret = newWebhookSecret()
      const sealedSecret = SECRETS.seal({ companyId, endpointId: 'whe_same' }, secret)
      await addEndpoint(pool, `${receiver.url}/${path}/added`, { companyId })
      await pool.query(
        `INSERT INTO webhook_endpoints (company_id, id, url, types, secrets) VALUES ($1, 'whe_same', $2, '{*}', $3)`,
        [companyId, `${receiver.url}/${path}/same`, JSON.stringify([{ sealed: sealedSecret, until: null }])],
      )
      return { companyId, secret: showSecret(secret) }
    }
    const [a, b] = [await add('a'), await add('b')]
    const sent = () => receiver.received.map(({ path, subjectId }) => `${path} ${subjectId}`).toSorted()
    const first = await addTask(pool, a.companyId)
    await untilSettled(pool, a.companyId)
    await untilSettled(pool, b.companyId)
    const ofFirst = [`/hook/a/added ${first}`, `/hook/a/same ${first}`]
    expect(sent()).toEqual(ofFirst)
    // Each is the first change of its company.
    const second = await addTask(pool, b.companyId)
    await untilSettled(pool, b.companyId)
    expect(sent()).toEqual([...ofFirst, `/hook/b/added ${second}`, `/hook/b/same ${second}`])
    for (const one of receiver.received.filter(({ path }) => path.endsWith('/same'))) {
      const [own, other] = one.path.includes('/a/') ? [a, b] : [b, a]
      verify(one, own.secret)
      expect(() => verify(one, other.secret)).toThrow(/signature/)
    }
  })

  it('K1: has a signature for each secret until the overlap ends, newest first', async () => {
    const company = await newCompany()
    const receiver = await startReceiver()
    const endpoint = await addEndpoint(pool, receiver.url, { companyId: company })
    const rotate = async (overlapHours: number) => {
      const input = { id: endpoint.id, overlapHours, secrets: SECRETS }
      await runAction(contextOf(pool, company), rotateWebhookSecret, input)
      await addTask(pool, company)
      await untilSettled(pool, company)
      const [last] = receiver.received.slice(-1)
      if (last === undefined) throw new Error('no request was received')
      return { last, count: String(last.headers['webhook-signature']).split(' ').length }
    }
    const both = await rotate(24)
    expect(both.count).toBe(2)
    verify(both.last, endpoint.secret)
    expect((await rotate(24)).count).toBe(3)
    // Ends the overlaps of all earlier secrets, because one of them may be compromised.
    const { last, count } = await rotate(0)
    expect(count).toBe(1)
    expect(() => verify(last, endpoint.secret)).toThrow(/signature/)
  })

  it('is not sent if the secret cannot be decrypted', async () => {
    const company = await newCompany()
    const receiver = await startReceiver()
    await addEndpoint(pool, receiver.url, { companyId: company })
    await pool.query(`UPDATE webhook_endpoints SET secrets = '[]' WHERE company_id = $1`, [company])
    await addTask(pool, company)
    await untilSettled(pool, company)
    expect(receiver.received).toEqual([])
    expect((await readDeliveries(pool, company))[0]?.attempts).toMatchObject([
      { error: 'The signing secret cannot be decrypted. Rotate it.' },
    ])
  })
})

describe('K3: failures', () => {
  it.each([
    ['500', 500, { status: 500, error: null }],
    ['a redirect', 302, { status: 302, error: 'Redirects are not followed' }],
    ['404', 404, { status: 404, error: null }],
  ])('K3: retries after %s', async (_, status, attempt) => {
    const company = await newCompany()
    const receiver = await startReceiver(() => status)
    await addEndpoint(pool, receiver.url, { companyId: company })
    await addTask(pool, company)
    await untilSettled(pool, company)
    const [delivery] = await readDeliveries(pool, company)
    expect(delivery).toMatchObject({ status: 'pending', attempts: [attempt] })
    expect(delivery?.wait).toBeGreaterThan(0)
    expect(delivery?.wait).toBeLessThanOrEqual(5.5)
  })

  it('K3: stores the beginning of the response, and retries after a disconnect or timeout', async () => {
    const company = await newCompany()
    const receiver = await startReceiver(({ sequence }) =>
      sequence === 1
        ? (_, response) => void response.destroy()
        : sequence === 2
          ? () => undefined
          : (_, response) => void response.writeHead(400).end(`\0${'y'.repeat(5_000)}`),
    )
    await addEndpoint(pool, receiver.url, { companyId: company })
    for (let i = 0; i < 3; i++) await addTask(pool, company)
    await untilSettled(pool, company)
    expect((await readDeliveries(pool, company)).map(({ attempts }) => attempts[0])).toMatchObject([
      { status: null, error: 'The connection was closed before the response' },
      { status: null, error: 'No response within 1 s' },
      { status: 400, error: null, response: 'y'.repeat(1_023) },
    ])
  })

  it.each([
    ['hangs', (response: ServerResponse) => void response.writeHead(200).write('x')],
    [
      'is cut off',
      (response: ServerResponse) =>
        void response.writeHead(200, { 'content-length': 10 }).write('x', () => response.destroy()),
    ],
  ])('K3: counts a 2xx whose body %s as delivered', async (_, answer) => {
    const company = await newCompany()
    const receiver = await startReceiver(() => (_request, response) => answer(response))
    await addEndpoint(pool, receiver.url, { companyId: company })
    await addTask(pool, company)
    await untilSettled(pool, company)
    expect(await readDeliveries(pool, company)).toMatchObject([
      { status: 'delivered', attempts: [{ status: 200, error: null }] },
    ])
  })

  it('K3: waits for retry-after', async () => {
    const company = await newCompany()
    const receiver = await startReceiver(
      () => (_, response) => void response.writeHead(503, { 'retry-after': '3600' }).end(),
    )
    await addEndpoint(pool, receiver.url, { companyId: company })
    await addTask(pool, company)
    await vi.waitFor(async () => expect((await readDeliveries(pool, company))[0]?.attempts).toHaveLength(1))
    expect((await readDeliveries(pool, company))[0]?.wait).toBeGreaterThan(3_500)
  })

  it('K3: fails after ten attempts', async () => {
    const company = await newCompany()
    const receiver = await startReceiver(() => 500)
    await addEndpoint(pool, receiver.url, { companyId: company })
    await addTask(pool, company)
    for (let attempts = 1; attempts <= 10; attempts++) {
      await vi.waitFor(async () =>
        expect((await readDeliveries(pool, company))[0]?.attempts).toHaveLength(attempts),
      )
      await passTime(pool, company)
    }
    await untilSettled(pool, company)
    expect(await readDeliveries(pool, company)).toMatchObject([{ status: 'failed', wait: null }])
    expect(receiver.received.map(({ id }) => id)).toEqual(Array.from({ length: 10 }, () => 'chg_1'))
  })

  it('K3: disables the endpoint after 410, and its pending deliveries fail', async () => {
    const company = await newCompany()
    const receiver = await startReceiver(() => 410)
    const { id } = await addEndpoint(pool, receiver.url, { companyId: company })
    const taskId = await addTask(pool, company)
    await setDescription(company, taskId, 'Call again')
    await untilSettled(pool, company)
    await addTask(pool, company)
    expect((await readDeliveries(pool, company)).map(({ status }) => status)).toEqual(['failed', 'failed'])
    const { rows } = await pool.query(
      `SELECT status, disabled_reason AS reason FROM webhook_endpoints WHERE company_id = $1 AND id = $2`,
      [company, id],
    )
    expect(rows).toEqual([{ status: 'disabled', reason: 'The receiver answered 410 Gone.' }])
    expect(receiver.received).toHaveLength(1)
  })

  it('K3: disables the endpoint after five days without a success', async () => {
    const company = await newCompany()
    let status = 500
    const receiver = await startReceiver(() => status)
    const { id } = await addEndpoint(pool, receiver.url, { companyId: company })
    const endpoint = async () => {
      const sql = `SELECT status, failing_since IS NOT NULL AS "isFailing" FROM webhook_endpoints
        WHERE company_id = $1 AND id = $2`
      return (await pool.query<{ status: string; isFailing: boolean }>(sql, [company, id])).rows[0]
    }
    const failForDays = async (days: number) => {
      await pool.query(
        `UPDATE webhook_endpoints SET failing_since = now() - make_interval(days => $2) WHERE company_id = $1`,
        [company, days],
      )
    }
    await addTask(pool, company)
    await vi.waitFor(async () => expect((await endpoint())?.isFailing).toBe(true))
    await failForDays(4)
    status = 200
    await passTime(pool, company)
    await vi.waitFor(async () => expect(await endpoint()).toEqual({ status: 'enabled', isFailing: false }))
    status = 500
    await addTask(pool, company)
    await vi.waitFor(async () => expect((await endpoint())?.isFailing).toBe(true))
    await failForDays(6)
    await passTime(pool, company)
    await vi.waitFor(async () => expect((await endpoint())?.status).toBe('disabled'))
    await runAction(contextOf(pool, company), updateWebhookEndpoint, { id, status: 'enabled' })
    expect(await endpoint()).toEqual({ status: 'enabled', isFailing: false })
    expect((await readDeliveries(pool, company)).map((one) => one.status)).toEqual(['delivered', 'failed'])
  })
})

it('K5: deletes deliveries after 30 days, except pending ones', async () => {
  const company = await newCompany()
  const receiver = await startReceiver(({ sequence }) => (sequence === 2 ? 500 : 200))
  await addEndpoint(pool, receiver.url, { companyId: company })
  for (let i = 0; i < 3; i++) await addTask(pool, company)
  await untilSettled(pool, company)
  await pool.query(
    `UPDATE webhook_deliveries SET created_at = now() - interval '31 days' WHERE company_id = $1 AND number < 3`,
    [company],
  )
  await expireDeliveries({ pool })
  expect((await readDeliveries(pool, company)).map(({ number }) => number)).toEqual([2, 3])
})
