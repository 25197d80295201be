/** Order of webhooks within a subject, with failures, several workers and leases. */
import { describe, expect, it, vi } from 'vitest'
import { runAction } from '../src/actions/action.ts'
import { retryDelivery } from '../src/actions/retry-delivery.ts'
import { updateTask } from '../src/actions/update-task.ts'
import { updateWebhookEndpoint } from '../src/actions/webhook-endpoints.ts'
import { withClient } from '../src/db/connect.ts'
import { sql } from '../src/db/sql.ts'
import { queryRows, statement } from '../src/db/statement.ts'
import { inTransaction } from '../src/db/transaction.ts'
import { claimDeliveries, takeLeases, writeResults } from '../src/records/webhook-delivery/queue.ts'
import { disableEndpoint } from '../src/records/webhook-endpoint/queries.ts'
import { contextOf } from './support/actions.ts'
import { waitUntilBlocked } from './support/blocked.ts'
import { createDatabase } from './support/database.ts'
import { plant } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'
import { startReceiver } from './support/webhook-receiver.ts'
import type { Received } from './support/webhook-receiver.ts'
import {
  addEndpoint,
  addTask,
  createDeliveries,
  passTime,
  readDeliveries,
  startWorker,
  untilSettled,
} from './support/webhooks.ts'

const { pool, connection } = await createDatabase()
const DUE_NOW = statement(sql`UPDATE webhook_deliveries SET next_attempt_at = now() WHERE company_id = $1`)
let companies = 0

async function newCompany(): Promise<string> {
  const id = `co_${++companies}`
  await insertCompany(pool, id)
  await plant(pool, 'events', id, 'ev_1')
  return id
}

async function changeTask(companyId: string, id: string, times: number): Promise<void> {
  for (let i = 0; i < times; i++)
    await runAction(contextOf(pool, companyId), updateTask, { id, description: `Version ${i}` })
}

/** Whether the first arrivals of the changes of each subject are in order. */
function isInOrder(received: readonly Received[]): boolean {
  const last = new Map<string, number>()
  const seen = new Set<string>()
  return received.every(({ id, subjectId, sequence }) => {
    if (seen.has(id)) return true
    seen.add(id)
    const isLater = sequence > (last.get(subjectId) ?? 0)
    last.set(subjectId, sequence)
    return isLater
  })
}

/** Waits until everything is delivered, also after failures. */
async function untilDelivered(companyId: string): Promise<void> {
  await vi.waitFor(async () => {
    await passTime(pool, companyId)
    const statuses = (await readDeliveries(pool, companyId)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set(['delivered']))
  }, 30_000)
}

describe('K4: order', () => {
  it('K4: sends a change only after the earlier ones of its subject, without delaying other subjects', async () => {
    const company = await newCompany()
    const failing = new Set<string>()
    const receiver = await startReceiver(({ subjectId }) => (failing.has(subjectId) ? 500 : 200))
    await addEndpoint(pool, receiver.url, { companyId: company })
    const bad = await addTask(pool, company)
    failing.add(bad)
    const good = await addTask(pool, company)
    await changeTask(company, bad, 3)
    await changeTask(company, good, 3)
    const worker = startWorker(pool)
    await untilSettled(pool, company)
    const count = (id: string) => receiver.received.filter(({ subjectId }) => subjectId === id).length
    expect([count(bad), count(good)]).toEqual([1, 4])
    const waits = (await readDeliveries(pool, company)).map(({ wait }) => wait)
    expect(waits.filter((wait) => wait === Infinity)).toHaveLength(3)
    failing.clear()
    await passTime(pool, company)
    await untilSettled(pool, company)
    expect(count(bad)).toBe(5)
    expect(isInOrder(receiver.received)).toBe(true)
    expect((await readDeliveries(pool, company)).every(({ status }) => status === 'delivered')).toBe(true)
    await worker.stop()
  })

  it('K1: a delivery can be sent at the moment it becomes due', async () => {
    const companyId = await newCompany()
    const { id: endpointId } = await addEndpoint(pool, 'https://receiver.example/', { companyId })
    await addTask(pool, companyId)
    await createDeliveries(pool)
    // Stored times are rounded to milliseconds, half of them to one that has not come yet.
    for (let i = 0; i < 20; i++) {
      const claimed = await inTransaction(pool, async (db) => {
        await queryRows(db, DUE_NOW, [companyId])
        await takeLeases(db, { owner: 'w_1', seconds: 60, held: [] })
        return claimDeliveries(db, { companyId, endpointId }, 'w_1', [])
      })
      expect(claimed?.claimed).toHaveLength(1)
    }
  })

  it('K4: continues with the next change after one has failed permanently', async () => {
    const company = await newCompany()
    const receiver = await startReceiver(({ sequence }) => (sequence === 1 ? 500 : 200))
    await addEndpoint(pool, receiver.url, { companyId: company })
    await changeTask(company, await addTask(pool, company), 2)
    const worker = startWorker(pool)
    await vi.waitFor(async () => {
      await passTime(pool, company)
      const statuses = (await readDeliveries(pool, company)).map(({ status }) => status)
      expect(statuses).toEqual(['failed', 'delivered', 'delivered'])
    }, 30_000)
    await worker.stop()
  })

  it('K4: has at most eight open requests to an endpoint, also with several workers', async () => {
    const company = await newCompany()
    // Each response raises the limit by one. At eight open requests, all get a response, and later ones immediately.
    const waiting: (() => void)[] = []
    let expected = 2
    const receiver = await startReceiver(() => (_, response) => {
      waiting.push(() => void response.writeHead(200).end())
      if (waiting.length < expected) return
      for (const answer of waiting.splice(0, expected < 8 ? 1 : 8)) answer()
      expected = waiting.length === 0 ? 1 : expected + 1
    })
    await addEndpoint(pool, receiver.url, { companyId: company })
    for (let i = 0; i < 60; i++) await addTask(pool, company)
    const workers = [startWorker(pool), startWorker(pool), startWorker(pool)]
    await untilSettled(pool, company)
    expect(receiver.received.map(({ id }) => id).toSorted()).toEqual(
      Array.from({ length: 60 }, (_, i) => `chg_${i + 1}`).toSorted(),
    )
    expect(receiver.mostOpen()).toBe(8)
    await Promise.all(workers.map((worker) => worker.stop()))
  })

  it('K4: keeps the order with random failures while workers start and stop', async () => {
    const company = await newCompany()
    const receiver = await startReceiver(() => (Math.random() < 0.3 ? 500 : 200))
    await addEndpoint(pool, receiver.url, { companyId: company })
    const tasks = await Promise.all(Array.from({ length: 6 }, () => addTask(pool, company)))
    for (let i = 0; i < 5; i++) for (const task of tasks) await changeTask(company, task, 1)
    let workers = [startWorker(pool), startWorker(pool)]
    for (let i = 0; i < 4; i++) {
      await passTime(pool, company)
      const [first, ...others] = workers
      await first?.stop()
      workers = [...others, startWorker(pool)]
    }
    await untilDelivered(company)
    expect(isInOrder(receiver.received)).toBe(true)
    await Promise.all(workers.map((worker) => worker.stop()))
  })
})

describe('leases', () => {
  it('K4: another worker takes over an expired lease, and results of the former holder are dropped', async () => {
    const company = await newCompany()
    let answer: (() => void) | undefined
    const receiver = await startReceiver(() =>
      receiver.received.length === 1
        ? (_, response) => void (answer = () => void response.writeHead(500).end())
        : 200,
    )
    const { id } = await addEndpoint(pool, receiver.url, { companyId: company })
    const first = startWorker(pool)
    await addTask(pool, company)
    await vi.waitFor(() => expect(answer).toBeDefined())
    await pool.query(
      `UPDATE webhook_endpoints SET lease_owner = 'someone else', lease_until = now() - interval '1 second'
       WHERE company_id = $1 AND id = $2`,
      [company, id],
    )
    const second = startWorker(pool)
    await untilSettled(pool, company)
    answer?.()
    await Promise.all([first.stop(), second.stop()])
    expect(receiver.received.map(({ id: change }) => change)).toEqual(['chg_1', 'chg_1'])
    const [delivery] = await readDeliveries(pool, company)
    expect(delivery).toMatchObject({ status: 'delivered', attempts: [{ status: 200 }] })
  })

  it('are released when a worker stops, and an aborted request is sent again', async () => {
    const company = await newCompany()
    const receiver = await startReceiver(() => (receiver.received.length === 1 ? () => undefined : 200))
    await addEndpoint(pool, receiver.url, { companyId: company })
    const first = startWorker(pool, { stopMaxMs: 50 })
    await addTask(pool, company)
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1))
    await first.stop()
    const { rows } = await pool.query(`SELECT lease_owner FROM webhook_endpoints WHERE company_id = $1`, [
      company,
    ])
    expect(rows).toEqual([{ lease_owner: null }])
    const second = startWorker(pool)
    await untilSettled(pool, company)
    expect(receiver.received).toHaveLength(2)
    await second.stop()
  })
})

it('K5: a retry is sent immediately, even before earlier changes of its subject', async () => {
  const company = await newCompany()
  const receiver = await startReceiver(({ sequence }) => (sequence === 1 ? 500 : 200))
  await addEndpoint(pool, receiver.url, { companyId: company })
  await changeTask(company, await addTask(pool, company), 2)
  const worker = startWorker(pool)
  await untilSettled(pool, company)
  await runAction(contextOf(pool, company), retryDelivery, { id: 'whd_3' })
  await vi.waitFor(async () =>
    expect((await readDeliveries(pool, company)).map(({ status }) => status)).toEqual([
      'pending',
      'pending',
      'delivered',
    ]),
  )
  expect(receiver.received.map(({ sequence }) => sequence)).toEqual([1, 3])
  await worker.stop()
})

it('K1: claimed deliveries follow a change of the URL, and are not sent after the endpoint is disabled', async () => {
  const company = await newCompany()
  const waiting: (() => void)[] = []
  const slow = await startReceiver(
    () => (_, response) => void waiting.push(() => void response.writeHead(200).end()),
  )
  const receiver = await startReceiver(
    () => (_, response) => void waiting.push(() => void response.writeHead(200).end()),
  )
  const { id } = await addEndpoint(pool, slow.url, { companyId: company })
  for (let i = 0; i < 20; i++) await addTask(pool, company)
  const worker = startWorker(pool)
  const settle = (change: { url?: string; status?: 'disabled' }) =>
    runAction(contextOf(pool, company), updateWebhookEndpoint, { id, ...change })
  await vi.waitFor(() => expect(waiting).toHaveLength(2))
  await settle({ url: receiver.url })
  await passPolls(company, id)
  for (const answer of waiting.splice(0)) answer()
  await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(0))
  expect(slow.received).toHaveLength(2)
  await settle({ status: 'disabled' })
  await passPolls(company, id)
  const before = receiver.received.length
  for (const answer of waiting.splice(0)) answer()
  await vi.waitFor(async () => expect(await isLeased(company, id)).toBe(false))
  expect(receiver.received).toHaveLength(before)
  await worker.stop()
})

it('K1: an attempt that fails while its endpoint is being disabled leaves no pending delivery', async () => {
  const company = await newCompany()
  const { id } = await addEndpoint(pool, 'https://192.0.9.1/', { companyId: company })
  await addTask(pool, company)
  await createDeliveries(pool)
  const lease = `UPDATE webhook_endpoints SET lease_owner = 'worker', lease_until = 'infinity' WHERE company_id = $1`
  await pool.query(lease, [company])
  const attempt = { at: '2026-01-01T00:00:00Z', status: 500, error: null, durationMs: 1, response: '' }
  const retry = { number: '1', status: 'pending' as const, nextInSeconds: 60, attempt }
  const writing = await withClient(connection, async (client) => {
    await client.query('BEGIN')
    await disableEndpoint(client, company, id, null)
    const written = writeResults(pool, { companyId: company, endpointId: id }, 'worker', [retry])
    await waitUntilBlocked(client)
    await client.query('COMMIT')
    return { written }
  })
  await writing.written
  expect(await readDeliveries(pool, company)).toMatchObject([{ status: 'failed', wait: null }])
})

const isLeased = async (company: string, id: string) => {
  const text = 'SELECT FROM webhook_endpoints WHERE company_id = $1 AND id = $2 AND lease_owner IS NOT NULL'
  return (await pool.query(text, [company, id])).rowCount === 1
}

/** Waits until the worker has served a new endpoint. It has then checked this one before. */
async function passPolls(company: string, id: string): Promise<void> {
  const probe = await startReceiver()
  const other = await newCompany()
  expect(await isLeased(company, id)).toBe(true)
  await addEndpoint(pool, probe.url, { companyId: other })
  for (let i = 0; i < 2; i++) {
    await addTask(pool, other)
    await vi.waitFor(() => expect(probe.received).toHaveLength(i + 1))
  }
}

it('K4: an endpoint that hangs does not delay another', async () => {
  const company = await newCompany()
  const hanging = await startReceiver(() => () => undefined)
  const receiver = await startReceiver()
  const dead = await addEndpoint(pool, hanging.url, { companyId: company })
  await addEndpoint(pool, receiver.url, { companyId: company })
  const worker = startWorker(pool, { stopMaxMs: 0 })
  for (let i = 0; i < 100; i++) await addTask(pool, company)
  await vi.waitFor(() => expect(receiver.received).toHaveLength(100))
  expect(hanging.received.length).toBeLessThanOrEqual(2)
  expect((await readDeliveries(pool, company)).filter(({ endpoint }) => endpoint === dead.id)).toHaveLength(
    100,
  )
  await worker.stop()
})
